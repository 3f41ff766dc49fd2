# Reads rules/families/families.list and generates from it:
#
#   FAULTLINE_FAMILIES, FAULTLINE_POSITIONS   names and Position types, in the list's order
#   families_files(OUT PATTERN)   one file per family: PATTERN with every NAME replaced
#   families_units(OUT FOLDER TEMPLATE)   the same, generated from one template
#   generated/rules/families/all.h         all Position types, and the tuple `Families` of them
#   generated/model/encoding/all.h         all encoders
#   generated/strategy/families/all.h      what strategies know of each family
#   generated/survey/families/all.h        what surveys know of each family
#   generated/tests/rules/families/all.h   each family's traits for the typed tests
#
# The folder `generated` is in the build folder and, like the source folder, an include root.
set(list_of_families ${PROJECT_SOURCE_DIR}/rules/families/families.list)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list_of_families})
file(STRINGS ${list_of_families} lines REGEX "^[^#]")
set(FAULTLINE_FAMILIES "")
set(FAULTLINE_POSITIONS "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([a-z][a-z0-9_]*) +([A-Za-z0-9]+) *$")
    message(FATAL_ERROR "${list_of_families}: expected 'name PositionType', got '${line}'")
  endif()
  list(APPEND FAULTLINE_FAMILIES ${CMAKE_MATCH_1})
  list(APPEND FAULTLINE_POSITIONS ${CMAKE_MATCH_2})
endforeach()

# Every file that a line of the list implies must exist; a missing one is named.
function(families_files out pattern)
  set(files "")
  foreach(name IN LISTS FAULTLINE_FAMILIES)
    string(REPLACE NAME ${name} file ${pattern})
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${file})
      message(FATAL_ERROR "The family '${name}' of rules/families/families.list needs the file "
        "${file}; see docs/adding-a-variant.md for its contents.")
    endif()
    list(APPEND files ${PROJECT_SOURCE_DIR}/${file})
  endforeach()
  set_source_files_properties(${files} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# One generated file per family: TEMPLATE with @NAME@ and @POSITION@ replaced, in generated/FOLDER/. What is
# compiled for every family is so in parallel, and again only for those that change.
function(families_units out folder template)
  set(files "")
  foreach(NAME POSITION IN ZIP_LISTS FAULTLINE_FAMILIES FAULTLINE_POSITIONS)
    configure_file(${template} ${PROJECT_BINARY_DIR}/generated/${folder}/${NAME}.cpp @ONLY)
    list(APPEND files ${PROJECT_BINARY_DIR}/generated/${folder}/${NAME}.cpp)
  endforeach()
  set_source_files_properties(${files} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# Writes generated/FOLDER/all.h, which includes FOLDER/NAME.h of every family.
function(families_header folder what rest)
  set(includes "")
  foreach(name IN LISTS FAULTLINE_FAMILIES)
    string(APPEND includes "#include \"${folder}/${name}.h\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${folder}/all.h
    CONTENT "// ${what}. Generated from rules/families/families.list.\n#pragma once\n\n@includes@@rest@" @ONLY)
endfunction()

families_files(checked rules/families/NAME.h)
families_files(checked model/encoding/NAME.h)
families_files(checked strategy/families/NAME.cpp)
families_files(checked survey/families/NAME.cpp)
list(JOIN FAULTLINE_POSITIONS ", " tuple)
families_header(rules/families "All families" "
#include <tuple>

namespace faultline {

/// Every Position type of the project.
using Families = std::tuple<${tuple}>;

}  // namespace faultline
")
families_header(model/encoding "All families' encoders" "")
set(declarations "")
foreach(position IN LISTS FAULTLINE_POSITIONS)
  string(APPEND declarations
    "std::vector<Predicate<${position}>> own_predicates(const ${position}::Variant& variant);\n"
    "std::vector<std::string> square_names(const ${position}::Variant& variant);\n"
    "FamilyBehaviour<${position}> own_behaviour(const ${position}::Variant& variant);\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/strategy/families/all.h
  CONTENT "// What strategies know of each family. Generated from rules/families/families.list.
#pragma once

#include <string>
#include <vector>

#include \"rules/families/all.h\"
#include \"strategy/family_behaviour.h\"
#include \"strategy/predicate.h\"

namespace faultline {

/// A family's predicates besides the general ones, its squares' names in order, and what is worth
/// knowing of recorded games.
@declarations@
}  // namespace faultline
" @ONLY)
set(declarations "")
foreach(position IN LISTS FAULTLINE_POSITIONS)
  string(APPEND declarations "BoardRegions survey_regions(const ${position}::Variant& variant);\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/survey/families/all.h
  CONTENT "// What surveys know of each family. Generated from rules/families/families.list.
#pragma once

#include \"rules/families/all.h\"
#include \"survey/board_regions.h\"

namespace faultline {

/// The parts of a variant's board by which piece values are compared.
@declarations@
}  // namespace faultline
" @ONLY)
if(FAULTLINE_TESTS)
  families_files(checked tests/rules/families/NAME.h)
  families_header(tests/rules/families "Each family's traits for the typed tests" "")
endif()

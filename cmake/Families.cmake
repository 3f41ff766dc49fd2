# Reads rules/families/families.list and generates from it:
#
#   FAULTLINE_FAMILIES, FAULTLINE_POSITIONS   names and Position types, in the list's order
#   families_files(OUT PATTERN [OPTIONAL])   one file per family: PATTERN with every NAME replaced
#   families_units(OUT FOLDER TEMPLATE)   the same, generated from one template
#   generated/rules/families/all.h         all Position types, and the tuple `Families` of them
#   generated/strategy/families/all.h      what the files strategy/families/NAME.cpp define
#   generated/survey/families/all.h        what the files survey/families/NAME.cpp define
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

# Every file that a line of the list implies must exist, and a missing one is named; with OPTIONAL, those
# that do.
function(families_files out pattern)
  set(files "")
  if("OPTIONAL" IN_LIST ARGN)
    string(REPLACE NAME * any ${pattern})
    file(GLOB unused CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${any})  # configures again for a new one
  endif()
  foreach(name IN LISTS FAULTLINE_FAMILIES)
    string(REPLACE NAME ${name} file ${pattern})
    if(EXISTS ${PROJECT_SOURCE_DIR}/${file})
      list(APPEND files ${PROJECT_SOURCE_DIR}/${file})
    elseif(NOT "OPTIONAL" IN_LIST ARGN)
      message(FATAL_ERROR "The family '${name}' of rules/families/families.list needs the file "
        "${file}; see docs/adding-a-variant.md for its contents.")
    endif()
  endforeach()
  set_source_files_properties(${files} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# Position types of games of files, which have no line in the list.
set(FAULTLINE_DATA_NAMES data64 data128 data384)
set(FAULTLINE_DATA_POSITIONS DataPosition64 DataPosition128 DataPosition384)

# One generated file per Position type: TEMPLATE with @NAME@ and @POSITION@ replaced, in generated/FOLDER/. Reading
# its headers takes a compiler longer than the rest, so that unity builds compile them together.
function(families_units out folder template)
  set(files "")
  set(names ${FAULTLINE_FAMILIES} ${FAULTLINE_DATA_NAMES})
  set(positions ${FAULTLINE_POSITIONS} ${FAULTLINE_DATA_POSITIONS})
  foreach(NAME POSITION IN ZIP_LISTS names positions)
    configure_file(${template} ${PROJECT_BINARY_DIR}/generated/${folder}/${NAME}.cpp @ONLY)
    list(APPEND files ${PROJECT_BINARY_DIR}/generated/${folder}/${NAME}.cpp)
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# Writes generated/FOLDER/all.h.
function(families_header folder what rest)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${folder}/all.h
    CONTENT "// ${what}. Generated from rules/families/families.list.\n#pragma once\n\n@rest@" @ONLY)
endfunction()

# Into OUT: includes of FOLDER/NAME.h of every family.
function(families_includes out folder)
  families_files(checked ${folder}/NAME.h)
  set(includes "")
  foreach(name IN LISTS FAULTLINE_FAMILIES)
    string(APPEND includes "#include \"${folder}/${name}.h\"\n")
  endforeach()
  set(${out} "${includes}" PARENT_SCOPE)
endfunction()

# Into OUT: DECLARATION of every family that has the file FOLDER/NAME.cpp, with POSITION replaced by its
# Position type.
function(families_declarations out folder declaration)
  families_files(files ${folder}/NAME.cpp OPTIONAL)
  set(declarations "")
  foreach(name position IN ZIP_LISTS FAULTLINE_FAMILIES FAULTLINE_POSITIONS)
    if(${PROJECT_SOURCE_DIR}/${folder}/${name}.cpp IN_LIST files)
      string(REPLACE POSITION ${position} one "${declaration}")
      string(APPEND declarations "${one}")
    endif()
  endforeach()
  set(${out} "namespace faultline {\n\n${declarations}\n}  // namespace faultline\n" PARENT_SCOPE)
endfunction()

families_includes(includes rules/families)
list(JOIN FAULTLINE_POSITIONS ", " tuple)
list(JOIN FAULTLINE_DATA_POSITIONS ", " data_tuple)
list(JOIN FAULTLINE_POSITIONS "> && Position<" positions)
list(JOIN FAULTLINE_DATA_POSITIONS "> && Position<" data_positions)
families_header(rules/families "All families" "${includes}
#include <tuple>

#include \"rules/data/positions.h\"
#include \"rules/position.h\"

namespace faultline {

// Here, because clang 14 crashes where it checks one first inside of a function.
static_assert(Position<${positions}>);
static_assert(Position<${data_positions}>);

/// The Position types of families that are compiled.
using CompiledFamilies = std::tuple<${tuple}>;
/// Every Position type of the project.
using Families = std::tuple<${tuple}, ${data_tuple}>;

}  // namespace faultline
")
families_declarations(declarations strategy/families
"std::vector<Predicate<POSITION>> own_predicates(const POSITION::Variant& variant);
FamilyBehaviour<POSITION> own_behaviour(const POSITION::Variant& variant);
")
families_header(strategy/families "What strategies know of single families" "#include <vector>

#include \"rules/families/all.h\"
#include \"strategy/family_behaviour.h\"
#include \"strategy/predicate.h\"

${declarations}")
families_declarations(declarations survey/families "BoardRegions own_regions(const POSITION::Variant& variant);
")
families_header(survey/families "Parts of single families' boards" "#include \"rules/families/all.h\"
#include \"survey/board_regions.h\"

${declarations}")
if(FAULTLINE_TESTS)
  families_includes(includes tests/rules/families)
  families_header(tests/rules/families "Each family's traits for the typed tests" "${includes}")
endif()

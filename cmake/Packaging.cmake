# `cpack`, in the build folder of the preset `package`: three Debian packages of what `cmake --install`
# installs (scripts/package). What they need of other packages is found by dpkg-shlibdeps.
#
#   faultline         the program
#   libfaultline0     the shared library; its number is the library's SOVERSION
#   libfaultline-dev  headers, static libraries, CMake and pkg-config files
#
# Separate, because an engine that is linked to the library needs neither the program nor compilers, and
# because another SOVERSION must be installable beside this one.
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr" OR CMAKE_CROSSCOMPILING)
  return()
endif()
set(soversion ${PROJECT_VERSION_MAJOR})

# As in the project's repository: there is no other list of its authors.
find_package(Git QUIET)
set(maintainer "")
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} log -1 "--format=%an <%ae>"
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE maintainer
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT_EXECUTABLE} log -1 "--date=rfc" "--format=%cd"
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE date
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT maintainer)
  set(maintainer "faultline's maintainers <unknown@localhost>")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME faultline)
set(CPACK_PACKAGE_VENDOR faultline)
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# For the packages of programs that are linked to the library.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME faultline)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)  # games are in /usr/games
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "chess variants with unusual boards: UCI engine and tools
Plays chess variants whose boards move, lean, fork or are stacked (escher,
slanted, earthquake, inferno, shifting) in any program that speaks UCI,
searches and reviews games, and plays matches. Networks are computed on the
CPU. Training, which needs LibTorch, is not part of this package.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libfaultline${soversion})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "chess variants with unusual boards: shared library
The rules of faultline's games, its networks and its search behind an interface
in C, for engines and other languages.")

# Debian's way to have ldconfig run after the library was installed or removed.
file(WRITE ${PROJECT_BINARY_DIR}/install/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/install/triggers)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libfaultline-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfaultline${soversion} (= ${PROJECT_VERSION})")
# For faultline::engine, the static libraries; the C interface needs none of them.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS
  "nlohmann-json3-dev, libfmt-dev, libdnnl-dev, libxxhash-dev, libzip-dev, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "chess variants with unusual boards: development files
The header of faultline's C interface, its C++ headers and static libraries,
and what CMake's find_package and pkg-config read.")

# The documents that a Debian package has.
set(docs ${PROJECT_BINARY_DIR}/install)
file(WRITE ${docs}/copyright "faultline ${PROJECT_VERSION}
Maintainer: ${maintainer}

Copyright: the authors whom the history of the project's repository names. They
have stated no licence. This package was built from the project's repository by scripts/package.
")
find_program(GZIP gzip)
foreach(component PROGRAM LIBRARY DEVELOPMENT)
  string(TOLOWER ${component} lower)
  set(package ${CPACK_DEBIAN_${component}_PACKAGE_NAME})
  set(folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package})
  install(FILES ${docs}/copyright DESTINATION ${folder} COMPONENT ${lower} EXCLUDE_FROM_ALL)
  if(GZIP)
    file(WRITE ${docs}/${package}/changelog "${package} (${PROJECT_VERSION}) unstable; urgency=medium

  * Built from the project's repository.

 -- ${maintainer}  ${date}
")
    execute_process(COMMAND ${GZIP} --force --best --no-name ${docs}/${package}/changelog
      COMMAND_ERROR_IS_FATAL ANY)
    install(FILES ${docs}/${package}/changelog.gz DESTINATION ${folder}
      COMPONENT ${lower} EXCLUDE_FROM_ALL)
  endif()
endforeach()

include(CPack)

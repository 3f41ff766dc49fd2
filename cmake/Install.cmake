# `cmake --install`: the program, the shared library with its C interface, and for C++ the static
# libraries with their headers; without LibTorch and without what trains. In three components:
#
#   program       bin/faultline, and the games that are files in share/faultline/games
#   library       lib/libfaultline.so.N
#   development   headers, static libraries, what find_package(faultline) and pkg-config read
#
# docs/library.md says how to link them.
include(CMakePackageConfigHelpers)

install(TARGETS faultline RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY games DESTINATION ${CMAKE_INSTALL_DATADIR}/faultline COMPONENT program
  FILES_MATCHING PATTERN "*.toml")
# Whoever has built the program alone can install, too.
add_dependencies(faultline faultline_shared)
install(TARGETS faultline_shared EXPORT faultlineTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)

# The C++ libraries of an engine. `faultline::engine` stands for all of them.
set(engine_libraries
  base rules picture search strategy encoding model_options inference play)
add_library(faultline_engine INTERFACE)
set_target_properties(faultline_engine PROPERTIES EXPORT_NAME engine)
target_link_libraries(faultline_engine INTERFACE faultline_play faultline_picture)
set(targets faultline_engine faultline_options)
foreach(library IN LISTS engine_libraries)
  set_target_properties(faultline_${library} PROPERTIES EXPORT_NAME ${library})
  list(APPEND targets faultline_${library})
endforeach()
if(FAULTLINE_ONEDNN)
  set_target_properties(faultline_onednn PROPERTIES EXPORT_NAME onednn)
  list(APPEND targets faultline_onednn)
endif()
set_target_properties(faultline_options PROPERTIES EXPORT_NAME options)
install(TARGETS ${targets} EXPORT faultlineEngineTargets
  ARCHIVE DESTINATION ${FAULTLINE_INSTALL_ARCHIVES} COMPONENT development)

# Their headers. What needs LibTorch, and what is inside one library, stays here.
install(FILES library/faultline.h DESTINATION ${FAULTLINE_INSTALL_HEADERS} COMPONENT development)
foreach(folder base rules picture search strategy model play)
  install(DIRECTORY ${folder} ${PROJECT_BINARY_DIR}/generated/${folder}
    DESTINATION ${FAULTLINE_INSTALL_HEADERS} COMPONENT development
    FILES_MATCHING PATTERN "*.h"
    PATTERN model/export EXCLUDE
    PATTERN model/fast/fast_file.h EXCLUDE
    PATTERN model/fast/fast_trainer.h EXCLUDE
    PATTERN model/training EXCLUDE
    PATTERN model/inference/onednn EXCLUDE
    PATTERN "model/inference/gpu*" EXCLUDE
    PATTERN "model/inference/libtorch_*" EXCLUDE
    PATTERN model/inference/stream_recorder.h EXCLUDE
    PATTERN model/torch_compat.h EXCLUDE)
endforeach()

# What find_package(faultline) reads.
install(EXPORT faultlineTargets NAMESPACE faultline::
  DESTINATION ${FAULTLINE_INSTALL_CMAKE} COMPONENT development)
install(EXPORT faultlineEngineTargets NAMESPACE faultline::
  DESTINATION ${FAULTLINE_INSTALL_CMAKE} COMPONENT development)
configure_package_config_file(cmake/faultlineConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/faultlineConfig.cmake
  INSTALL_DESTINATION ${FAULTLINE_INSTALL_CMAKE} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/install/faultlineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/install/faultlineConfig.cmake
  ${PROJECT_BINARY_DIR}/install/faultlineConfigVersion.cmake
  DESTINATION ${FAULTLINE_INSTALL_CMAKE} COMPONENT development)

# What pkg-config reads. The prefix is found from the file's own place.
file(RELATIVE_PATH FAULTLINE_PC_PREFIX
  /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" FAULTLINE_PC_PREFIX ${FAULTLINE_PC_PREFIX})
configure_file(cmake/faultline.pc.in ${PROJECT_BINARY_DIR}/install/faultline.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/install/faultline.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

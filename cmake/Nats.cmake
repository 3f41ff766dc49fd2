# Finds the C library of NATS and defines the target PkgConfig::NATS; FAULTLINE_NATS says whether it is used. Without
# it a run has actors in other processes through folders only.
set(FAULTLINE_NATS OFF)
if(FAULTLINE_CLUSTER)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(NATS IMPORTED_TARGET libnats)
  if(NATS_FOUND)
    set(FAULTLINE_NATS ON)
    message(STATUS "libnats ${NATS_VERSION}")
  else()
    message(STATUS "libnats was not found: no actors over NATS")
  endif()
endif()

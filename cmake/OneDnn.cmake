# Finds oneDNN and defines the target faultline_onednn; FAULTLINE_ONEDNN says whether it exists.
# Without it there is only the slower backend "cpu".
option(FAULTLINE_ONEDNN "Compute networks on the CPU with oneDNN" ON)
if(FAULTLINE_ONEDNN)
  # By its files: dnnl-config.cmake of Debian's build also wants OpenCL's headers, which nothing here uses.
  find_path(DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.hpp)
  find_library(DNNL_LIBRARY dnnl)
  mark_as_advanced(DNNL_INCLUDE_DIR DNNL_LIBRARY)
  set(version 0)
  if(DNNL_INCLUDE_DIR AND DNNL_LIBRARY)
    foreach(part MAJOR MINOR PATCH)
      file(STRINGS ${DNNL_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h line REGEX "DNNL_VERSION_${part} [0-9]+")
      string(REGEX MATCH "[0-9]+" DNNL_${part} "${line}")
    endforeach()
    set(version ${DNNL_MAJOR}.${DNNL_MINOR}.${DNNL_PATCH})
  endif()
  if(version VERSION_GREATER_EQUAL 2.6)
    find_package(OpenMP REQUIRED COMPONENTS CXX)  # the threads of Debian's oneDNN
    add_library(faultline_onednn INTERFACE)
    target_include_directories(faultline_onednn SYSTEM INTERFACE
      $<BUILD_INTERFACE:${DNNL_INCLUDE_DIR}>)
    # Linked only: our own loops do not use OpenMP's threads.
    target_link_libraries(faultline_onednn INTERFACE
      $<BUILD_INTERFACE:${DNNL_LIBRARY}> $<INSTALL_INTERFACE:dnnl>
      $<LINK_ONLY:OpenMP::OpenMP_CXX>)
    message(STATUS "oneDNN ${version} (${DNNL_LIBRARY})")
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT EMSCRIPTEN)
    message(FATAL_ERROR
      "oneDNN 2.6 or newer was not found. Debian: apt-get install libdnnl-dev. Elsewhere: build it from "
      "https://github.com/oneapi-src/oneDNN and pass -DCMAKE_PREFIX_PATH=/its/prefix; or do without "
      "it: -DFAULTLINE_ONEDNN=OFF.")
  else()
    set(FAULTLINE_ONEDNN OFF)
    message(STATUS "oneDNN 2.6 or newer was not found: networks run on the backend \"cpu\" alone")
  endif()
endif()

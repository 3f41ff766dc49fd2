# Finds oneDNN and defines the target faultline_onednn; FAULTLINE_ONEDNN says whether it exists.
# Without it there is only the slower backend "cpu".
option(FAULTLINE_ONEDNN "Compute networks on the CPU with oneDNN" ON)
if(FAULTLINE_ONEDNN)
  find_package(dnnl 2.6 CONFIG)
  if(dnnl_FOUND)
    find_package(OpenMP REQUIRED COMPONENTS CXX)  # the threads of Debian's oneDNN
    add_library(faultline_onednn INTERFACE)
    # Linked only: our own loops do not use OpenMP's threads.
    target_link_libraries(faultline_onednn INTERFACE DNNL::dnnl $<LINK_ONLY:OpenMP::OpenMP_CXX>)
    message(STATUS "oneDNN ${dnnl_VERSION} (${dnnl_DIR})")
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT EMSCRIPTEN)
    message(FATAL_ERROR
      "oneDNN was not found. Debian: apt-get install libdnnl-dev. Elsewhere: build it from "
      "https://github.com/oneapi-src/oneDNN and pass -DCMAKE_PREFIX_PATH=/its/prefix; or do without "
      "it: -DFAULTLINE_ONEDNN=OFF.")
  else()
    set(FAULTLINE_ONEDNN OFF)
    message(STATUS "oneDNN was not found: networks run on the backend \"cpu\" alone")
  endif()
endif()

# Finds oneDNN and defines the target faultline_onednn; FAULTLINE_ONEDNN says whether it exists.
# Without it there is only the slower backend "cpu".
find_package(dnnl 2.6 CONFIG)
set(FAULTLINE_ONEDNN ${dnnl_FOUND})
if(FAULTLINE_ONEDNN)
  find_package(OpenMP REQUIRED COMPONENTS CXX)  # the threads of Debian's oneDNN
  add_library(faultline_onednn INTERFACE)
  # Linked only: our own loops do not use OpenMP's threads.
  target_link_libraries(faultline_onednn INTERFACE DNNL::dnnl $<LINK_ONLY:OpenMP::OpenMP_CXX>)
  message(STATUS "oneDNN ${dnnl_VERSION} (${dnnl_DIR})")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT EMSCRIPTEN)
  message(FATAL_ERROR
    "oneDNN was not found. Debian: apt-get install libdnnl-dev. Elsewhere: build it from "
    "https://github.com/oneapi-src/oneDNN and pass -DCMAKE_PREFIX_PATH=/its/prefix.")
else()
  message(STATUS "oneDNN was not found: networks run on the backend \"cpu\" alone")
endif()

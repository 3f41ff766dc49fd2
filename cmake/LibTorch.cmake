# Finds LibTorch and defines the target faultline_torch. Search order: Torch_DIR or CMAKE_PREFIX_PATH
# as given, the torch of an importable Python, the system's.

# What an earlier configuration found is also cached as Torch_DIR; that is not a user setting.
if(Torch_DIR AND NOT Torch_DIR STREQUAL FAULTLINE_TORCH_FOUND_IN)
  set(FAULTLINE_TORCH_ORIGIN "Torch_DIR" CACHE INTERNAL "Where the LibTorch in use was found")
elseif(NOT Torch_DIR)
  string(REPLACE ":" ";" faultline_environment_prefixes "$ENV{CMAKE_PREFIX_PATH}")
  find_path(faultline_torch_dir TorchConfig.cmake
    PATHS ${CMAKE_PREFIX_PATH} ${faultline_environment_prefixes}
    PATH_SUFFIXES Torch share/cmake/Torch lib/cmake/Torch cmake/Torch
    NO_DEFAULT_PATH NO_CACHE)
  set(FAULTLINE_TORCH_ORIGIN "CMAKE_PREFIX_PATH" CACHE INTERNAL "")

  if(NOT faultline_torch_dir)
    unset(faultline_torch_dir)
    find_program(FAULTLINE_PYTHON NAMES python3 python)
    if(FAULTLINE_PYTHON)
      execute_process(
        COMMAND ${FAULTLINE_PYTHON} -c "import torch; print(torch.utils.cmake_prefix_path)"
        OUTPUT_VARIABLE faultline_python_prefix OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    find_path(faultline_torch_dir TorchConfig.cmake
      PATHS ${faultline_python_prefix}/Torch NO_DEFAULT_PATH NO_CACHE)
    set(FAULTLINE_TORCH_ORIGIN "the torch of ${FAULTLINE_PYTHON}" CACHE INTERNAL "")
  endif()

  if(NOT faultline_torch_dir)
    unset(faultline_torch_dir)
    find_path(faultline_torch_dir TorchConfig.cmake
      PATHS /usr /usr/local /opt/libtorch
      PATH_SUFFIXES lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/Torch share/cmake/Torch lib/cmake/Torch
      NO_DEFAULT_PATH NO_CACHE)
    set(FAULTLINE_TORCH_ORIGIN "the system's" CACHE INTERNAL "")
  endif()

  if(faultline_torch_dir)
    get_filename_component(faultline_torch_dir ${faultline_torch_dir} ABSOLUTE)  # no slash at its end
    set(Torch_DIR ${faultline_torch_dir} CACHE PATH "Folder of the LibTorch to use" FORCE)
    set(FAULTLINE_TORCH_FOUND_IN ${faultline_torch_dir} CACHE INTERNAL "")
  endif()
endif()

if(NOT EXISTS ${Torch_DIR}/TorchConfig.cmake)
  message(FATAL_ERROR
    "LibTorch was not found. Debian 12: apt-get install libtorch-dev. Elsewhere: pip install torch, "
    "or unpack https://pytorch.org's LibTorch and pass -DCMAKE_PREFIX_PATH=/path/to/libtorch. "
    "To build only what needs no network: -DFAULTLINE_TORCH=OFF.")
endif()

# Wheels before 2.7 use the old std::string ABI. All other libraries of this program use the new one.
file(STRINGS ${Torch_DIR}/TorchConfig.cmake faultline_torch_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
if(faultline_torch_abi)
  message(FATAL_ERROR
    "The LibTorch in ${Torch_DIR} was built with the old std::string ABI, which the other libraries "
    "of this program do not use. Use a wheel of 2.7 or newer, or the cxx11-ABI LibTorch archive.")
endif()
file(STRINGS ${Torch_DIR}/TorchConfigVersion.cmake faultline_torch_version
  REGEX "set *\\(PACKAGE_VERSION ")
string(REGEX REPLACE ".*\"([^\"]*)\".*" "\\1" faultline_torch_version "${faultline_torch_version}")
message(STATUS "LibTorch ${faultline_torch_version}: ${FAULTLINE_TORCH_ORIGIN} (${Torch_DIR})")

add_library(faultline_torch INTERFACE)
# Before LibTorch, so that its symbols are found first: wheels from LibTorch 2.5 on export pieces of an
# older std::filesystem, with which remove_all crashes (github.com/pytorch/pytorch/issues/133437).
set(faultline_standard_library -Wl,--push-state,--no-as-needed,-lstdc++,--pop-state)
get_filename_component(faultline_torch_prefix ${Torch_DIR}/../../.. ABSOLUTE)
if(EXISTS ${faultline_torch_prefix}/lib/libtorch_cuda.so)
  # LibTorch's own package file would require the CUDA toolkit and its compiler. Nothing here is
  # CUDA source: the libraries are enough. They find the CUDA libraries through their run paths.
  target_include_directories(faultline_torch SYSTEM INTERFACE
    ${faultline_torch_prefix}/include
    ${faultline_torch_prefix}/include/torch/csrc/api/include)
  set(faultline_torch_libraries "")
  foreach(library torch torch_cpu torch_cuda c10 c10_cuda)
    list(APPEND faultline_torch_libraries ${faultline_torch_prefix}/lib/lib${library}.so)
  endforeach()
  # libtorch_cuda registers itself and none of its symbols is referenced, so the linker must be told
  # to keep it.
  target_link_libraries(faultline_torch INTERFACE
    ${faultline_standard_library}
    -Wl,--no-as-needed ${faultline_torch_libraries} -Wl,--as-needed
    -Wl,--unresolved-symbols=ignore-in-shared-libs)
  # CUDA's headers are for model/inference/stream_recorder.cpp alone, which does without if they are
  # absent or do not fit: those of a toolkit, or of the packages that Python's torch depends on (which
  # may be incomplete).
  set(FAULTLINE_CUDA_INCLUDE "" CACHE PATH "Folder of CUDA's headers; empty: where it is found")
  set(faultline_cuda_headers ${FAULTLINE_CUDA_INCLUDE})
  if(NOT FAULTLINE_CUDA_INCLUDE)
    foreach(pattern $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda
        ${faultline_torch_prefix}/../nvidia/cu[0-9]* ${faultline_torch_prefix}/../nvidia/cuda_runtime)
      file(GLOB found ${pattern}/include/cuda_runtime_api.h)
      list(TRANSFORM found REPLACE "/cuda_runtime_api.h$" "")
      list(APPEND faultline_cuda_headers ${found})
    endforeach()
  endif()
  include(CheckCXXSourceCompiles)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  set(CMAKE_REQUIRED_QUIET ON)
  foreach(folder ${faultline_cuda_headers})
    if(NOT FAULTLINE_CUDA_GRAPHS)
      unset(faultline_cuda_headers_fit CACHE)
      set(CMAKE_REQUIRED_INCLUDES ${faultline_torch_prefix}/include
        ${faultline_torch_prefix}/include/torch/csrc/api/include ${folder})
      # Before 2.7 graphs cannot be replayed while another thread captures one.
      check_cxx_source_compiles("
        #include <ATen/cuda/CUDAGraph.h>
        #include <torch/version.h>
        static_assert(TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 7);
        void record(at::cuda::CUDAGraph& graph) {
          graph.capture_begin(at::cuda::graph_pool_handle(), cudaStreamCaptureModeThreadLocal);
        }" faultline_cuda_headers_fit)
      if(faultline_cuda_headers_fit)
        set(FAULTLINE_CUDA_GRAPHS ON)
        set(FAULTLINE_CUDA_HEADERS ${folder})
      endif()
    endif()
  endforeach()
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_QUIET)
  if(FAULTLINE_CUDA_GRAPHS)
    message(STATUS "CUDA's headers: ${FAULTLINE_CUDA_HEADERS}")
  else()
    message(STATUS "Batches are not recorded for the GPU, which makes small networks slower: no CUDA "
      "headers that fit this LibTorch (-DFAULTLINE_CUDA_INCLUDE=/path/to/cuda/include)")
  endif()
else()
  find_package(Torch REQUIRED)
  # Torch's flags would propagate to every target that links it; none of them is needed.
  foreach(target torch torch_library torch_cpu torch_cpu_library c10)
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES INTERFACE_COMPILE_OPTIONS "")
    endif()
  endforeach()
  target_include_directories(faultline_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(faultline_torch INTERFACE ${faultline_standard_library} ${TORCH_LIBRARIES})
endif()

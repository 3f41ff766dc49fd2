# Finds LibTorch and defines the target faultline_torch. Looked for in this order:
# CMAKE_PREFIX_PATH or Torch_DIR as given, the torch of an importable Python, the system's.
set(faultline_torch_origin "")

# NO_* switches leave what the user named, so that the message below can tell who won.
if(Torch_DIR AND EXISTS ${Torch_DIR}/TorchConfig.cmake)
  set(faultline_torch_origin "Torch_DIR")
else()
  find_path(FAULTLINE_TORCH_PREFIXED TorchConfig.cmake
    PATHS ${CMAKE_PREFIX_PATH} $ENV{CMAKE_PREFIX_PATH}
    PATH_SUFFIXES Torch share/cmake/Torch lib/cmake/Torch cmake/Torch
    NO_DEFAULT_PATH NO_CACHE)
  if(FAULTLINE_TORCH_PREFIXED)
    set(Torch_DIR ${FAULTLINE_TORCH_PREFIXED})
    set(faultline_torch_origin "CMAKE_PREFIX_PATH")
  endif()
endif()

if(NOT faultline_torch_origin)
  find_program(FAULTLINE_PYTHON NAMES python3 python)
  if(FAULTLINE_PYTHON)
    execute_process(
      COMMAND ${FAULTLINE_PYTHON} -c "import torch; print(torch.utils.cmake_prefix_path)"
      OUTPUT_VARIABLE faultline_python_prefix OUTPUT_STRIP_TRAILING_WHITESPACE
      RESULT_VARIABLE faultline_python_failed ERROR_QUIET)
    if(NOT faultline_python_failed AND
       EXISTS ${faultline_python_prefix}/Torch/TorchConfig.cmake)
      set(Torch_DIR ${faultline_python_prefix}/Torch)
      set(faultline_torch_origin "the torch of ${FAULTLINE_PYTHON}")
    endif()
  endif()
endif()

# A build with CUDA looks for the toolkit's compiler through this variable's CMake module, which
# we do not need: nothing here is CUDA source.
find_package(Torch QUIET)
if(NOT Torch_FOUND)
  message(FATAL_ERROR
    "LibTorch was not found. Debian 12: apt-get install libtorch-dev. Elsewhere: pip install torch, "
    "or unpack https://pytorch.org's LibTorch and pass -DCMAKE_PREFIX_PATH=/path/to/libtorch. "
    "To build only what needs no network: -DFAULTLINE_TORCH=OFF.")
endif()
if(NOT faultline_torch_origin)
  set(faultline_torch_origin "the system's")
endif()
message(STATUS "LibTorch ${Torch_VERSION}: ${faultline_torch_origin} (${Torch_DIR})")

# Torch's own flags would reach every target that links it; of TORCH_CXX_FLAGS only the choice of
# std::string's ABI matters (the wheels before 2.7 use the old one), and then all of the program
# has to follow it.
add_library(faultline_torch INTERFACE)
if(TORCH_CXX_FLAGS MATCHES "-D_GLIBCXX_USE_CXX11_ABI=0")
  message(FATAL_ERROR
    "This LibTorch (${Torch_DIR}) was built with the old std::string ABI, which the other libraries "
    "of this program do not have. Use a wheel of 2.7 or newer, or the cxx11-ABI LibTorch archive.")
endif()
foreach(target torch torch_library torch_cpu torch_cpu_library torch_cuda torch_cuda_library c10
        c10_cuda)
  if(TARGET ${target})
    get_target_property(flags ${target} INTERFACE_COMPILE_OPTIONS)
    if(flags)
      list(FILTER flags EXCLUDE REGEX "D_GLIBCXX_USE_CXX11_ABI|^-W|^-std")
      set_target_properties(${target} PROPERTIES INTERFACE_COMPILE_OPTIONS "${flags}")
    endif()
  endif()
endforeach()
target_include_directories(faultline_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
target_link_libraries(faultline_torch INTERFACE ${TORCH_LIBRARIES})

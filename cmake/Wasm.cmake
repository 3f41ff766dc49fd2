# The libraries of the build for WebAssembly (preset wasm, scripts/setup --wasm; its sources are in web/wasm): only those
# that are headers, and none of this machine's own.
set(headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
# One by one: the folder that they lie in also has this machine's C library.
foreach(name fmt nlohmann toml++ xxhash.h eigen3/Eigen)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "/usr/include/${name} is missing: run scripts/setup")
  endif()
  cmake_path(GET name FILENAME link)
  file(CREATE_LINK /usr/include/${name} ${headers}/${link} SYMBOLIC)
endforeach()
target_include_directories(faultline_options SYSTEM INTERFACE ${headers})
target_compile_definitions(faultline_options INTERFACE FMT_HEADER_ONLY XXH_INLINE_ALL)
target_compile_options(faultline_options INTERFACE -include ${PROJECT_SOURCE_DIR}/base/compat/libcxx13.h)

# A std::size_t of 32 bits cannot count the bytes of the largest tree. In a copy, so that the other builds keep theirs.
file(READ ${PROJECT_SOURCE_DIR}/search/node_memory.h text)
string(REPLACE "((std::size_t{1} << 32) - 64) * kUnit" "std::size_t{1} << 30" text "${text}")
if(NOT text MATCHES "kMostBytes = std::size_t{1} << 30;")
  message(FATAL_ERROR "search/node_memory.h: kMostBytes is not what cmake/Wasm.cmake expects")
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/narrow/search/node_memory.h CONTENT "${text}" @ONLY)
target_include_directories(faultline_options BEFORE INTERFACE ${PROJECT_BINARY_DIR}/narrow)

# Compiles as em++ does, without its second of Python for each file, and so that ccache knows the compiler.
set(sysroot /usr/share/emscripten/cache/sysroot)
find_program(FAULTLINE_CLANG NAMES clang++-14 REQUIRED NO_CMAKE_FIND_ROOT_PATH)
set(CMAKE_CXX_COMPILE_OBJECT "${FAULTLINE_CLANG} -target wasm32-unknown-emscripten --sysroot=${sysroot} -DEMSCRIPTEN \
-D_LIBCPP_ABI_VERSION=2 -Dunix -D__unix -D__unix__ -fvisibility=default -fno-threadsafe-statics \
-mllvm -combiner-global-alias-analysis=false -mllvm -enable-emscripten-sjlj -mllvm -disable-lsr \
-Xclang -iwithsysroot/include/compat <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")

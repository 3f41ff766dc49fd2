# Cross-compiles for 64-bit Arm under Debian, whose libraries for it lie beside this machine's
# (`scripts/setup --aarch64` installs them). With qemu-user-static the tests run, too.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
find_program(FAULTLINE_QEMU NAMES qemu-aarch64-static qemu-aarch64)
if(FAULTLINE_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${FAULTLINE_QEMU})
endif()
# pkg-config would otherwise describe this machine's own libraries.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)

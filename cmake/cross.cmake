# Builds by a cross compiler of Debian's, with the libraries that packaging/sysroot.sh unpacked. A file that includes
# this one says for what: `architecture` is Debian's name, `processor` that of the compiler and of the emulator.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
set(CMAKE_CXX_COMPILER ${processor}-linux-gnu-g++)
set(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot-${architecture})
# Before those of the compiler's packages, which may be of an earlier release.
set(CMAKE_EXE_LINKER_FLAGS_INIT -L${CMAKE_SYSROOT}/usr/lib/${processor}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${processor}-static -L ${CMAKE_SYSROOT})

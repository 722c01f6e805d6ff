# One interface target carries the compiler's rules for every module.
add_library(reveal_flags INTERFACE)
target_compile_options(reveal_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-qual -Wformat=2 -Wimplicit-fallthrough)
# Whoever builds to use it, with whatever compiler, is not stopped by a warning; whoever tests is.
# Sanitizers make GCC warn of what is not there.
if((REVEAL_TESTS OR REVEAL_BENCH) AND NOT REVEAL_SANITIZE)
  target_compile_options(reveal_flags INTERFACE -Werror)
endif()
# GCC 12 sees overlap in any assignment of a literal to a string, optimized (its bug 105651).
if(NOT REVEAL_TESTS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(reveal_flags INTERFACE -Wno-restrict)
endif()
# In joined sources a local name may hide what another source has, and a source is taken for a header.
if(REVEAL_JOINED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(reveal_flags INTERFACE -Wno-shadow -Wshadow=local -Wno-subobject-linkage)
endif()
if(REVEAL_JOINED AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(reveal_flags INTERFACE -Wno-shadow)
endif()
# OpenSSL's macros cast as old C does.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(reveal_flags INTERFACE -Wno-cast-qual)
endif()
# Results must be the same on every machine: no contraction into fused multiply-adds.
target_compile_options(reveal_flags INTERFACE -ffp-contract=off)
target_compile_definitions(reveal_flags INTERFACE REVEAL_VERSION="${PROJECT_VERSION}")
# GCC tells there of each pair that is passed otherwise than by a version of it long ago.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(reveal_flags INTERFACE -Wno-psabi)
  # Highway's NEON vectors ask for AES, also in constructors that the library's arrays of them have by themselves.
  # Nothing here encrypts, so no such instruction is in the program.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/feature/registry.cc PROPERTIES
    COMPILE_OPTIONS -march=armv8-a+crypto)
endif()
# GCC calls a library there for atomics of less than a word, which later versions do without.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "riscv64" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND
   CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  target_link_libraries(reveal_flags INTERFACE atomic)
endif()
if(REVEAL_SANITIZE)
  target_compile_definitions(reveal_flags INTERFACE REVEAL_SANITIZED)
  target_compile_options(reveal_flags INTERFACE
    -fsanitize=${REVEAL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # Checks at every use of a pointer, which the address sanitizer makes too: a fifth of the compile time.
  if(REVEAL_SANITIZE MATCHES "address.*undefined")
    target_compile_options(reveal_flags INTERFACE -fno-sanitize=null,object-size,vptr)
    # Tests read no bytes of others: a third of their compile time.
    target_compile_options(reveal_flags INTERFACE
      $<$<BOOL:$<TARGET_PROPERTY:REVEAL_IS_TEST>>:-fno-sanitize=alignment>)
  endif()
  # Functions of NVIDIA's library are called by types of our own, which are laid out alike.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(reveal_flags INTERFACE -fno-sanitize=function)
  endif()
  # Most tests wait or compare, and take longer to optimize than to run.
  target_compile_options(reveal_flags INTERFACE
    $<$<AND:$<BOOL:$<TARGET_PROPERTY:REVEAL_IS_TEST>>,$<NOT:$<BOOL:$<TARGET_PROPERTY:REVEAL_TEST_COMPUTES>>>>:-O0>)
  target_link_options(reveal_flags INTERFACE -fsanitize=${REVEAL_SANITIZE})
  # The data of checks is full of addresses. A program that may stand anywhere puts a million of them right
  # whenever it starts, which is a third of the time that a short command takes.
  if(REVEAL_SANITIZE MATCHES "address")
    target_link_options(reveal_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
endif()
# The programs of tests are many, and with a sanitizer 180 MB each: lld takes less than half as long as ld.
find_program(REVEAL_LLD ld.lld)
if(REVEAL_LLD AND REVEAL_TESTS)
  target_link_options(reveal_flags INTERFACE -fuse-ld=lld)
endif()
# Where it was built says nothing to whom it is handed to, and makes two builds differ. The options are those
# that Debian builds its own programs with.
if(REVEAL_PACKAGE)
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build
    -fstack-protector-strong -Wformat -Werror=format-security -Wdate-time)
  add_compile_definitions(_FORTIFY_SOURCE=2)
  add_link_options(-Wl,-z,relro -Wl,-z,now)
endif()

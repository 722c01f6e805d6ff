# Builds for 64-bit RISC-V.
set(architecture riscv64)
set(processor riscv64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)

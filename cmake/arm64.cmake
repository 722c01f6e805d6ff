# Builds for 64-bit Arm.
set(architecture arm64)
set(processor aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)

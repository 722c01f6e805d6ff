# One interface target carries the compiler's rules for every module.
add_library(reveal_flags INTERFACE)
target_compile_options(reveal_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-qual -Wformat=2 -Wimplicit-fallthrough)
# Results must be the same on every machine: no contraction into fused multiply-adds.
target_compile_options(reveal_flags INTERFACE -ffp-contract=off)
target_compile_definitions(reveal_flags INTERFACE REVEAL_VERSION="${PROJECT_VERSION}")
if(REVEAL_SANITIZE)
  target_compile_options(reveal_flags INTERFACE
    -fsanitize=${REVEAL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(reveal_flags INTERFACE -fsanitize=${REVEAL_SANITIZE})
endif()

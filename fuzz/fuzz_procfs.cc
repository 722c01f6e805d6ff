// Feeds any text to every parser of kernel files; the first byte chooses the parser.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "procfs_parsers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  reveal::fuzz::procfs_parser_of(bytes[0]).parse(text);
  return 0;
}

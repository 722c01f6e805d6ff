// Feeds any text to every parser of kernel files. The cases stand in the parsers' own tests
// (procfs/testing/parser_case.h), which are linked. The first byte chooses one: '0' the first of
// ParserCase::all(), '1' the second and so on, round and round, so that every byte chooses one.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "procfs/testing/parser_case.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const auto cases = reveal::procfs::ParserCase::all();
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const auto place = static_cast<std::uint8_t>(bytes[0] - '0');
  cases[place % cases.size()]->parse(text);
  return 0;
}

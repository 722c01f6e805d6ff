// The parsers of kernel files as the fuzzer drives them. The first byte of an input chooses the
// parser: '0' the first, '1' the second and so on, round and round, so that every byte chooses one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace reveal::fuzz {

struct ProcfsParser {
  std::string_view file;  // of which it is the parser, and of which its seed is made: "proc/stat"
  void (*parse)(std::string_view text);  // aborts where what holds for any text does not
};

// Returns all parsers, in the order of their seeds' first bytes.
std::span<const ProcfsParser> procfs_parsers();

// Returns the parser that an input with this first byte reaches.
const ProcfsParser& procfs_parser_of(std::uint8_t first_byte);

}  // namespace reveal::fuzz

// Which processor this is, from /proc/cpuinfo: the three numbers by which x86 vendors number their
// event tables. Arm's text has other keys, and gives nothing here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reveal::procfs {

struct Processor {
  std::string vendor;  // "GenuineIntel"
  std::uint64_t family = 0;
  std::uint64_t model = 0;
};

// Returns what the text says of the first core; nothing if one of the three is missing.
std::optional<Processor> parse_processor(std::string_view cpuinfo);

}  // namespace reveal::procfs

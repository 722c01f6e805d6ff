// Values as people would type them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reveal::settings {

// Return what parse_duration() and parse_byte_count() read as just this: "90s", "1536MiB".
// REQUIRES: above 0.
std::string time_text(std::int64_t ns);
std::string size_text(std::uint64_t bytes);

// Returns what stands between commas.
std::vector<std::string> split_names(std::string_view list);

}  // namespace reveal::settings

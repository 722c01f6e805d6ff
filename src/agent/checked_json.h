// The checksum that a JSON file has of itself: its last member, over all bytes before it. So a byte
// that became another one is noticed, also in a number or a sentence. Who reads JSON need not know:
//
//   {"id":"...","open":false,"crc32":"5f6b0c2a"}
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reveal::agent {

// Returns the CRC-32 of zlib, as eight hexadecimal digits.
std::string crc32_text(std::string_view bytes);

// Returns the JSON with one more member, a text without quotes, at its end. REQUIRES: `json` is an
// object with a member, on one line or indented by two.
std::string with_member(std::string_view json, std::string_view key, std::string_view value);

// Returns the JSON with its checksum, and a newline at its end. REQUIRES: as with_member().
std::string with_checksum(std::string_view json);

// Returns the JSON of the file `where` without its checksum; as it is if it has none, because an
// older Reveal wrote it. Fails with kCorrupt if the checksum is that of another text.
base::Result<std::string> without_checksum(std::string text, const std::filesystem::path& where);

}  // namespace reveal::agent

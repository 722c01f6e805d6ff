// How much of a disk is left to the host's other programs: as people type it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reveal::settings {

struct FreeSpace {
  enum class Kind : std::uint8_t {
    kUsual,           // "auto": as is usual for a recording
    kUsualOfService,  // likewise for a service that is always there
    kBytes,           // "2GiB"
    kPercent,         // "10%", of the file system
  };

  Kind kind = Kind::kUsual;
  std::uint64_t amount = 0;  // bytes, or percent

  bool operator==(const FreeSpace&) const = default;
};

// Reads "auto", a size, a whole number of percent below 100, or a number, which is of MiB. Fails
// with kUsage for anything else.
base::Result<FreeSpace> parse_free_space(std::string_view text);

// Returns the text that parse_free_space() reads as this; "auto" for both that are usual.
std::string to_string(const FreeSpace& space);

}  // namespace reveal::settings

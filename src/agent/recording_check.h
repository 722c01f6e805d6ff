// Whether a recording is sound.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace reveal::agent {

// Damaged places of one recording that are listed; the rest is counted.
inline constexpr std::size_t kListedPlaces = 10;

struct RecordingCheck {
  std::uint64_t frames = 0;  // that can be read
  std::vector<base::Error> damage;
};

// Reads all records of the recording in `dir` and compares their checksums. `remedy` is what to do
// about damage. `is_whole`: it was written at once, so it must have been closed, too.
RecordingCheck check_recording(const std::filesystem::path& dir, const std::string& remedy,
                               bool is_whole);

}  // namespace reveal::agent

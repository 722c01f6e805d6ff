// What the agent keeps beside its recording, and what it takes on the disk: findings with their
// evidence, pins, the reports of days, and state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agent/paths.h"

namespace reveal::agent {

// In the order in which they go if there is no room.
enum class KeptKind : std::uint8_t {
  kEvidence,  // the frames around a finding
  kHistory,   // a finding, or the report of a day
  kPin,       // a stretch that somebody asked to keep
};

// What goes as a whole.
struct KeptItem {
  KeptKind kind = KeptKind::kEvidence;
  std::string order;  // by time: "2026/11/26/ID"
  std::vector<std::filesystem::path> paths;
  std::uint64_t bytes = 0;
};

struct KeptItems {
  std::uint64_t bytes = 0;       // of all, also of what never goes
  std::vector<KeptItem> items;   // in the order in which they go: by kind, the oldest first
  std::uint64_t pins_bytes = 0;  // of all pins, also of one that is being copied
  std::uint64_t unfinished_pins_bytes = 0;  // of that one alone
};

// Returns what is there. What cannot be read is left out.
KeptItems kept_items(const Paths& paths);

// Returns the bytes that a file or a folder and all below it take on the disk: by its blocks, or by
// its size if that is more. Links are not followed.
std::uint64_t bytes_below(const std::filesystem::path& path);

// Returns a number of bytes as people read it: "124 MiB".
std::string bytes_text(std::uint64_t bytes);

// Removes an item. In the place of evidence a note is left, as of `now_ns` (wall time), that it was
// there (evidence.h). What cannot be removed stays.
void remove_item(const KeptItem& item, std::int64_t now_ns);

}  // namespace reveal::agent

// The state file: a board's alerts as JSON, so that a restart goes on with them. It is written as
// one new file and read back whole.
//
//   {"format": "reveal alerts", "version": 1, "episodes": [{"labels": {...}, "begin_ns": ...,
//   ...}]}
//
// A file that is damaged, or not of this format, costs only itself: it is renamed and named, and
// the program begins without it. Then receivers of events may be told again of what is open now.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alert/episode.h"
#include "base/result.h"

namespace reveal::alert {

// Returns the episodes as the text of a state file.
std::string state_text(const std::vector<Episode>& episodes);

// Returns the episodes of such a text. Fails with kCorrupt if it is none.
base::Result<std::vector<Episode>> episodes_from(std::string_view text);

struct SavedState {
  std::vector<Episode> episodes;      // empty if there is no file
  std::optional<base::Error> damage;  // what was wrong with the file, and where it is now
};

// Reads a state file; one that cannot be used is renamed to FILE.damaged. Never fails for good.
SavedState read_state(const std::filesystem::path& file);

// Writes `text` as the state file, for its owner alone (0600). It is on the disk when this returns.
base::Result<void> write_state(const std::filesystem::path& file, std::string_view text);

}  // namespace reveal::alert

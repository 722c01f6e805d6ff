// One alert from its first sight to its end, with what each receiver was told of it. Board keeps
// these; board_json.h writes and reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "alert/alert.h"

namespace reveal::alert {

// So many ids an alert knows as its own: the latest, as the labels of older ones change no more.
inline constexpr std::size_t kMostIds = 32;

// What a receiver of events was told, or may have been told when the program was killed.
struct Told {
  std::optional<Severity> open;  // that it is open, and with this severity
  bool closed = false;
};

// What a receiver of state accepted last. Not kept over a restart: state is sent anew then.
struct Posted {
  std::int64_t at_ns = 0;
  Severity severity = Severity::kInfo;
  bool resolved = false;
};

// A severity that was left for a higher one. To Alertmanager that is another alert, which has
// ended.
struct FormerSeverity {
  Severity severity = Severity::kInfo;
  std::int64_t end_ns = 0;
};

struct Episode {
  Alert alert;  // with the texts of the latest sight; its begin and labels are those of the first
  std::string identity;
  std::vector<std::string> ids;          // of all that it was made of, the oldest first
  Severity severity = Severity::kInfo;   // the highest so far
  bool fired = false;                    // open for as long as it must be before anybody is told
  std::int64_t opened_ns = 0;            // when it was first seen
  std::int64_t last_open_ns = 0;         // when it was last seen open; keep-firing counts from here
  bool unseen = false;                   // it was not open at the latest look
  std::optional<std::int64_t> ended_ns;  // its end, if it is known and nothing was seen since
  std::optional<std::int64_t> closed_ns;  // when it was found closed; alert.end_ns is its end
  std::vector<FormerSeverity> former;
  std::map<std::string, Told> told;      // by the receiver's name
  std::map<std::string, Posted> posted;  // by the receiver's name

  bool is_open() const { return !closed_ns.has_value(); }
};

// Returns the name of an episode: the one that its alert brought, else its labels' fingerprint and
// when it was first seen.
std::string episode_id(const Episode& episode);

// Returns the episode's labels with a severity.
Labels labels_with(const Episode& episode, Severity severity);

// Returns about how many bytes an episode's texts take.
std::size_t bytes_of(const Episode& episode);

}  // namespace reveal::alert

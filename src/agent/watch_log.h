// When the agent watched, in which state, and what that cost: for whoever looks back on a day. It
// is kept over restarts, a file for each day (UTC): STATE/watched/2026-11-24.json.
//
// A stretch is as long as the state stays the same, and at most an hour. Between two processes lie
// some seconds; a longer pause is a time in which nobody watched. Windows of that time may still be
// judged afterwards, but nobody was told then.
//
// Not thread-safe. The caller brings the time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "digest/digest.h"
#include "serve/agent_state.h"

namespace reveal::agent {

inline constexpr std::int64_t kLongestPause_ns = 10'000'000'000;
inline constexpr std::size_t kDaysWatched = 40;  // that are kept
inline constexpr std::size_t kMostWatchedSpans =
    2000;  // of a day; a state that flutters ends there

// What the files have of a stretch of time.
struct WatchedTime {
  std::vector<digest::Watched> spans;    // in the order of time
  std::optional<std::int64_t> since_ns;  // the begin of the first stretch that is kept
  std::string host;                      // empty: nothing is known
  std::optional<std::vector<std::string>> missing_sources;  // as the latest file has it
};

class WatchLog {
 public:
  // Goes on with what the file of that day has. `now_ns` is wall time.
  WatchLog(std::filesystem::path folder, std::int64_t now_ns);

  // Takes the agent's state. To be called once a second or so, with the time of now.
  void take(const serve::AgentState& state, std::int64_t now_ns);

  // Writes the file of the day, and those that are complete since the last call; removes the
  // oldest.
  base::Result<void> save();

 private:
  using Process = std::pair<std::string, std::int64_t>;  // its role, and when it began

  double cpu_since(const std::vector<serve::ProcessUsage>& processes);
  void begin(const serve::AgentState& state, std::int64_t begin_ns, std::int64_t now_ns);
  base::Result<void> save_day(std::int64_t day);
  void remove_old();
  std::size_t spans_of(std::int64_t day) const;

  std::filesystem::path folder_;
  std::vector<digest::Watched> spans_;  // of the day, and those that are not saved yet
  std::string host_;
  std::vector<std::string> missing_;  // sources
  std::map<Process, double> cpu_s_;   // of the processes of the latest state
  std::int64_t seen_ns_ = 0;          // when the latest state was
  bool is_new_ = true;                // nothing was taken yet
};

// Fails if a file in the log's folder cannot be read, with kCorrupt if it is not that of a day.
base::Result<void> check_watched(const std::filesystem::path& file);

// Returns what is known of a stretch of at most a year.
WatchedTime load_watched(const std::filesystem::path& folder, std::int64_t from_ns,
                         std::int64_t to_ns);

}  // namespace reveal::agent

// What an agent tells about itself, as plain values: the metrics, the status and the page are made
// of this and of nothing else. The agent fills a new one every second and never changes it again,
// so any number of readers share it without a lock.
//
// An optional without a value, and a name that is not in a list, mean "not known". Nothing that is
// made of this tells an unknown number as 0.
//
// Times are nanoseconds since the epoch (UTC).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/histogram.h"
#include "serve/shown_state.h"

namespace reveal::serve {

// The ranges, in seconds, of what the agent measures of itself: a tick's lateness and cost, and the
// time from a window's end to its verdict.
inline constexpr double kTickBounds_s[] = {.0005, .001, .002, .005, .01, .02, .05, .1, .2};
inline constexpr double kVerdictBounds_s[] = {.1, .2, .5, 1, 1.2, 2, 5};

enum class RunState : std::uint8_t {
  kLearning,  // the baseline is not known yet
  kJudging,   // every window gets a verdict
  kDegraded,  // it goes on, but something is missing: `reason` says what
};

// Returns "learning", "judging" or "degraded".
std::string_view to_string(RunState state);

struct NamedCount {
  std::string name = {};  // a reason, or what is counted
  std::uint64_t count = 0;
};

struct NamedValue {
  std::string name = {};
  double value = 0;
};

struct RecorderState {
  std::optional<std::uint64_t> ticks = {};  // since the agent began
  std::vector<NamedCount> missed = {};      // ticks without a frame, by reason
  std::optional<std::int64_t> last_frame_wall_ns = {};
  std::optional<http::Histogram> lateness_s = {};  // from when a tick was due to when it began
  std::optional<http::Histogram> tick_s = {};      // processor time of a tick
};

// The channels of the last frame, by the state of their sample; `constant` ones never changed.
struct ChannelCounts {
  std::uint64_t fresh = 0;
  std::uint64_t stale = 0;
  std::uint64_t missing = 0;
  std::uint64_t constant = 0;
};

struct SourceState {
  std::string name = {};
  bool up = false;
  std::string why_not = {};           // and what to do about it; empty if it is up
  std::optional<double> read_s = {};  // that all readings took so far
};

struct StorageState {
  bool ready = false;  // frames are being stored
  std::optional<std::uint64_t> recording_bytes = {};
  std::optional<std::uint64_t> written_bytes = {};  // since the recorder began
  std::optional<std::uint64_t> free_bytes = {};     // of the file system
  std::string last_error = {};
};

// A detector as findings call it, and as people do.
struct DetectorName {
  std::string name = {};
  std::string label = {};
};

struct WindowState {
  std::optional<std::uint64_t> judged = {};
  std::vector<NamedCount> skipped = {};           // by reason
  std::optional<http::Histogram> latency_s = {};  // from a window's end to its verdict
  std::optional<std::int64_t> end_wall_ns = {};   // of the last window
  std::optional<double> strength = {};            // of the last window; from 1 on it would alarm
  std::optional<int> votes = {};                  // that there are
  std::vector<NamedValue> subsystem_share = {};   // of the last window, 0 to 1
  std::optional<std::int64_t> baseline_learnt_wall_ns = {};
  // The begin of the earlier run of a workload that windows are compared with.
  std::optional<std::int64_t> looks_like_wall_ns = {};
  std::vector<DetectorName> detectors = {};  // those of findings among them
};

struct FindingCount {
  std::string subsystem = {};
  std::string severity = {};
  std::uint64_t open = 0;
  std::uint64_t total = 0;  // that are over, since the judge began
};

struct Finding {
  std::string id = {};         // in the alphabet of base64url: letters, digits, - and _
  bool open = false;           // it goes on
  std::uint64_t revision = 1;  // grows with each change
  std::string subsystem = {};
  std::string severity = {};  // "minor", "moderate", "major" or "unknown"
  std::int64_t begin_wall_ns = 0;
  std::int64_t end_wall_ns = 0;  // of an open one: the end of its last window
  std::string claim = {};
  std::string json = {};  // an object without the keys id, open and revision; docs/report.md
};

struct ReceiverState {
  std::string name = {};
  std::uint64_t sent = 0;
  std::uint64_t failed = 0;
  std::uint64_t queued = 0;
  std::optional<std::int64_t> last_success_wall_ns = {};
  std::string last_error = {};
};

// How it goes to tell a fleet's broker of this host.
struct FleetState {
  std::string site = {};
  std::string host_id = {};     // empty: there is none, see `trouble`
  std::uint64_t published = 0;  // messages that the broker has
  std::uint64_t lost = 0;       // that it may not have; the recording has what they said
  std::uint64_t waiting = 0;
  std::int64_t owed_s = 0;   // seconds that the broker does not have yet
  std::string trouble = {};  // what is wrong now; empty if messages go out
  bool answers = false;      // the fleet may ask what this host shows
  std::uint64_t answered = 0;
  std::string answers_trouble = {};  // why it cannot; empty if it can
};

struct ConfigState {
  std::string hash = {};
  std::optional<bool> last_reload_ok = {};
  std::optional<std::int64_t> last_success_wall_ns = {};
  std::string last_error = {};  // with file and line
  // Keys that were changed but need a restart.
  std::optional<std::vector<std::string>> not_in_force = {};
};

// One of the processes that the agent consists of.
struct ProcessUsage {
  std::string name = {};
  std::optional<double> cpu_s = {};
  std::optional<std::uint64_t> resident_bytes = {};
  std::optional<std::uint64_t> open_files = {};
  std::optional<std::uint64_t> most_files = {};
  std::optional<std::int64_t> start_wall_ns = {};
};

struct AgentState {
  std::string version = {};
  std::string commit = {};  // may be empty
  std::string host = {};
  RunState state = RunState::kLearning;
  std::string reason = {};  // of the state; may be empty
  std::optional<std::int64_t> state_since_wall_ns = {};
  RecorderState recorder = {};
  std::optional<ChannelCounts> channels = {};
  std::vector<SourceState> sources = {};
  StorageState storage = {};
  WindowState windows = {};
  std::vector<FindingCount> finding_counts = {};
  std::vector<Finding> findings =
      {};  // open ones, and as many past ones as the agent keeps at hand
  std::vector<ReceiverState> receivers = {};
  std::optional<FleetState> fleet = {};  // nothing: the agent is not to tell a fleet
  ConfigState config = {};
  std::vector<ProcessUsage> processes = {};
  std::shared_ptr<const Past> past = {};
  std::shared_ptr<const std::vector<ChannelName>> channel_names = {};  // in the order of the frames
  std::vector<Users> users = {};
};

}  // namespace reveal::serve

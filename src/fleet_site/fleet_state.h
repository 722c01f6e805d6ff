// What an analyser tells about its fleet, as plain values: the page, the metrics, the events and
// most answers are made of this and of nothing else. The analyser fills a new one every second and
// never changes it again, so any number of readers share it without a lock.
//
// An optional without a value means "not known". Times are nanoseconds since the epoch (UTC).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fleet_site/shown_incident.h"
#include "http/histogram.h"
#include "peers/fleet.h"

namespace reveal::fleet_site {

enum class RunState : std::uint8_t {
  kStarting,  // the facts of hosts have not come, or no levels
  kJudging,
  kLate,      // behind the messages: nobody is accused
  kNoBroker,  // no messages come: `reason` says why
};

// Returns "starting", "judging", "late" or "no_broker".
std::string_view to_string(RunState state);

// The hosts of a group, in the order of their ids. It changes seldom, so many states share one.
struct GroupHosts {
  std::vector<std::string> ids = {};
  std::vector<std::string> names = {};
  std::vector<std::string> sites = {};
  std::vector<peers::Standing> standings = {};

  std::size_t size() const { return ids.size(); }
};

struct GroupState {
  std::string key = {};
  std::shared_ptr<const GroupHosts> hosts = {};         // never null
  std::size_t present = 0;                              // that told the second that was judged last
  std::optional<std::int64_t> judged_end_wall_ns = {};  // its end; nothing: none was judged
  bool is_certain = false;                              // hosts could have been accused in it
  bool is_judged_here = false;  // this analyser tells its incidents; else another one does
  std::size_t quantities = 0;   // that are compared
  std::size_t slow = 0;         // hosts in that second
  std::size_t incidents_open = 0;
  std::vector<std::uint8_t> marks = {};  // of its hosts, in their order (mark.h)
};

struct DatabaseState {
  std::string kind = "none";  // or "sqlite", "postgresql"
  std::size_t waiting = 0;    // things that are to be written
};

// What kept levels take (peers/kept_levels.h).
struct KeptState {
  std::size_t bytes = 0;
};

// Of this program.
struct ProcessState {
  std::optional<double> cpu_s = {};
  std::optional<std::uint64_t> resident_bytes = {};
  double publish_s = 0;  // processor time that all states took so far
  std::uint64_t published = 0;
};

// What became of alerts to a receiver.
struct ReceiverState {
  std::string name = {};
  std::uint64_t sent = 0;
  std::uint64_t failed = 0;
  std::uint64_t dropped = 0;  // that it will never be told of
  std::uint64_t queued = 0;
  std::optional<std::int64_t> last_success_wall_ns = {};
};

// What became of questions to hosts, which are asked through the broker.
struct QuestionState {
  std::uint64_t answered = 0;
  std::uint64_t away = 0;  // the host was not there, or did not answer in time
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;  // of the answers
};

struct FleetState {
  std::string host = {};                     // of the analyser
  std::string version = {};                  // of the program
  std::optional<std::int64_t> wall_ns = {};  // the broker's time; nothing: no message came
  RunState state = RunState::kStarting;
  std::string reason = {};  // empty if it judges
  DatabaseState database = {};
  peers::Fleet::StandingCounts standings{};  // hosts by standing, those in no group among them
  std::size_t hosts = 0;
  peers::FleetCounts counts = {};
  std::optional<http::Histogram> judged_after_s = {};  // by second of each host
  KeptState kept = {};
  ProcessState process = {};
  std::vector<ReceiverState> receivers = {};
  std::optional<QuestionState> questions = {};      // nothing: no host can be asked
  std::vector<GroupState> groups = {};              // by key
  std::shared_ptr<const ShownList> incidents = {};  // of this run, the newest first; never null
};

// Returns the group with this key; null if there is none.
const GroupState* find_group(const FleetState& state, std::string_view key);

// What a group's key says, for people: "role=train" is the role train.
struct GroupName {
  std::string_view kind;  // "job", "role", "hardware" or "other"
  std::string name;       // "job 4711", "role train, cluster a"
};
GroupName name_of_group(std::string_view key);

}  // namespace reveal::fleet_site

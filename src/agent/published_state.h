// What the agent tells of itself over HTTP: made anew each second from what its parts know.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/finding_log.h"
#include "agent/past_windows.h"
#include "agent/paths.h"
#include "agent/self_times.h"
#include "agent/users.h"
#include "alert/announcer.h"
#include "base/file_watch.h"
#include "live/history.h"
#include "record/shared_status.h"
#include "serve/agent_state.h"

namespace reveal::agent {

// What the state is made of.
struct StateSources {
  const live::History& history;
  const FindingLog& log;
  const SelfTimes& times;
  record::Recording::State recorder;
  std::vector<alert::ReceiverStatus> receivers;
  const Paths& paths;
  std::optional<serve::FleetState> fleet = {};  // nothing: nobody is told
  std::string web_trouble = {};                 // of the web side; may be empty
  std::int64_t configured_ns = 0;               // wall time at which the configuration was read
};

// What stays the same while the judge runs.
struct StateFacts {
  std::string version;  // of this program
  std::string commit;
  std::string config_hash = {};  // of the text of the configuration
  // Keys of reveal.toml that hold only after a restart.
  std::vector<std::string> not_in_force = {};
};

class StateMaker {
 public:
  explicit StateMaker(StateFacts facts) : facts_(std::move(facts)) {}

  // `now_ns` is wall time.
  std::shared_ptr<const serve::AgentState> make(const StateSources& from, std::int64_t now_ns);

 private:
  void set_state(const StateSources& from, std::int64_t now_ns, serve::AgentState& out);
  void name_channels(const live::History& history);
  void read_reload_error(const Paths& paths);
  serve::ConfigState config_of(const StateSources& from);
  void count_windows(const live::History& history, serve::AgentState& out);

  StateFacts facts_;
  std::uint64_t judged_ = 0;      // windows so far,
  std::uint64_t learning_ = 0;    // those without a verdict while what is usual was learned,
  std::uint64_t in_trouble_ = 0;  // and other ones
  std::int64_t judged_to_ns_ = 0;
  serve::RunState state_ = serve::RunState::kLearning;
  std::int64_t since_ns_ = 0;  // of that state; 0: before the first
  // Of the file that the next one was read from, if it could be read.
  std::optional<base::FileStamp> reload_stamp_;
  std::optional<std::string> reload_error_;  // nothing: the last reload did not fail
  PastWindows past_;
  UserReader users_;
  std::size_t named_ = 0;                                         // channels
  std::shared_ptr<const std::vector<serve::ChannelName>> names_;  // null before the first
};

}  // namespace reveal::agent

// The agent's side to its fleet: what the judge reads and finds goes to a broker, if there is one.
//
// Nothing here waits for the network, and nothing that is wrong with it ends the judge: the log and
// the agent's state say what it is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/host_watch.h"
#include "agent/paths.h"
#include "bus/publisher.h"
#include "fleet/level_stream.h"
#include "http/site.h"
#include "live/history.h"
#include "publish/host_publisher.h"
#include "relay/host_answers.h"
#include "serve/agent_state.h"
#include "settings/settings.h"

namespace reveal::agent {

// Returns the verdict on the window that ends last of those that end by `end_ns` (wall time);
// nothing if that ended long before, or nobody judged it.
std::optional<publish::HostVerdict> verdict_by(const live::History& history, std::int64_t end_ns);

// Returns what reads a part of a recording, also of one that grows.
publish::LateLevels::Open opener_of(const std::filesystem::path& recording);

// A trouble that the log is told of once it has lasted.
class LastingTrouble {
 public:
  enum class Say : std::uint8_t { kNothing, kTrouble, kItIsOver };

  // Returns what to say of the trouble of now, which is empty if there is none.
  Say update(const std::string& now, std::int64_t now_ns);

 private:
  bool is_said_ = false;
  std::int64_t since_ns_ = 0;  // 0: there is none
};

class FleetSide {
 public:
  // Begins to send if [fleet] names a broker. Buckets that begin before `now_ns` (wall time) were
  // told by the judge before this one, or are told from the recording.
  FleetSide(const settings::FleetSettings& settings, const Paths& paths, std::int64_t now_ns);

  // Returns what takes the recording's frames; nullptr if nobody is told.
  model::FrameSink* sink() { return stream_ ? &*stream_ : nullptr; }

  // Lets the fleet ask what `site` shows, which outlives it and nobody else asks, if [fleet] says
  // so.
  void answer(const settings::FleetSettings& settings, http::Site& site);

  // Sends what is new, after the frames that the sink took were judged. `now_ns` is wall time.
  void update(const HostWatch& watch, std::int64_t now_ns);

  // Writes what a restart needs. To be called at the end.
  void save();

  // Returns how it goes; nothing if nobody is to be told.
  std::optional<serve::FleetState> state() const;

  // Returns how long from `now_ns` (wall time) on it is to the next of the times that lie
  // `apart_ns` apart: those of other hosts lie elsewhere, so that not all send at once.
  std::int64_t until_turn_ns(std::int64_t now_ns, std::int64_t apart_ns) const;

 private:
  void start(const settings::FleetSettings& settings, const Paths& paths, std::int64_t now_ns);
  void fail(const std::string& why);
  void say_trouble(std::int64_t now_ns);
  void say_trouble_of_the_past();
  void say_trouble_of_answers(std::int64_t now_ns);
  base::Result<void> begin_answers(const settings::FleetSettings& settings, http::Site& site);
  std::string trouble_of_answers() const;
  std::string trouble() const;

  bool is_wanted_;
  std::string site_;
  std::string host_;     // its id; empty if there is none
  std::string failure_;  // why nothing is sent; empty if it is
  std::unique_ptr<bus::Publisher> publisher_;
  std::optional<fleet::LevelStream> stream_;
  std::optional<publish::HostPublisher> messages_;
  LastingTrouble said_;
  bool is_to_answer_ = false;
  std::string answers_failure_;  // why nobody can ask; empty if somebody can
  std::unique_ptr<relay::HostAnswers> answers_;
  LastingTrouble said_of_answers_;
  std::string said_of_the_past_;
};

}  // namespace reveal::agent

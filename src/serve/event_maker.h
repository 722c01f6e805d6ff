// What a stream tells of one state after another: each time the newest window, and what changed.
//
// | event | data |
// |---|---|
// | `window` | state, ticks, and the newest window's end, strength and shares; at most 1.5 KB |
// | `finding` | `kind`: open, update or close; `finding`: as /api/v1/findings/ID has it |
// | `gap` | `missed`: ticks without a frame since the event before |
//
// Not thread-safe. The caller brings the time.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "http/event_board.h"
#include "serve/agent_state.h"

namespace reveal::serve {

class EventMaker {
 public:
  using Clock = std::chrono::steady_clock;

  // While a finding goes on its figures change each second. They are told less often.
  static constexpr std::chrono::seconds kBetweenUpdates{5};

  // Returns the events of a state. Those of the first state tell no finding: who begins to read
  // asks for these.
  std::vector<http::Event> events_of(const AgentState& state, Clock::time_point now);

 private:
  struct Told {
    std::uint64_t revision = 0;
    bool open = false;
    Clock::time_point at = {};
  };

  void add_findings(const AgentState& state, Clock::time_point now, std::vector<http::Event>& out);
  void add_gap(const AgentState& state, std::vector<http::Event>& out);

  bool begun_ = false;
  std::uint64_t missed_ = 0;
  std::map<std::string, Told> told_;  // by the finding's id
};

}  // namespace reveal::serve

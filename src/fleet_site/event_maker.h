// What a stream tells of one state after another:
//
// | event | data |
// |---|---|
// | `fleet` | time, state, and of groups the second that was judged last, with the hosts' marks |
// | `incident` | `told`: opened, updated, closed or past; `incident`: as /api/v1/incidents/ID has
// it |
//
// A `fleet` event takes at most kMostFleetBytes. The marks of a fleet of up to kAlwaysWhole hosts
// are told as a whole (`marks`, a byte a host) each time, so who begins to read has them at once.
// Of a larger one a group's are told as a whole at first, each kWholeEvery and where much changed;
// in between as `changes`: of each host whose mark is another than in the event before, its place
// as two bytes, the low one first, and the mark. If there are too many groups for one event, those
// with open incidents or slow hosts come first, and the others take turns.
//
// Not thread-safe. The caller brings the time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fleet_site/fleet_state.h"
#include "fleet_site/mark.h"
#include "http/event_board.h"

namespace reveal::fleet_site {

class EventMaker {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kMostFleetBytes = 50'000;
  static constexpr std::size_t kAlwaysWhole = 12'000;  // 16 KB
  static constexpr std::chrono::seconds kWholeEvery{5};

  // Returns the events of a state: what is new of incidents, then the fleet. Those of the first
  // state tell no incident: who begins to read asks for these.
  std::vector<http::Event> events_of(const FleetState& state, Clock::time_point now);

 private:
  struct Told {
    std::shared_ptr<const GroupHosts> hosts;
    std::vector<Mark> marks;
    Clock::time_point whole_at = {};
  };

  std::string fleet_event(const FleetState& state, Clock::time_point now);
  std::string group_json(const GroupState& group, bool is_always_whole, Clock::time_point now);
  void add_incidents(const FleetState& state, std::vector<http::Event>& out);

  bool begun_ = false;
  std::map<std::string, Told> told_;  // by the group's key
  std::string turn_;                  // the key of the group that was told last in its turn
  std::shared_ptr<const ShownList> incidents_;
  std::map<std::string, std::uint32_t> revisions_;  // that were told, by the incident's id
};

}  // namespace reveal::fleet_site

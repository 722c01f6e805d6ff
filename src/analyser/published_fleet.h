// The fleet's state for those who watch it (fleet_site/fleet_state.h), made of the fleet itself.
// What seldom changes is made once. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alert/announcer.h"
#include "analyser/loop.h"
#include "fleet_site/fleet_state.h"
#include "fleet_site/host_json.h"
#include "fleet_site/run_incidents.h"
#include "peers/fleet.h"
#include "relay/host_pages.h"

namespace reveal::analyser {

// What is published besides the fleet itself.
struct Besides {
  std::vector<alert::ReceiverStatus> receivers{};
  std::optional<relay::AskedCounts> asked{};  // nothing: no host can be asked
};

class PublishedFleet {
 public:
  // `host` is this machine's name; `database` as open_database() has it.
  PublishedFleet(std::string host, std::string_view database);

  // Takes what is new of an incident.
  void take(const peers::News& news) { incidents_.take(news); }

  // Returns the state now.
  std::shared_ptr<const fleet_site::FleetState> state_of(const Loop& loop,
                                                         const Besides& besides = {});

 private:
  fleet_site::GroupState state_of(const peers::Group& group, std::int64_t now_ns);
  std::shared_ptr<const fleet_site::GroupHosts> hosts_of(const peers::Group& group,
                                                         std::int64_t now_ns);

  std::string host_;
  std::string database_;  // its kind
  fleet_site::RunIncidents incidents_;
  // By the group's key, as they were last.
  std::map<std::string, std::shared_ptr<const fleet_site::GroupHosts>, std::less<>> hosts_;
  double publish_s_ = 0;
  std::uint64_t published_ = 0;
};

// Returns "none", "sqlite" or "postgresql".
std::string_view kind_of_database(std::string_view where);

// Returns what is known of a host; nothing if there is none with that id. Its incidents are left
// out.
std::optional<fleet_site::HostDetail> detail_of(const peers::Fleet& fleet, std::string_view id,
                                                std::int64_t now_ns);

}  // namespace reveal::analyser

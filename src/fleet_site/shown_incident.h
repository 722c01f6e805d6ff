// Incidents as they are shown: their JSON, and what they are chosen by.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "peers/incident.h"

namespace reveal::fleet_site {

struct ShownIncident {
  std::string id = {};
  std::string group = {};
  std::vector<std::string> hosts = {};  // ids; none if it is of all
  std::int64_t onset_ns = 0;
  std::int64_t end_ns = 0;  // so far
  std::uint32_t revision = 1;
  bool is_open = true;
  std::string_view told = {};  // the word of peers::Told
  std::string sentence = {};
  std::string json = {};  // one line: docs/how_to/fleet.md has it
};

// The same incident in many states is one object.
using ShownList = std::vector<std::shared_ptr<const ShownIncident>>;

// A place in the order of incidents: the newest onset first.
struct IncidentPlace {
  std::int64_t onset_ns = 0;
  std::string id = {};

  friend auto operator<=>(const IncidentPlace&, const IncidentPlace&) = default;
};
inline IncidentPlace place_of(const ShownIncident& one) {
  return {one.onset_ns, one.id};
}

ShownIncident shown(const peers::News& news);
// Of the JSON that a database has of it. Fails with kCorrupt if it is none. `is_open` is what the
// database says: who ended while nobody looked is open in its JSON.
base::Result<ShownIncident> shown(std::string json, bool is_open);

}  // namespace reveal::fleet_site

// The answer of /api/v1/hosts/ID: what is known of one host.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "peers/host.h"
#include "peers/incident.h"
#include "wire/facts.h"

namespace reveal::fleet_site {

struct HostDetail {
  std::string id = {};
  std::string site = {};
  std::string group = {};  // empty: it is in none
  peers::Standing standing = peers::Standing::kUnknown;
  std::optional<std::int64_t> heard_wall_ns = {};  // when the broker had its last levels
  std::optional<double> clock_error_s = {};
  std::optional<wire::Facts> facts = {};
  std::vector<peers::UnlikeFact> unlike = {};              // what most of its peers have not
  std::map<std::string, peers::OwnFinding> findings = {};  // by id
  std::vector<std::string> incidents = {};                 // ids, the newest first
  peers::HostCounts counts = {};
};

std::string host_json(const HostDetail& host);

}  // namespace reveal::fleet_site

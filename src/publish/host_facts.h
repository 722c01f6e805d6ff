// What a host tells of itself: its facts, labels and the groups of peers that it belongs to, for
// good or as long as it has a job.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fleet/level_stream.h"
#include "model/frame.h"
#include "wire/facts.h"

namespace reveal::publish {

// What the host's configuration says of it.
struct HostLabels {
  std::string site;
  std::string role;                                         // empty: it is grouped by its hardware
  std::vector<std::pair<std::string, std::string>> labels;  // names and values
};

// NAMESPACE/OWNER of Kubernetes pods by their uids (pod_owner.h).
using PodOwners = std::map<std::string, std::string>;

// Returns the key of the group of hosts that do the same: of those with its role or, if it has
// none, with like hardware: processor, cores, memory to a twentieth, GPUs.
std::string group_of(const HostLabels& labels, const fleet::LevelStream& stream,
                     const model::RunFacts& latest);

// Returns its facts as they hold now; `latest` are those of the recorder that runs. The head is
// left empty.
wire::Facts facts_of(const HostLabels& labels, const fleet::LevelStream& stream,
                     const model::RunFacts& latest, const PodOwners& pods = {});

}  // namespace reveal::publish

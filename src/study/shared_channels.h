// The channels that several hosts have, and how far each host is from its peers in them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/quantity.h"
#include "study/host_course.h"
#include "study/peer_distance.h"
#include "study/study.h"

namespace reveal::study {

// A channel, and the hosts that have it.
struct SharedChannel {
  std::string name;
  std::string instance;
  fleet::Quantity quantity;
  // Neither a fact, which holds for a whole run, nor of a core, as it is chance on which one a job
  // runs, nor the recorder's own.
  bool is_ordinary = false;
  std::vector<std::size_t> hosts = {};  // their places among the recordings, in this order
  std::vector<SampleLevel> levels = {};
  std::vector<PeerDistance> distances = {};  // of a chosen channel

  // Returns the place in `hosts` of the one that is farthest from its peers. REQUIRES: distances.
  std::size_t farthest() const;
  double distance() const { return distances[farthest()].distance; }
};

// The recordings of several hosts, one each.
struct SharedChannels {
  std::vector<std::string> directories;
  std::vector<std::string> hosts = {};  // their names
  CommonTime time = {};
  std::map<std::string, SharedChannel> channels = {};
};

// Reads the recordings, one after the other, and adds to `out` what it has of them. Fails with
// kTooLittle if there is one, with kUsage if one is given twice, and as read_run() does.
base::Result<SharedChannels> shared_channels(const Request& request, Result& out);

// What of the channels is shown.
struct ChosenChannels {
  std::vector<SharedChannel> channels;  // the one with the farthest host first
  std::size_t shared = 0;               // that two hosts have, and that are asked for or ordinary
};

// Returns the channels that the request names, or, if it names none, the ordinary ones, of each
// metric the channel with the farthest host. Those in which a host is farthest from its peers are
// chosen: at most 12, or 50 of those that are named. Fails with kUsage if no two hosts have one.
base::Result<ChosenChannels> choose(const Request& request, const SharedChannels& all);

}  // namespace reveal::study

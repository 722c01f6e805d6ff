// What is simulated, as the driver (studies/fleet/sim.py) writes it: JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "tape.h"

namespace reveal::sim {

struct TapePlan {
  std::filesystem::path recording;
  std::vector<Span> avoid;  // in which something was wrong
};

// Hosts that are compared with one another, and do the same: all are made of one tape.
struct GroupPlan {
  std::string role;
  std::size_t tape = 0;
  std::size_t hosts = 0;
};

// From second `from_s` of the run on a host has the levels of its tape from `tape_from_ns` to
// `tape_to_ns`.
struct FaultPlan {
  std::size_t host = 0;
  std::size_t from_s = 0;
  std::int64_t tape_from_ns = 0;
  std::int64_t tape_to_ns = 0;
};

struct Plan {
  std::uint16_t port = 0;         // of the broker, on this machine
  std::filesystem::path ca_file;  // of its authority, in PEM; empty: no TLS
  std::size_t seconds = 0;
  std::uint64_t seed = 0;
  double noise = 0;          // spread of the noise, as a share of the level
  double host_factor = 0;    // spread of the logarithm of a host's factor
  double own_offset = 0;     // the same, of each of its quantities
  std::size_t shift_s = 0;   // how far hosts of a group may be shifted in time against each other
  std::size_t connects = 0;  // a second
  std::vector<TapePlan> tapes;
  std::vector<GroupPlan> groups;
  std::vector<FaultPlan> faults;  // by host, counted over the groups
};

// Fails with kUsage if it is malformed, with what is wrong.
base::Result<Plan> read_plan(const std::filesystem::path& file);

}  // namespace reveal::sim

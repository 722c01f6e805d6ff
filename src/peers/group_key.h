// In which groups a host is compared, by what it tells of itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wire/facts.h"

namespace reveal::peers {

// Returns the key of the group in which a host is compared that has no job: that of its role if it
// has one, else that of its hardware, else one that is made of its machine and its processors.
// Behind the label "cluster", if it has that.
std::string group_key(const wire::Facts& facts);

// A job that a host has.
struct HostJob {
  std::string group;          // the key of the group of the job's hosts, behind "cluster" likewise
  std::int64_t since_ns = 0;  // since when it has had it, by the broker's clock

  bool operator==(const HostJob&) const = default;
};

// Returns the jobs that a host tells, each once, by key; the broker took the message at
// `stored_ns`. Of one of which it does not say since when, that is then.
std::vector<HostJob> jobs_in(const wire::Facts& facts, std::int64_t stored_ns);

}  // namespace reveal::peers

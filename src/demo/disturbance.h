// The disturbances that a demonstration can make: real ones, each with an end, harmless to what
// else the machine does, and without rights that a user lacks.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "demo/memory_group.h"
#include "model/metric.h"

namespace reveal::demo {

// What a disturbance has made for itself and for the job.
struct Prepared {
  std::optional<MemoryGroup> group;  // the job runs in it, and reads data that stay in memory
};

struct Disturbance {
  std::string_view name;
  std::string_view what;  // a sentence's subject: "four threads of another process that ..."
  model::Subsystem subsystem;
  // Makes what it needs, before the job and its recorder start; null if that is nothing. Fails if
  // this host or this user has it not.
  base::Result<Prepared> (*prepare)();
  // Disturbs for so long, in a process of its own.
  base::Result<void> (*disturb)(const Prepared& prepared, std::chrono::milliseconds length);
};

// Returns all of them; the first is made unless another is asked for.
std::span<const Disturbance> disturbances();

// Returns the one of that name; null if there is none.
const Disturbance* find_disturbance(std::string_view name);

}  // namespace reveal::demo

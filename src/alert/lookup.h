// Names of hosts to addresses, within a deadline. The system's resolver has none: it may block for
// half a minute, and nothing interrupts it. So it runs on a thread of its own, which is left to
// itself, with all that it uses, if it takes longer.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/socket.h>

#include "alert/stop.h"
#include "base/result.h"

namespace reveal::alert {

using Deadline = std::chrono::steady_clock::time_point;

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

// Returns the addresses of a host for TCP, in the order in which to try them; at least one. Fails
// with kAbsent if there are none, the deadline passes, or `stop` asks.
base::Result<std::vector<Address>> look_up(const std::string& host, std::uint16_t port,
                                           Deadline deadline, const Stop& stop);

}  // namespace reveal::alert

// A network of this process's own that loses packets when told to: a network namespace whose
// loopback has netem as its queueing discipline. The machine's own network is not touched.
//
// A plain user gets the namespace with a user namespace around it, if the kernel lets him.
// https://man7.org/linux/man-pages/man8/tc-netem.8.html
#pragma once

#include <cstdint>

#include "base/result.h"

namespace reveal::demo {

// Moves this process, and those that it starts from now on, into a new network that has a loopback
// alone. Fails with kAbsent or kPermission if this host or this user has none. REQUIRES: one
// thread.
base::Result<void> enter_own_network();

// Makes the loopback of this process's network lose this share of its packets, at random; 0 makes
// it whole again. REQUIRES: enter_own_network() succeeded.
base::Result<void> lose_packets(double share);

}  // namespace reveal::demo

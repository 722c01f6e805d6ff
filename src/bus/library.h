// NATS' C library, loaded when a fleet is configured: a host without one needs neither it nor what
// it needs. Its header is needed to build, and says which version is loaded.
#pragma once

#include "base/result.h"
#include "bus/api.h"

namespace reveal::bus {

// Loads the library once: the one that REVEAL_NATS_LIB names if that is set, else where the system
// looks. It stays loaded: threads of its own outlive a connection. Fails with kAbsent if there is
// none, or one that lacks a function.
base::Result<const Api*> load_nats();

}  // namespace reveal::bus

// Subjects on which one connection alone hears.
#pragma once

#include <string>

#include "bus/options.h"

namespace reveal::bus {

// Returns what the inboxes of who this is begin with: a prefix of its own, so that nobody else may
// be allowed to read what it is told.
std::string inbox_prefix(const BrokerOptions& options);

// Returns a subject that nobody can guess.
std::string new_inbox(const BrokerOptions& options);

}  // namespace reveal::bus

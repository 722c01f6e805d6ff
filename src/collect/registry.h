// All collectors of Reveal, in the order in which they read. A new collector is its own file, with
// its row at the end, and one line in registry.cc.
#pragma once

#include <span>
#include <string_view>

#include "collect/collector.h"

namespace reveal::collect {

std::span<const CollectorDescriptor> registry();

// Returns the collector of that name; null if there is none.
const CollectorDescriptor* find_collector(std::string_view name);

}  // namespace reveal::collect

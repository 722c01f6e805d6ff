// All collectors of Reveal, in the order in which they read. A new collector is one line in
// registry.cc and its own file.
#pragma once

#include <span>

#include "collect/collector.h"

namespace reveal::collect {

std::span<const CollectorDescriptor> registry();

}  // namespace reveal::collect

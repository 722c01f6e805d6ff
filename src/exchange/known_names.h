// Signals that other programs read from the same kernel files as Reveal, and Reveal's own names of
// them, by which detectors and patterns know them.
#pragma once

#include <string>
#include <string_view>

#include "exchange/mapping.h"

namespace reveal::exchange {

// Sets what `rule`, which renames nothing, leaves open of a known metric: its name here, kind and
// unit, and the key of its instance. Leaves others alone.
void take_known_name(std::string_view metric, const std::string& instance, MappingRule& rule);

}  // namespace reveal::exchange

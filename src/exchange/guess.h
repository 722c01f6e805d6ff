// What a metric of another program probably is, by its name and its samples. Guesses, which a
// mapping (mapping.h) overrules.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "exchange/gathering.h"
#include "model/metric.h"

namespace reveal::exchange {

struct GuessedUnit {
  std::string_view unit;
  double scale = 1.0;  // to a base unit: "(MiB)" is bytes times 2^20
};

// By what stands in brackets at the end of `name` ("Used [MiB]"), else by the end of `metric`
// ("_bytes", "_seconds_total"); no unit if neither says one.
GuessedUnit guess_unit(std::string_view name, std::string_view metric);

// Returns the word in brackets at the end of a name, or nothing.
std::string_view bracketed(std::string_view name);

// By the words in the metric's name, the instance's keys and the devices it names: gpu, then
// network, storage, memory and cpu; unknown if no word tells.
model::Subsystem guess_subsystem(std::string_view metric, std::string_view instance);

// By the instance's first key, and the subsystem for devices.
model::Scope guess_scope(std::string_view instance, model::Subsystem subsystem);

// A metric is a counter if its name ends in _total and it seldom falls, or if no word of its name
// says a level (temperature, power, used, ...) and it is of whole numbers of which none is below
// the one before and that rise at least three times, in every one of its series that moves; not if
// its unit is that of a level (celsius, ratio, ...). REQUIRES: samples in the order of time.
model::Kind guess_kind(std::string_view metric, std::string_view unit,
                       std::span<const Series* const> series);

// Returns "node_cpu_seconds_total" as the noun phrase "Node cpu seconds".
std::string guess_label(std::string_view metric);

}  // namespace reveal::exchange

// The descriptor that every derived metric has: a gauge of real numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/metric.h"

namespace reveal::derive {

// Returns it with these fields; the others as a descriptor has them.
constexpr model::MetricDescriptor derived_row(std::string_view name, std::string_view label,
                                              std::string_view unit, model::Subsystem subsystem,
                                              model::Scope scope, std::string_view source,
                                              std::string_view alias, std::string_view doc_url,
                                              std::string_view help, std::int16_t rank) {
  return {.name = name,
          .label = label,
          .unit = unit,
          .kind = model::Kind::kGauge,
          .repr = model::Repr::kF64,
          .subsystem = subsystem,
          .scope = scope,
          .source = source,
          .alias = alias,
          .doc_url = doc_url,
          .help = help,
          .rank = rank};
}

}  // namespace reveal::derive

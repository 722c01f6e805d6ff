// The one way in which a table makes its descriptors: what all rows of the table share is said
// once, and each row names what it says.
//
//   constexpr MetricOrigin kOrigin = {.subsystem = model::Subsystem::kNetwork, .doc_url = "..."};
//   constexpr model::MetricDescriptor kMetrics[] = {
//       describe(kOrigin, {.name = "network_conntrack_entries", .label = "Tracked connections", ...
#pragma once

#include <cstdint>
#include <string_view>

#include "model/metric.h"

namespace reveal::collect {

struct MetricOrigin {
  model::Subsystem subsystem = model::Subsystem::kCpu;
  model::Scope scope = model::Scope::kHost;
  std::string_view doc_url{};
};

// The members of model::MetricDescriptor that differ from row to row, and mean what they mean
// there.
struct MetricText {
  std::string_view name{};
  std::string_view label{};
  std::string_view unit{};
  model::Kind kind = model::Kind::kGauge;
  model::Repr repr = model::Repr::kU64;
  std::uint8_t counter_bits = 64;
  double scale = 1.0;
  std::string_view source{};
  std::string_view alias{};
  std::string_view help{};
  std::int16_t rank = 100;
};

constexpr model::MetricDescriptor describe(const MetricOrigin& origin, const MetricText& text) {
  model::MetricDescriptor out;
  out.name = text.name;
  out.label = text.label;
  out.unit = text.unit;
  out.kind = text.kind;
  out.repr = text.repr;
  out.subsystem = origin.subsystem;
  out.scope = origin.scope;
  out.counter_bits = text.counter_bits;
  out.scale = text.scale;
  out.source = text.source;
  out.alias = text.alias;
  out.doc_url = origin.doc_url;
  out.help = text.help;
  out.rank = text.rank;
  return out;
}

}  // namespace reveal::collect

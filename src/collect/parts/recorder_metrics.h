// The rows of what the recorder says of itself. They are shown, never scored: a recorder that slows
// down is a sign of something else, and that something has signals of its own.
#pragma once

#include "collect/parts/metric_rows.h"

namespace reveal::collect {

constexpr model::MetricDescriptor recorder_metric(model::Kind kind, model::Repr repr,
                                                  std::string_view unit, double scale,
                                                  std::string_view name, std::string_view label,
                                                  std::string_view source, std::string_view alias,
                                                  std::string_view help) {
  model::MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.repr = repr;
  out.subsystem = model::Subsystem::kCpu;
  out.scope = model::Scope::kRecorder;
  out.scale = scale;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://man7.org/linux/man-pages/man2/clock_gettime.2.html";
  out.help = help;
  out.rank = 500;
  return out;
}

}  // namespace reveal::collect

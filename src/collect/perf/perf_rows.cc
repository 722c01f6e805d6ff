#include "collect/perf/perf_rows.h"

#include <ctime>

namespace reveal::collect {
namespace {

model::Scope scope_of(perf::Part part) {
  switch (part) {
    case perf::Part::kCore:
      return model::Scope::kCore;
    case perf::Part::kPackage:
      return model::Scope::kDevice;
    case perf::Part::kHost:
      break;
  }
  return model::Scope::kHost;
}

}  // namespace

model::MetricDescriptor metric_of(const perf::EventDescriptor& event) {
  model::MetricDescriptor out;
  out.name = event.metric;
  out.label = event.label;
  out.unit = event.unit;
  out.kind = event.rare ? model::Kind::kEvent : model::Kind::kCounter;
  out.repr = event.sized ? model::Repr::kF64 : model::Repr::kU64;
  model::from_string(event.subsystem, out.subsystem);
  out.scope = scope_of(event.part);
  out.scale = event.scale;
  out.source = event.source;
  out.alias = perf::alias_of(event);
  out.doc_url = event.doc_url;
  out.help = event.help;
  out.rank = event.rank;
  return out;
}

std::vector<model::MetricDescriptor> metrics_of_events(
    std::span<const perf::EventDescriptor> events) {
  std::vector<model::MetricDescriptor> out;
  for (const auto& event : events) out.push_back(metric_of(event));
  return out;
}

base::Result<void> check_live(const procfs::HostRoot& root) {
  if (root.is_live()) return {};
  return base::fail(base::ErrorKind::kAbsent, "perf events belong to the running kernel only",
                    root.proc, "leave --proc-root at /proc");
}

std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

base::Error Absences::of(const model::MetricDescriptor& metric) const {
  const auto error = errors_.find(metric.name);
  if (error != errors_.end()) return error->second;
  return {base::ErrorKind::kAbsent, "never counted here", "", ""};
}

}  // namespace reveal::collect

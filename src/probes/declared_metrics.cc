#include "probes/declared_metrics.h"

#include <string_view>
#include <utility>

namespace reveal::probes {
namespace {

// The paper's pruning keeps what ranks lower: the kernel's own metrics, by which detectors and
// patterns know what is stalled, come before what only this host has.
constexpr std::int16_t kRank = 150;

model::MetricDescriptor descriptor_of(const Metric& metric) {
  model::MetricDescriptor out;
  out.name = metric.name;
  out.label = metric.label;
  out.unit = metric.unit;
  out.kind = metric.kind;
  out.repr = model::Repr::kF64;
  out.subsystem = metric.subsystem;
  out.scope = model::Scope::kDevice;
  out.scale = metric.scale;
  out.source = "[[probes.metric]] of reveal.toml";
  out.help = "Declared by the user of this host.";
  out.rank = kRank;
  return out;
}

}  // namespace

DeclaredMetrics::DeclaredMetrics(std::vector<Metric> metrics) : metrics_(std::move(metrics)) {
  for (const Metric& metric : metrics_) by_name_[metric.name].descriptor = descriptor_of(metric);
}

const model::MetricDescriptor* DeclaredMetrics::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second.descriptor;
}

bool DeclaredMetrics::claim(std::string_view name, const char* probe) const {
  auto& owner = by_name_.find(name)->second.probe;
  const char* nobody = nullptr;
  return owner.compare_exchange_strong(nobody, probe) ||
         std::string_view(nobody) == std::string_view(probe);
}

}  // namespace reveal::probes

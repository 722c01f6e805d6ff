#include "collect/gpu/nvml_metrics.h"

#include "collect/collector.h"
#include "collect/gpu/gpu_groups.h"
#include "gpu/shared_readings.h"

namespace reveal::collect {
namespace {

model::Kind kind_of(gpu::Kind kind) {
  switch (kind) {
    case gpu::Kind::kCounter:
      return model::Kind::kCounter;
    case gpu::Kind::kEvent:
      return model::Kind::kEvent;
    case gpu::Kind::kFact:
      return model::Kind::kStatic;
    case gpu::Kind::kGauge:
      break;
  }
  return model::Kind::kGauge;
}

}  // namespace

model::MetricDescriptor metric_of(const gpu::Signal& signal, model::Scope scope) {
  model::MetricDescriptor out;
  out.name = signal.metric;
  out.label = signal.label;
  out.unit = signal.unit;
  out.kind = kind_of(signal.kind);
  out.repr = signal.real ? model::Repr::kF64 : model::Repr::kU64;
  out.subsystem = model::Subsystem::kGpu;
  out.scope = scope;
  out.counter_bits = signal.counter_bits;
  out.scale = signal.scale;
  out.source = signal.source;
  out.alias = signal.alias;
  out.doc_url = "https://docs.nvidia.com/deploy/nvml-api/";
  out.help = signal.help;
  out.rank = signal.rank;
  return out;
}

MissingReason reason_of(const gpu::Signal& signal, int result) {
  switch (result) {
    case gpu::kNvmlFunctionNotFound:
      return {"the NVIDIA driver here has no such function", "install a newer NVIDIA driver"};
    case gpu::kNvmlNotSupported:
    case gpu::kNvmlInvalidArgument:
    case gpu::kNvmlNotFound:
      return {"no GPU here has it", ""};
    case gpu::kNvmlNoPermission:
      return {"the NVIDIA driver does not let this user read it", "run as root"};
    case gpu::kNvmlGpuIsLost:
    case gpu::kNvmlResetRequired:
      return {"the GPU is lost", "reset the GPU or reboot the host"};
    case gpu::kImplausible:
      return {"the NVIDIA driver gives a number that cannot be", ""};
    default:
      break;
  }
  if (signal.call == gpu::Call::kGpm) return {"needs a GPU of Hopper or newer (GPM)", ""};
  return {"the NVIDIA driver did not answer", ""};
}

std::vector<model::MetricDescriptor> nvml_metrics() {
  std::vector<model::MetricDescriptor> out;
  for (const auto& signal : gpu::gpu_signals()) {
    out.push_back(metric_of(signal, model::Scope::kGpu));
  }
  for (const auto& signal : gpu::link_signals()) {
    out.push_back(metric_of(signal, model::Scope::kDevice));
  }
  for (const auto& signal : gpu::instance_signals()) {
    out.push_back(metric_of(signal, model::Scope::kDevice));
  }
  const auto of_groups = gpu_group_metrics();
  out.insert(out.end(), of_groups.begin(), of_groups.end());
  return out;
}

}  // namespace reveal::collect

#include "collect/gpu/nvml_gpu.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "collect/gpu/nvml_metrics.h"

namespace reveal::collect {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

// After so long a value is no longer the GPU's: twice its cadence, and patience.
std::int64_t longest_age_ns(gpu::Cadence cadence) {
  constexpr std::int64_t kPatienceNs = 3 * kSecondNs;
  switch (cadence) {
    case gpu::Cadence::kFast:
      return kPatienceNs;
    case gpu::Cadence::kMedium:
      return 2 * kSecondNs + kPatienceNs;
    case gpu::Cadence::kSlow:
      break;
  }
  return 20 * kSecondNs + kPatienceNs;
}

template <std::size_t size>
std::string_view text_of(const char (&text)[size]) {
  return {text, ::strnlen(text, size)};
}

// Copies what another process may be writing. Returns nothing if it was.
std::unique_ptr<gpu::SharedIdentity> copy_of(const gpu::SharedDevice& device,
                                             std::uint32_t generation) {
  auto out = std::make_unique<gpu::SharedIdentity>();
  std::memcpy(out.get(), &device.identity, sizeof *out);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (device.generation.load() != generation) return nullptr;
  return out;
}

std::string processes_of(const gpu::SharedIdentity& identity) {
  std::string out;
  const auto shown = std::min(identity.process_count, gpu::kMaxProcesses);
  for (std::uint32_t i = 0; i < shown; ++i) {
    const auto& process = identity.processes[i];
    out += fmt::format("{}pid {} {} {} MiB", out.empty() ? "" : ", ", process.pid,
                       process.graphics != 0 ? "graphics" : "compute", process.bytes >> 20U);
  }
  if (identity.process_count > shown) {
    out += fmt::format(" and {} more", identity.process_count - shown);
  }
  return out;
}

}  // namespace

SignalChannels::SignalChannels(std::span<const gpu::Signal> signals, model::Scope scope,
                               std::string instance)
    : signals_(signals), scope_(scope), instance_(std::move(instance)), slots_(signals.size()) {}

void SignalChannels::set(FrameWriter& writer, std::span<const gpu::SharedReading> readings,
                         std::int64_t now_ns, bool fresh_start) {
  for (std::size_t row = 0; row < slots_.size(); ++row) {
    if (fresh_start) slots_[row].reset_due = slots_[row].id.has_value();
    const gpu::SharedReading& reading = readings[row];
    const std::int64_t read_ns = reading.read_ns.load(std::memory_order_acquire);
    if (read_ns == 0 || reading.result.load(std::memory_order_relaxed) != gpu::kNvmlSuccess) {
      continue;
    }
    if (now_ns - read_ns > longest_age_ns(signals_[row].cadence)) continue;
    set_one(writer, row, reading.bits.load(std::memory_order_relaxed), read_ns);
  }
}

void SignalChannels::set_one(FrameWriter& writer, std::size_t row, std::uint64_t bits,
                             std::int64_t read_ns) {
  Slot& slot = slots_[row];
  const gpu::Signal& signal = signals_[row];
  if (!slot.id) slot.id = writer.add_channel(metric_of(signal, scope_), instance_);
  if (signal.call == gpu::Call::kEvent) {
    // Readers count from their start, the recording from its own.
    if (bits < slot.last) slot.carried += slot.last;
    slot.last = bits;
    bits += slot.carried;
  }
  if (signal.real) {
    writer.set(*slot.id, std::bit_cast<double>(bits));
  } else {
    writer.set(*slot.id, bits);
  }
  if (read_ns == slot.read_ns) {
    writer.repeat(*slot.id, model::Validity::kStale);
  } else if (slot.reset_due) {
    writer.mark_reset(*slot.id);
    slot.reset_due = false;
  }
  slot.read_ns = read_ns;
}

NvmlGpu::NvmlGpu(std::string bus_id, const ProcessGroups& processes)
    : bus_id_(std::move(bus_id)),
      channels_(gpu::gpu_signals(), model::Scope::kGpu, "gpu=" + bus_id_),
      groups_(bus_id_, processes),
      results_(gpu::kGpuSignals, gpu::kNvmlUnknown) {
  for (unsigned link = 0; link < gpu::kMaxLinks; ++link) {
    links_.emplace_back(gpu::link_signals(), model::Scope::kDevice,
                        fmt::format("gpu={},link={}", bus_id_, link));
  }
}

void NvmlGpu::collect(FrameWriter& writer, const gpu::SharedDevice& device, std::int64_t now_ns) {
  look_at(writer, device);
  channels_.set(writer, device.readings, now_ns, replaced_);
  for (unsigned link = 0; link < gpu::kMaxLinks; ++link) {
    links_[link].set(writer, device.links[link], now_ns, replaced_);
  }
  collect_instances(writer, device, now_ns);
  replaced_ = false;
  groups_.collect(writer, device.use, now_ns);
  for (std::size_t row = 0; row < results_.size(); ++row) {
    if (device.readings[row].read_ns.load() == 0) continue;
    results_[row] = device.readings[row].result.load();
  }
}

// A reader begun anew may have other places for the same instances.
void NvmlGpu::collect_instances(FrameWriter& writer, const gpu::SharedDevice& device,
                                std::int64_t now_ns) {
  for (const gpu::SharedInstance& instance : device.instances) {
    const std::uint64_t id = instance.id.load();
    if (id == gpu::kNoInstance) return;
    auto at = instances_.find(id);
    if (at == instances_.end()) {
      if (instances_.size() >= gpu::kMaxInstances) continue;
      const std::string name = fmt::format("gpu={},gi={},ci={}", bus_id_, gpu::gpu_instance_of(id),
                                           gpu::compute_instance_of(id));
      at = instances_.try_emplace(id, gpu::instance_signals(), model::Scope::kDevice, name).first;
    }
    at->second.set(writer, instance.readings, now_ns, replaced_);
  }
}

// The texts change with a new reader, and every ten seconds with the processes.
void NvmlGpu::look_at(FrameWriter& writer, const gpu::SharedDevice& device) {
  const std::uint32_t generation = device.generation.load();
  if (generation % 2 != 0 || (generation == generation_ && !said_.empty())) return;
  const auto identity = copy_of(device, generation);
  if (!identity) return;
  generation_ = generation;
  const auto uuid = text_of(identity->uuid);
  replaced_ = !uuid_.empty() && uuid != uuid_;
  uuid_ = uuid;
  say(writer, "name", text_of(identity->name));
  say(writer, "uuid", uuid);
  say(writer, "vbios", text_of(identity->vbios));
  say(writer, "nearest cpus", text_of(identity->cpus));
  say(writer, "topology", text_of(identity->topology));
  if (identity->processes_known != 0) say(writer, "processes", processes_of(*identity));
}

void NvmlGpu::say(FrameWriter& writer, std::string_view what, std::string_view text) {
  auto it = std::find_if(said_.begin(), said_.end(),
                         [&](const Said& said) { return said.subject.starts_with(what); });
  if (it == said_.end()) {
    it = said_.insert(said_.end(), {fmt::format("{} of gpu {}", what, bus_id_), ""});
  }
  if (it->text == text) return;
  it->text = text;
  writer.note_fact(it->subject, it->text);
}

}  // namespace reveal::collect

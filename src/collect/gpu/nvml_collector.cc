// NVIDIA GPUs, through the driver's library. No driver is called in this process: readers are
// (gpu/readers.h), and this looks at what they have written. Values that the readers renew every
// second or every ten stand as stale in between, and are missing once they are too old.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "collect/collector.h"
#include "collect/gpu/gpu_groups.h"
#include "collect/gpu/nvml_gpu.h"
#include "collect/gpu/nvml_metrics.h"
#include "collect/tick_clock.h"
#include "gpu/readers.h"
#include "gpu/xid.h"

namespace reveal::collect {
namespace {

using gpu::SharedReadings;

constexpr std::int64_t kOpenPatienceNs = 30'000'000'000;
constexpr std::size_t kMaxGpus = 64;  // replaced ones count too

// If none of these is, the library has nobody to talk to, and no process need be started.
bool has_driver(const procfs::HostRoot& root) {
  const char* named = std::getenv("REVEAL_NVML_PATH");
  if (named != nullptr && *named != '\0') return true;
  const std::string version = root.proc_path("driver/nvidia/version");
  for (const char* path : {version.c_str(), "/dev/nvidiactl", "/dev/dxg"}) {
    if (::access(path, F_OK) == 0) return true;
  }
  return false;
}

std::string text_of(const gpu::SharedEvent& event) {
  switch (event.type.load()) {
    case gpu::kXidEvent:
      return gpu::describe_xid(event.code.load());
    case gpu::kDoubleBitEvent:
      return "uncorrectable memory error";
    default:
      return "the GPU is lost: it has fallen off the bus or wants a reset";
  }
}

class NvmlCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (!root.is_live()) {
      return base::fail(base::ErrorKind::kAbsent, "NVML has only the GPUs of the running kernel",
                        root.proc, "leave --proc-root at /proc");
    }
    if (!has_driver(root)) {
      return base::fail(base::ErrorKind::kAbsent, "no NVIDIA driver on this host");
    }
    auto program = gpu::reader_program();
    if (!program) return base::pass(program);
    processes_ = ProcessGroups(root);
    readers_.emplace(std::move(*program), gpu::ReaderTiming{});
    if (auto ready = wait_until_ready(); !ready) {
      readers_.reset();
      return ready;
    }
    add_channels_of(*this, channels);
    for (auto& one : gpus_) one->forget_facts();
    driver_.clear();
    return {};
  }

  void collect(FrameWriter& writer) override {
    const std::int64_t now_ns = clock_ns(CLOCK_MONOTONIC);
    for (auto& event : readers_->tick(now_ns)) events_.push_back(std::move(event));
    for (const auto& event : events_) writer.note_event(event.subject, event.text);
    events_.clear();
    readers_->for_each([&](const SharedReadings& readings, std::uint32_t& events_seen) {
      read(writer, readings, events_seen, now_ns);
    });
  }

  base::Error why_absent(const model::MetricDescriptor& metric) const override {
    const auto signals = gpu::gpu_signals();
    for (std::size_t row = 0; row < signals.size(); ++row) {
      if (signals[row].metric == metric.name) return why_missing(row);
    }
    for (const auto& of_groups : gpu_group_metrics()) {
      if (of_groups.name == metric.name) return why_no_groups();
    }
    for (const auto& signal : gpu::instance_signals()) {
      if (signal.metric == metric.name) {
        return {base::ErrorKind::kAbsent, "no GPU here is split into MIG instances", "", ""};
      }
    }
    return {base::ErrorKind::kAbsent, "no NVLink that is up tells it", "", ""};
  }

 private:
  // The driver may have to wake its GPUs first.
  base::Result<void> wait_until_ready() {
    const std::int64_t deadline = clock_ns(CLOCK_MONOTONIC) + kOpenPatienceNs;
    for (;;) {
      const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
      for (auto& event : readers_->tick(now)) events_.push_back(std::move(event));
      if (const auto refusal = readers_->refusal()) return base::Unexpected(*refusal);
      std::optional<std::uint32_t> devices;
      readers_->for_each([&](const SharedReadings& readings, std::uint32_t&) {
        if (readings.phase.load() == gpu::Phase::kReady) devices = readings.device_count.load();
      });
      if (devices == 0U) {
        return base::fail(base::ErrorKind::kAbsent, "the NVIDIA driver has no GPU");
      }
      if (devices) return {};
      if (now > deadline) {
        return base::fail(base::ErrorKind::kIo, "does not answer", "NVIDIA driver");
      }
      constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 5'000'000};
      ::nanosleep(&kPause, nullptr);
    }
  }

  void read(FrameWriter& writer, const SharedReadings& readings, std::uint32_t& events_seen,
            std::int64_t now_ns) {
    const auto count = std::min(readings.device_count.load(), gpu::kMaxGpus);
    if (readings.phase.load() == gpu::Phase::kReady) say_driver(writer, readings);
    for (std::uint32_t i = 0; i < count; ++i) {
      const gpu::SharedDevice& device = readings.devices[i];
      if (device.present.load() == 0) continue;
      if (NvmlGpu* one = find(device)) one->collect(writer, device, now_ns);
    }
    take_events(writer, readings, events_seen);
  }

  // The bus id is written once, before the device is present.
  NvmlGpu* find(const gpu::SharedDevice& device) {
    const auto& text = device.identity.bus_id;
    const std::string_view bus_id(text, ::strnlen(text, sizeof text));
    for (const auto& one : gpus_) {
      if (one->bus_id() == bus_id) return one.get();
    }
    if (gpus_.size() >= kMaxGpus || bus_id.empty()) return nullptr;
    gpus_.push_back(std::make_unique<NvmlGpu>(std::string(bus_id), processes_));
    return gpus_.back().get();
  }

  void say_driver(FrameWriter& writer, const SharedReadings& readings) {
    const std::string_view driver(readings.driver,
                                  ::strnlen(readings.driver, sizeof readings.driver));
    if (driver == driver_) return;
    driver_ = driver;
    writer.note_fact("NVIDIA driver", driver_);
  }

  // Of more events than are kept, the oldest are lost; they were counted.
  void take_events(FrameWriter& writer, const SharedReadings& readings, std::uint32_t& seen) {
    const std::uint32_t count = readings.event_count.load();
    if (count - seen > gpu::kMaxEvents) seen = count - gpu::kMaxEvents;
    for (; seen != count; ++seen) {
      const gpu::SharedEvent& event = readings.events[seen % gpu::kMaxEvents];
      const std::uint32_t number = event.device.load();
      if (number >= gpu::kMaxGpus) continue;
      if (const NvmlGpu* one = find(readings.devices[number])) {
        writer.note_event("gpu " + one->bus_id(), text_of(event));
      }
    }
  }

  base::Error why_missing(std::size_t row) const {
    const auto& signal = gpu::gpu_signals()[row];
    const int result = gpus_.empty() ? gpu::kNvmlUnknown : gpus_.front()->result(row);
    const MissingReason reason = reason_of(signal, result);
    return {base::ErrorKind::kAbsent, std::string(reason.what), "", std::string(reason.remedy)};
  }

  // The driver may not tell of processes' work.
  base::Error why_no_groups() const {
    const auto signals = gpu::gpu_signals();
    for (std::size_t row = 0; row < signals.size() && !gpus_.empty(); ++row) {
      const bool tells = signals[row].call == gpu::Call::kProcessShares;
      if (tells && gpus_.front()->result(row) != gpu::kNvmlSuccess) return why_missing(row);
    }
    return {base::ErrorKind::kAbsent, "no process that is known here used a GPU", "",
            "in a container, run in the host's namespace of processes (hostPID in Kubernetes)"};
  }

  ProcessGroups processes_;
  std::optional<gpu::Readers> readers_;
  std::vector<std::unique_ptr<NvmlGpu>> gpus_;
  std::vector<gpu::ReaderEvent> events_;
  std::string driver_;
};

std::unique_ptr<Collector> make_nvml() {
  return std::make_unique<NvmlCollector>();
}

}  // namespace

extern const CollectorDescriptor kNvmlCollector = {
    .name = "nvml",
    .help = "NVIDIA GPUs",
    .make = make_nvml,
    .metrics = nvml_metrics,
    .may_block = true,
};

}  // namespace reveal::collect

// /sys/class/drm/card*/device: AMD GPUs as the amdgpu driver shows them: how busy they are, their
// memory, power, temperatures and clocks, errors of their memory and logic, and what holds their
// clocks down.
//
// The numbers cardN follow the order in which drivers loaded; a GPU goes by its PCI address. The
// file pcie_bw is never read: the kernel sleeps for a second to measure it. Link width and speed
// are those of its PCI function, which the collector of links reads. How an accelerator is
// partitioned is a fact.
#include <algorithm>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/fact_text.h"
#include "collect/parts/scanned_collector.h"
#include "procfs/amdgpu_metrics.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

// Row of the table below.
enum Row : std::size_t {
  kBusy,
  kMemoryBusy,
  kVramUsed,
  kVramTotal,
  kVisibleVramUsed,
  kGttUsed,
  kPower,
  kEdge,
  kJunction,
  kMemory,
  kCoreClock,
  kMemoryClock,
  kFan,
  kReplays,
  kUncorrected,
  kCorrected,
  kThrottledByPower,
  kThrottledByCurrent,
  kThrottledByHeat,
  kThrottledOtherwise,
  kTicks,
  kProchotTicks,
  kPowerTicks,
  kSocketHeatTicks,
  kRegulatorHeatTicks,
  kMemoryHeatTicks,
};

constexpr std::string_view kFolder = "class/drm";

constexpr MetricDescriptor row(Kind kind, std::string_view unit, double scale,
                               std::string_view source, std::string_view alias,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kGpu;
  out.scope = model::Scope::kGpu;
  out.scale = scale;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/gpu/amdgpu/thermal.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor real(MetricDescriptor out) {
  out.repr = model::Repr::kF64;
  return out;
}

constexpr MetricDescriptor ras(MetricDescriptor out) {
  out.scope = model::Scope::kDevice;
  out.doc_url = "https://docs.kernel.org/gpu/amdgpu/ras.html";
  return out;
}

constexpr MetricDescriptor throttle(std::string_view source, std::string_view name,
                                    std::string_view label, std::string_view help,
                                    std::int16_t rank) {
  return row(Kind::kGauge, "flag", 1, source, "indep_throttle_status", name, label, help, rank);
}

constexpr MetricDescriptor ticks(std::string_view source, std::string_view name,
                                 std::string_view label, std::string_view help) {
  const auto alias = source.substr(source.rfind(' ') + 1);
  auto out = row(Kind::kCounter, "ticks", 1, source, alias, name, label, help, 60);
  out.counter_bits = 32;
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    row(Kind::kGauge, "ratio", 0.01, "/sys/class/drm/card*/device/gpu_busy_percent", "GPU%",
        "gpu_amd_busy_ratio", "AMD GPU activity", "Share of time in which the GPU computed.", 10),
    row(Kind::kGauge, "ratio", 0.01, "/sys/class/drm/card*/device/mem_busy_percent", "VRAM busy",
        "gpu_amd_memory_busy_ratio", "AMD GPU memory activity",
        "Share of time in which the GPU's memory was read or written.", 20),
    row(Kind::kGauge, "bytes", 1, "/sys/class/drm/card*/device/mem_info_vram_used", "VRAM used",
        "gpu_amd_memory_used_bytes", "AMD GPU memory in use", "Memory of the GPU in use.", 20),
    row(Kind::kStatic, "bytes", 1, "/sys/class/drm/card*/device/mem_info_vram_total", "VRAM total",
        "gpu_amd_memory_installed_bytes", "AMD GPU memory", "Memory that the GPU has.", 60),
    row(Kind::kGauge, "bytes", 1, "/sys/class/drm/card*/device/mem_info_vis_vram_used",
        "visible VRAM used", "gpu_amd_visible_memory_used_bytes",
        "AMD GPU memory in use that the host sees",
        "Memory of the GPU in use that the processor can reach.", 120),
    row(Kind::kGauge, "bytes", 1, "/sys/class/drm/card*/device/mem_info_gtt_used", "GTT used",
        "gpu_amd_host_memory_used_bytes", "Host memory that AMD GPUs use",
        "Memory of the host mapped for the GPU.", 80),
    row(Kind::kGauge, "watts", 1e-6,
        "/sys/class/drm/card*/device/hwmon/hwmon*/power1_{average,input}", "power1",
        "gpu_amd_power_watts", "AMD GPU power", "Power that the GPU draws.", 10),
    real(row(Kind::kGauge, "celsius", 1e-3,
             "/sys/class/drm/card*/device/hwmon/hwmon*/temp*_input edge", "edge",
             "gpu_amd_edge_temperature_celsius", "AMD GPU edge temperature",
             "Temperature at the edge of the GPU's die.", 60)),
    real(row(Kind::kGauge, "celsius", 1e-3,
             "/sys/class/drm/card*/device/hwmon/hwmon*/temp*_input junction", "junction",
             "gpu_amd_junction_temperature_celsius", "AMD GPU junction temperature",
             "Temperature of the hottest place of the GPU's die.", 20)),
    real(row(Kind::kGauge, "celsius", 1e-3,
             "/sys/class/drm/card*/device/hwmon/hwmon*/temp*_input mem", "mem",
             "gpu_amd_memory_temperature_celsius", "AMD GPU memory temperature",
             "Temperature of the GPU's memory.", 40)),
    row(Kind::kGauge, "hertz", 1, "/sys/class/drm/card*/device/hwmon/hwmon*/freq*_input sclk",
        "sclk", "gpu_amd_core_clock_hertz", "AMD GPU core clock", "Clock of the GPU's cores.", 20),
    row(Kind::kGauge, "hertz", 1, "/sys/class/drm/card*/device/hwmon/hwmon*/freq*_input mclk",
        "mclk", "gpu_amd_memory_clock_hertz", "AMD GPU memory clock", "Clock of the GPU's memory.",
        40),
    row(Kind::kGauge, "rpm", 1, "/sys/class/drm/card*/device/hwmon/hwmon*/fan1_input", "fan1",
        "gpu_amd_fan_speed_rpm", "AMD GPU fan speed", "Revolutions of the GPU's fan per minute.",
        120),
    row(Kind::kEvent, "replays", 1, "/sys/class/drm/card*/device/pcie_replay_count",
        "pcie_replay_count", "gpu_amd_pcie_replays_total", "AMD GPU PCIe replays",
        "Times that the GPU's PCIe link had to send something again.", 20),
    ras(row(Kind::kEvent, "errors", 1, "/sys/class/drm/card*/device/ras/*_err_count ue", "RAS ue",
            "gpu_amd_uncorrected_errors_total", "AMD GPU uncorrected errors",
            "Errors that a block of the GPU could not correct; the block umc is its memory.", 10)),
    ras(row(Kind::kEvent, "errors", 1, "/sys/class/drm/card*/device/ras/*_err_count ce", "RAS ce",
            "gpu_amd_corrected_errors_total", "AMD GPU corrected errors",
            "Errors that a block of the GPU corrected; the block umc is its memory.", 20)),
    throttle("/sys/class/drm/card*/device/gpu_metrics indep_throttle_status bits 0-15",
             "gpu_amd_power_throttle_flag", "AMD GPU held back by power",
             "Whether the GPU lowers its clocks because it draws its limit of power.", 20),
    throttle("/sys/class/drm/card*/device/gpu_metrics indep_throttle_status bits 16-31",
             "gpu_amd_current_throttle_flag", "AMD GPU held back by current",
             "Whether the GPU lowers its clocks because it draws its limit of current.", 40),
    throttle("/sys/class/drm/card*/device/gpu_metrics indep_throttle_status bits 32-47",
             "gpu_amd_thermal_throttle_flag", "AMD GPU held back by heat",
             "Whether the GPU lowers its clocks because a part of it is hot.", 10),
    throttle("/sys/class/drm/card*/device/gpu_metrics indep_throttle_status bits 48-63",
             "gpu_amd_other_throttle_flag", "AMD GPU held back otherwise",
             "Whether the GPU lowers its clocks for another reason.", 60),
    ticks("/sys/class/drm/card*/device/gpu_metrics accumulation_counter",
          "gpu_amd_firmware_ticks_total", "AMD GPU firmware ticks",
          "Ticks of the GPU's firmware, by which it counts what held the clocks down (MI300)."),
    ticks("/sys/class/drm/card*/device/gpu_metrics prochot_residency_acc",
          "gpu_amd_prochot_ticks_total", "AMD GPU ticks held back from outside",
          "Ticks in which the clocks were lowered because the board said that it is hot (MI300)."),
    ticks("/sys/class/drm/card*/device/gpu_metrics ppt_residency_acc",
          "gpu_amd_power_limit_ticks_total", "AMD GPU ticks at the power limit",
          "Ticks in which the clocks were lowered to stay below the power limit (MI300)."),
    ticks("/sys/class/drm/card*/device/gpu_metrics socket_thm_residency_acc",
          "gpu_amd_socket_heat_ticks_total", "AMD GPU ticks held back by its own heat",
          "Ticks in which the clocks were lowered because the GPU's chips were hot (MI300)."),
    ticks("/sys/class/drm/card*/device/gpu_metrics vr_thm_residency_acc",
          "gpu_amd_regulator_heat_ticks_total", "AMD GPU ticks held back by hot regulators",
          "Ticks in which the clocks were lowered because voltage regulators were hot (MI300)."),
    ticks("/sys/class/drm/card*/device/gpu_metrics hbm_thm_residency_acc",
          "gpu_amd_memory_heat_ticks_total", "AMD GPU ticks held back by hot memory",
          "Ticks in which the clocks were lowered because the GPU's memory was hot (MI300)."),
};
static_assert(std::size(kMetrics) == kMemoryHeatTicks + 1);

// What holds the clocks down, from the driver's binary table.
class Throttle {
 public:
  Throttle(std::span<const MetricDescriptor> metrics, std::string instance, std::string path)
      : channels_(metrics, std::move(instance)), file_(std::move(path)) {}

  void read(FrameWriter& writer) {
    procfs::AttributeBuffer buffer;
    const auto table = file_.read(buffer);
    if (!table) return;
    if (const auto now = procfs::parse_amdgpu_throttle(*table)) tell(*now, writer);
    if (const auto counted = procfs::parse_amdgpu_residency(*table)) tell(*counted, writer);
  }

  std::optional<base::Error> error_of(std::size_t row) const {
    if (row < kThrottledByPower) return std::nullopt;
    if (file_.error() != 0) {
      return base::fail_errno(file_.error(), "cannot be read", file_.path()).value();
    }
    return base::Error{base::ErrorKind::kAbsent, "this revision of the table does not have it",
                       file_.path(), ""};
  }

 private:
  void tell(const procfs::AmdgpuThrottle& now, FrameWriter& writer) {
    channels_.set(writer, kThrottledByPower, procfs::Value(now.power));
    channels_.set(writer, kThrottledByCurrent, procfs::Value(now.current));
    channels_.set(writer, kThrottledByHeat, procfs::Value(now.temperature));
    channels_.set(writer, kThrottledOtherwise, procfs::Value(now.other));
  }
  void tell(const procfs::AmdgpuResidency& counted, FrameWriter& writer) {
    channels_.set(writer, kTicks, procfs::Value(counted.ticks));
    channels_.set(writer, kProchotTicks, procfs::Value(counted.prochot));
    channels_.set(writer, kPowerTicks, procfs::Value(counted.power));
    channels_.set(writer, kSocketHeatTicks, procfs::Value(counted.socket_heat));
    channels_.set(writer, kRegulatorHeatTicks, procfs::Value(counted.regulator_heat));
    channels_.set(writer, kMemoryHeatTicks, procfs::Value(counted.memory_heat));
  }

  InstanceChannels channels_;
  procfs::AttributeFile file_;
};

// How an accelerator is split: into as many GPUs as programs see, and its memory into as many
// places.
struct Partition {
  FactText text;
  procfs::AttributeFile file;

  void read(FrameWriter& writer) {
    procfs::AttributeBuffer buffer;
    const auto all = file.read(buffer);
    text.say(writer, all ? procfs::first_line(*all) : std::nullopt);
  }
};

// A GPU, or a block of one that counts its errors.
struct AmdGpu {
  DeviceFiles files;
  std::optional<Throttle> throttle;
  std::vector<Partition> partitions{};

  void read(FrameWriter& writer) {
    files.read(writer);
    if (throttle) throttle->read(writer);
    for (Partition& partition : partitions) partition.read(writer);
  }
  void forget_facts() {
    for (Partition& partition : partitions) partition.text.forget();
  }
  // What the scan before said is no news.
  void adopt(AmdGpu& before) {
    for (Partition& partition : partitions) {
      for (Partition& known : before.partitions) {
        if (known.text.subject() == partition.text.subject()) partition.text = known.text;
      }
    }
  }
  std::optional<base::Error> error_of(std::size_t row) const {
    auto error = files.error_of(row);
    return error || !throttle ? error : throttle->error_of(row);
  }
};

struct File {
  Row metric;
  std::string_view name;
};
constexpr File kFiles[] = {
    {kBusy, "gpu_busy_percent"},
    {kMemoryBusy, "mem_busy_percent"},
    {kVramUsed, "mem_info_vram_used"},
    {kVramTotal, "mem_info_vram_total"},
    {kVisibleVramUsed, "mem_info_vis_vram_used"},
    {kGttUsed, "mem_info_gtt_used"},
    {kReplays, "pcie_replay_count"},
};

// Sensors that the driver numbers as the chip has them, and labels.
struct Labeled {
  Row metric;
  std::string_view label;
};
constexpr Labeled kLabeled[] = {
    {kEdge, "edge"},      {kJunction, "junction"}, {kMemory, "mem"},
    {kCoreClock, "sclk"}, {kMemoryClock, "mclk"},
};

void add_labeled(const std::string& folder, std::string_view file, DeviceFiles& gpu) {
  constexpr std::string_view kLabelEnd = "_label";
  if (!file.ends_with(kLabelEnd)) return;
  const auto stem = fmt::format("{}/{}", folder, file.substr(0, file.size() - kLabelEnd.size()));
  const auto label = procfs::read_line(stem + std::string(kLabelEnd));
  for (const auto& known : kLabeled) {
    if (label == known.label) gpu.add(known.metric, stem + "_input");
  }
}

void add_sensors(const std::string& device, DeviceFiles& gpu) {
  const auto hwmon = procfs::names_in(device + "/hwmon", 1);
  if (hwmon.empty()) return;
  const auto folder = fmt::format("{}/hwmon/{}", device, hwmon.front());
  const auto files = procfs::names_in(folder);
  for (const auto& file : files) add_labeled(folder, file, gpu);
  const bool average = std::find(files.begin(), files.end(), "power1_average") != files.end();
  gpu.add(kPower, fmt::format("{}/{}", folder, average ? "power1_average" : "power1_input"));
  gpu.add(kFan, folder + "/fan1_input");
}

void add_ras(const std::string& device, const std::string& instance,
             std::span<const MetricDescriptor> metrics, std::vector<AmdGpu>& out) {
  constexpr std::size_t kMaxBlocks = 64;
  constexpr std::string_view kEnd = "_err_count";
  for (const auto& file : procfs::names_in(device + "/ras", kMaxBlocks)) {
    if (!file.ends_with(kEnd)) continue;
    const auto block = instance_text(std::string_view(file).substr(0, file.size() - kEnd.size()));
    DeviceFiles files(metrics, fmt::format("{},block={}", instance, block));
    const auto path = fmt::format("{}/ras/{}", device, file);
    files.add(kUncorrected, path, [](AttributeText t) { return procfs::value_of_key(t, "ue"); });
    files.add(kCorrected, path, [](AttributeText t) { return procfs::value_of_key(t, "ce"); });
    out.push_back({std::move(files), std::nullopt});
  }
}

void add_gpu(const std::string& device, std::span<const MetricDescriptor> metrics,
             std::vector<AmdGpu>& out) {
  const auto address = device.substr(device.rfind('/') + 1);
  const auto instance = fmt::format("gpu={}", instance_text(address));
  DeviceFiles files(metrics, instance);
  for (const auto& file : kFiles) files.add(file.metric, fmt::format("{}/{}", device, file.name));
  add_sensors(device, files);
  AmdGpu gpu{std::move(files), Throttle(metrics, instance, device + "/gpu_metrics")};
  for (const std::string_view kind : {"compute", "memory"}) {
    gpu.partitions.push_back(
        {FactText(fmt::format("{} partition of gpu {}", kind, instance_text(address))),
         procfs::AttributeFile(fmt::format("{}/current_{}_partition", device, kind))});
  }
  out.push_back(std::move(gpu));
  add_ras(device, instance, metrics, out);
}

std::vector<AmdGpu> scan(const procfs::HostRoot& root, std::span<const MetricDescriptor> metrics) {
  constexpr std::size_t kMaxGpus = 64;
  constexpr std::string_view kCard = "card";
  std::vector<AmdGpu> out;
  std::size_t gpus = 0;
  for (const auto& name : procfs::names_in(root.sys_path(kFolder))) {
    if (!name.starts_with(kCard)) continue;
    if (!procfs::parse_u64(std::string_view(name).substr(kCard.size()))) continue;  // a connector
    const auto device = procfs::resolved(root.sys_path(fmt::format("{}/{}/device", kFolder, name)));
    if (device.empty() || procfs::target_name(device + "/driver") != "amdgpu") continue;
    if (++gpus > kMaxGpus) break;
    add_gpu(device, metrics, out);
  }
  return out;
}

std::vector<MetricDescriptor> amdgpu_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_amdgpu() {
  return std::make_unique<ScannedCollector<AmdGpu>>(
      amdgpu_metrics(), ScannedSource<AmdGpu>{.scan = scan,
                                              .watched = {kFolder},
                                              .none = "no GPU that the amdgpu driver drives",
                                              .remedy = ""});
}

}  // namespace

extern const CollectorDescriptor kAmdgpuCollector = {
    .name = "amdgpu",
    .help = "AMD GPUs by their driver's files",
    .make = make_amdgpu,
    .metrics = amdgpu_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

}  // namespace reveal::collect

// How the processors are set up: model, microcode, mitigations, threads, frequency governor, cores
// taken out of the scheduler. Words are facts; numbers are metrics, to be compared between hosts.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/cpu/values_by_core.h"
#include "collect/parts/fact_text.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/text_facts.h"
#include "procfs/attribute.h"
#include "procfs/cpu_set.h"
#include "procfs/cpuinfo.h"
#include "procfs/file_head.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> cpu_facts_metrics();

using model::MetricDescriptor;

constexpr std::size_t kMaxVulnerabilities = 64;

constexpr MetricDescriptor row(std::string_view source, std::string_view alias,
                               std::string_view unit, std::string_view name, std::string_view label,
                               std::string_view doc_url, std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = model::Kind::kStatic;
  out.subsystem = model::Subsystem::kCpu;
  out.source = source;
  out.alias = alias;
  out.doc_url = doc_url;
  out.help = help;
  return out;
}

constexpr std::string_view kTopology = "https://docs.kernel.org/admin-guide/cputopology.html";
constexpr std::string_view kVulnerabilities =
    "https://docs.kernel.org/admin-guide/hw-vuln/index.html";

enum Row : std::size_t {
  kMicrocode,
  kSmt,
  kOnline,
  kIsolated,
  kVulnerable,
  kMitigated,
  kPerformance
};

constexpr MetricDescriptor kMetrics[] = {
    row("/proc/cpuinfo microcode", "microcode", "revision", "cpu_microcode_revision",
        "Microcode revision", "https://docs.kernel.org/arch/x86/microcode.html",
        "Revision of the first core's microcode; written as 0x... elsewhere."),
    row("/sys/devices/system/cpu/smt/active", "smt", "boolean", "cpu_smt_active",
        "Simultaneous multithreading", kTopology,
        "Whether cores run more than one thread each (Linux 4.19)."),
    row("/sys/devices/system/cpu/online", "online", "cores", "cpu_online_cores", "Cores online",
        kTopology, "Cores that the scheduler uses."),
    row("/sys/devices/system/cpu/isolated", "isolated", "cores", "cpu_isolated_cores",
        "Isolated cores", kTopology,
        "Cores that the scheduler leaves alone unless a task asks for them."),
    row("/sys/devices/system/cpu/vulnerabilities/* Vulnerable", "vulnerabilities",
        "vulnerabilities", "cpu_open_vulnerabilities", "Hardware vulnerabilities left open",
        kVulnerabilities, "Hardware vulnerabilities that nothing is done about (Linux 4.15)."),
    row("/sys/devices/system/cpu/vulnerabilities/* Mitigation", "mitigations", "vulnerabilities",
        "cpu_mitigated_vulnerabilities", "Hardware vulnerabilities mitigated", kVulnerabilities,
        "Hardware vulnerabilities that the kernel works around, which costs time (Linux 4.15)."),
    row("/sys/devices/system/cpu/cpufreq/policy*/scaling_governor performance", "scaling_governor",
        "policies", "cpu_performance_governor_policies", "Cores held at full frequency",
        "https://docs.kernel.org/admin-guide/pm/cpufreq.html",
        "Groups of cores whose frequency governor is 'performance'."),
};

constexpr TextFactRow kTexts[] = {
    {"simultaneous multithreading", "/sys/devices/system/cpu/smt/control"},
    {"isolated cores", "/sys/devices/system/cpu/isolated"},
    {"tickless cores", "/sys/devices/system/cpu/nohz_full"},
    {"idle state driver", "/sys/devices/system/cpu/cpuidle/current_driver"},
    {"idle state governor", "/sys/devices/system/cpu/cpuidle/current_governor_ro"},
    {"clock source", "/sys/devices/system/clocksource/clocksource0/current_clocksource"},
    {"intel_pstate", "/sys/devices/system/cpu/intel_pstate/status"},
    {"amd_pstate", "/sys/devices/system/cpu/amd_pstate/status"},
};

// The kernel's words for the state of a hardware vulnerability, in its attributes' documentation.
enum class Exposure { kNone, kMitigated, kOpen, kUnknown };

Exposure exposure_of(std::string_view line) {
  constexpr std::string_view kKvm = "KVM: ";  // of machines that run guests
  if (line.starts_with(kKvm)) line.remove_prefix(kKvm.size());
  if (line.starts_with("Vulnerable") || line == "Processor vulnerable") return Exposure::kOpen;
  if (line.starts_with("Mitigation")) return Exposure::kMitigated;
  return line.starts_with("Not affected") ? Exposure::kNone : Exposure::kUnknown;
}

struct Vulnerability {
  std::string file;
  FactText fact;
};

// A setting of all frequency policies.
struct PolicySetting {
  std::string_view file;
  FactText fact;
  ValuesByCore values{};
  bool all_read = true;
};

class CpuFactsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    cpuinfo_ = root.proc_path("cpuinfo");
    cpu_ = root.sys_path("devices/system/cpu");
    policies_ = cpu_ + "/cpufreq";
    texts_.emplace(kTexts, root);
    list_vulnerabilities();
    add_channels_of(*this, channels);
    forget();
    if (channels_.any()) return {};
    return base::fail(base::ErrorKind::kAbsent, "has no settings of the cores", cpu_);
  }

  void collect(FrameWriter& writer) override {
    texts_->say(writer, reader_);
    tell_model(writer);
    channels_.set(writer, kSmt, number("/smt/active"));
    channels_.set(writer, kOnline, cores_in("/online"));
    channels_.set(writer, kIsolated, cores_in("/isolated"));
    tell_vulnerabilities(writer);
    tell_policies(writer);
  }

 private:
  void forget() {
    texts_->forget();
    model_.forget();
    instruction_set_.forget();
    microcode_.forget();
    for (auto& vulnerability : vulnerabilities_) vulnerability.fact.forget();
    for (auto& setting : settings_) setting.fact.forget();
  }

  void tell_model(FrameWriter& writer) {
    const auto text = procfs::read_head(cpuinfo_, head_);
    procfs::parse_cpuinfo(text.value_or(""), info_);
    model_.say(writer, info_.model);
    instruction_set_.say(writer, info_.instruction_set);
    channels_.set(writer, kMicrocode, info_.microcode);
    text_.clear();
    if (info_.microcode) fmt::format_to(std::back_inserter(text_), "{:#x}", *info_.microcode);
    microcode_.say(writer, text_);
  }

  // The kernel has the same list from its start to its end.
  void list_vulnerabilities() {
    procfs::list_folder(cpu_ + "/vulnerabilities", names_, kMaxVulnerabilities);
    vulnerabilities_.clear();
    for (const auto& name : names_) {
      vulnerabilities_.push_back({fmt::format("/vulnerabilities/{}", name),
                                  FactText(fmt::format("vulnerability {}", name))});
    }
  }

  void tell_vulnerabilities(FrameWriter& writer) {
    std::uint64_t open = 0;
    std::uint64_t mitigated = 0;
    bool all = !vulnerabilities_.empty();
    for (auto& vulnerability : vulnerabilities_) {
      const auto line = read(vulnerability.file);
      const auto exposure = exposure_of(line.value_or(""));
      all = all && exposure != Exposure::kUnknown;
      if (exposure == Exposure::kOpen) ++open;
      if (exposure == Exposure::kMitigated) ++mitigated;
      vulnerability.fact.say(writer, line);
    }
    if (!all) return;
    channels_.set(writer, kVulnerable, procfs::Value(open));
    channels_.set(writer, kMitigated, procfs::Value(mitigated));
  }

  void tell_policies(FrameWriter& writer) {
    procfs::list_folder(policies_, names_, procfs::kMaxListedCpu + 1);
    for (auto& setting : settings_) {
      setting.values.clear();
      setting.all_read = true;
    }
    for (const auto& name : names_) read_policy(name);
    for (auto& setting : settings_) setting.fact.say(writer, setting.values.text());
    const auto& governor = settings_.front();
    if (governor.values.empty() || !governor.all_read) return;
    channels_.set(writer, kPerformance, procfs::Value(governor.values.count("performance")));
  }

  void read_policy(std::string_view name) {
    constexpr std::string_view kPolicy = "policy";
    if (!name.starts_with(kPolicy)) return;
    const auto cpu = procfs::parse_u64(name.substr(kPolicy.size()));
    if (!cpu || *cpu > procfs::kMaxListedCpu) return;
    for (auto& setting : settings_) {
      path_.assign("/cpufreq/").append(name).append("/").append(setting.file);
      const auto line = read(path_);
      const bool is_word = line && !line->empty() && line->find(' ') == std::string_view::npos;
      if (is_word) {
        setting.values.add(static_cast<std::uint32_t>(*cpu), *line);
      } else {
        setting.all_read = false;
      }
    }
  }

  procfs::Value number(std::string_view file) {
    const auto line = read(file);
    return line ? procfs::parse_u64(*line) : std::nullopt;
  }

  procfs::Value cores_in(std::string_view file) {
    const auto line = read(file);
    if (!line || !cores_.assign(*line)) return std::nullopt;
    return cores_.count();
  }

  std::optional<std::string_view> read(std::string_view below) {
    full_.assign(cpu_).append(below);
    return reader_.read(full_);
  }

  std::vector<MetricDescriptor> metrics_ = cpu_facts_metrics();
  InstanceChannels channels_{metrics_, ""};
  std::string cpuinfo_;
  std::string cpu_;
  std::string policies_;
  procfs::AttributeReader reader_;
  std::optional<TextFacts> texts_;
  std::array<char, 4096> head_{};  // the block of one core is half of that
  procfs::CpuInfo info_;
  FactText model_{"processor model"};
  FactText instruction_set_{"instruction set"};
  FactText microcode_{"microcode"};
  std::vector<Vulnerability> vulnerabilities_;
  std::array<PolicySetting, 3> settings_{
      PolicySetting{"scaling_governor", FactText("frequency governor")},
      PolicySetting{"scaling_driver", FactText("frequency driver")},
      PolicySetting{"energy_performance_preference", FactText("energy preference")}};
  std::vector<std::string> names_;
  procfs::CpuSet cores_;
  std::string text_;
  std::string path_;
  std::string full_;
};

std::vector<MetricDescriptor> cpu_facts_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_cpu_facts() {
  return std::make_unique<CpuFactsCollector>();
}

}  // namespace

extern const CollectorDescriptor kCpuFactsCollector = {
    .name = "cpu_facts",
    .help = "how the processors are set up",
    .make = make_cpu_facts,
    .metrics = cpu_facts_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect

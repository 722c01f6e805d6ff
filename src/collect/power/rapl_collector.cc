// /sys/class/powercap/intel-rapl*: the energy that packages, their cores and their memory have
// used, and the power they are held to, of Intel and, under the same name, AMD processors.
//
// The kernel's counters start at 0 again after max_energy_range_uj, a few minutes under full load;
// here they only grow. Since Linux 5.10 only root may read them, because they tell what programs
// compute. The same domains by another way (intel-rapl-mmio) are left out.
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/metric_rows.h"
#include "collect/parts/scanned_collector.h"
#include "collect/power/unwrapped_counter.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using model::Subsystem;

// Row of the table below.
enum Row : std::size_t {
  kPackage,
  kCores,
  kUncore,
  kDram,
  kPlatform,
  kLongLimit,
  kShortLimit,
  kRange
};

constexpr std::string_view kFolder = "class/powercap";

constexpr MetricDescriptor row(Kind kind, Subsystem subsystem, std::string_view unit,
                               std::string_view source, std::string_view alias,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = subsystem;
  out.scope = model::Scope::kDevice;
  out.scale = 1e-6;  // uJ, uW
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/power/powercap/powercap.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor energy(std::string_view source, std::string_view alias,
                                  std::string_view name, std::string_view label,
                                  std::string_view help, std::int16_t rank,
                                  Subsystem subsystem = Subsystem::kCpu) {
  return row(Kind::kCounter, subsystem, "joules", source, alias, name, label, help, rank);
}

constexpr MetricDescriptor kMetrics[] = {
    energy("/sys/class/powercap/intel-rapl:*/energy_uj of package", "PkgWatt",
           "cpu_powercap_package_joules_total", "Package energy by powercap",
           "Energy that the package used.", 20),
    energy("/sys/class/powercap/intel-rapl:*:*/energy_uj of core", "CorWatt",
           "cpu_powercap_cores_joules_total", "Energy of the cores by powercap",
           "Energy that all cores of the package used.", 60),
    energy("/sys/class/powercap/intel-rapl:*:*/energy_uj of uncore", "GFXWatt",
           "cpu_powercap_uncore_joules_total", "Uncore energy by powercap",
           "Energy that the package used outside its cores, such as built-in graphics.", 100),
    energy("/sys/class/powercap/intel-rapl:*:*/energy_uj of dram", "RAMWatt",
           "memory_powercap_dram_joules_total", "Memory energy by powercap",
           "Energy that the memory of the package used.", 40, Subsystem::kMemory),
    energy("/sys/class/powercap/intel-rapl:*/energy_uj of psys", "SysWatt",
           "cpu_powercap_platform_joules_total", "Platform energy by powercap",
           "Energy that the whole platform used, as its power supply logic says.", 60),
    row(Kind::kStatic, Subsystem::kCpu, "watts",
        "/sys/class/powercap/intel-rapl:*/constraint_0_power_limit_uw", "PL1",
        "cpu_powercap_long_limit_watts", "Lasting power limit",
        "Average power that the package may use for long.", 50),
    row(Kind::kStatic, Subsystem::kCpu, "watts",
        "/sys/class/powercap/intel-rapl:*/constraint_1_power_limit_uw", "PL2",
        "cpu_powercap_short_limit_watts", "Short power limit",
        "Average power that the package may use for a moment.", 80),
    row(Kind::kStatic, Subsystem::kCpu, "joules",
        "/sys/class/powercap/intel-rapl:*/max_energy_range_uj", "max_energy_range_uj",
        "cpu_powercap_range_joules", "Range of the energy counter",
        "Energy after which the kernel's counter starts again; Reveal's does not.", 200),
};

// Returns the row of the energy of a domain by its name: "package-0", "package-1-die-0", "dram".
std::optional<std::size_t> energy_row(std::string_view domain) {
  if (domain.starts_with("package-")) return kPackage;
  if (domain == "core") return kCores;
  if (domain == "uncore") return kUncore;
  if (domain == "dram") return kDram;
  if (domain == "psys") return kPlatform;
  return std::nullopt;
}

// Returns "package=1,die=0" for "package-1-die-0", "package=1" for "package-1".
std::string package_instance(std::string_view domain) {
  constexpr std::string_view kPackageDash = "package-";
  constexpr std::string_view kDieDash = "-die-";
  const auto die = domain.find(kDieDash);
  const auto package = instance_text(domain.substr(kPackageDash.size(), die - kPackageDash.size()));
  if (die == std::string_view::npos) return fmt::format("package={}", package);
  return fmt::format("package={},die={}", package,
                     instance_text(domain.substr(die + kDieDash.size())));
}

// One power domain: its energy, and what does not move.
class Domain {
 public:
  Domain(std::span<const MetricDescriptor> metrics, std::size_t row, const std::string& instance,
         const std::string& folder)
      : name_(folder),
        row_(row),
        energy_(metrics, instance),
        facts_(metrics, instance),
        counter_file_(folder + "/energy_uj"),
        range_file_(folder + "/max_energy_range_uj") {
    if (row_ == kPackage) {
      facts_.add(kLongLimit, folder + "/constraint_0_power_limit_uw");
      facts_.add(kShortLimit, folder + "/constraint_1_power_limit_uw");
      facts_.add(kRange, folder + "/max_energy_range_uj");
    }
  }

  void read(FrameWriter& writer) {
    facts_.read(writer);
    const auto now = number(counter_file_);
    if (!now) return counter_.miss();
    const auto step = counter_.step(*now, number(range_file_));
    energy_.set(writer, row_, procfs::Value(step.total));
    if (step.reset) energy_.mark_reset(writer);
  }

  void adopt(Domain& before) {
    if (before.name_ == name_) counter_ = before.counter_;
  }

  std::optional<base::Error> error_of(std::size_t row) const {
    if (row != row_) return facts_.error_of(row);
    if (counter_file_.error() == 0) return std::nullopt;
    return base::fail_errno(counter_file_.error(), "cannot be read", counter_file_.path()).value();
  }

 private:
  static procfs::Value number(procfs::AttributeFile& file) {
    procfs::AttributeBuffer buffer;
    const auto text = file.read(buffer);
    return text ? procfs::parse_whole(*text) : std::nullopt;
  }

  std::string name_;
  std::size_t row_;
  InstanceChannels energy_;
  DeviceFiles facts_;
  procfs::AttributeFile counter_file_;
  procfs::AttributeFile range_file_;
  UnwrappedCounter counter_;
};

// Returns the instance of a domain: its package's, which for a part of a package is its parent's.
std::string instance_of(const procfs::HostRoot& root, const std::string& zone, std::size_t row) {
  if (row == kPlatform) return "domain=psys";
  const std::string parent = row == kPackage ? zone : zone.substr(0, zone.rfind(':'));
  const auto name = procfs::read_line(root.sys_path(fmt::format("{}/{}/name", kFolder, parent)));
  return name.starts_with("package-") ? package_instance(name)
                                      : fmt::format("zone={}", instance_text(zone));
}

// Boards with several packages have a platform domain each, all called psys, and firmware may call
// two packages the same: "domain=psys", "domain=psys#2".
class NumberedNames {
 public:
  std::string next(std::size_t row, std::string instance) {
    const int count = ++counts_[{row, instance}];
    return count == 1 ? std::move(instance) : fmt::format("{}#{}", instance, count);
  }

 private:
  std::map<std::pair<std::size_t, std::string>, int> counts_;
};

std::vector<Domain> scan(const procfs::HostRoot& root, std::span<const MetricDescriptor> metrics) {
  constexpr std::size_t kMaxZones = 512;
  std::vector<Domain> out;
  NumberedNames names;
  for (const auto& zone : procfs::names_in(root.sys_path(kFolder), kMaxZones)) {
    if (!zone.starts_with("intel-rapl:")) continue;
    const std::string folder = root.sys_path(fmt::format("{}/{}", kFolder, zone));
    const auto row = energy_row(procfs::read_line(folder + "/name"));
    if (row)
      out.emplace_back(metrics, *row, names.next(*row, instance_of(root, zone, *row)), folder);
  }
  return out;
}

std::vector<MetricDescriptor> rapl_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_rapl() {
  return std::make_unique<ScannedCollector<Domain>>(
      rapl_metrics(),
      ScannedSource<Domain>{
          .scan = scan,
          .watched = {kFolder},
          .none = "no power domain of the processor",
          .remedy =
              "modprobe intel_rapl_msr (Intel, AMD Zen); in a virtual machine the host has it",
          .denied_remedy = "run as root, or chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj"});
}

}  // namespace

extern const CollectorDescriptor kRaplCollector = {
    .name = "rapl",
    .help = "energy and power limits of packages",
    .make = make_rapl,
    .metrics = rapl_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

}  // namespace reveal::collect

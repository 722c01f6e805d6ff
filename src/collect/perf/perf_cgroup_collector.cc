// Cycles, instructions and cache misses per control group, for those who ask for it: each group
// costs three descriptors on every core, so both are bounded, and the kernel switches counters with
// every switch between groups.
//
// The groups are found below the hierarchy that perf counts by: the unified one, or the perf_event
// controller of version 1. Shallow ones come first, new ones are looked for every ten seconds, and
// those that are gone are missing from then on.
// https://docs.kernel.org/admin-guide/cgroup-v2.html#perf-event
#include <algorithm>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/unique_fd.h"
#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/perf/perf_rows.h"
#include "perf/event_group.h"
#include "procfs/cpu_list.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> perf_cgroup_metrics();

namespace fs = std::filesystem;
using model::MetricDescriptor;

constexpr std::size_t kMaxGroups = 128;
constexpr std::size_t kMaxDescriptors = 16384;
constexpr std::size_t kMaxScanned = 4096;  // folders
constexpr std::int64_t kScanNs = 10'000'000'000;

// Returns the root of the hierarchy; empty if there is none.
fs::path hierarchy(const procfs::HostRoot& root) {
  for (const auto* candidate : {"fs/cgroup/perf_event", "fs/cgroup/unified", "fs/cgroup"}) {
    const fs::path path = root.sys_path(candidate);
    std::error_code error;
    if (fs::exists(path / "cgroup.procs", error)) return path;
  }
  return {};
}

// Returns the groups below the root, shallow ones first: "/system.slice/ssh.service".
std::vector<std::string> groups_below(const fs::path& root) {
  std::vector<std::string> out;
  std::deque<fs::path> waiting{root};
  std::size_t scanned = 0;
  while (!waiting.empty() && scanned < kMaxScanned) {
    const fs::path folder = std::move(waiting.front());
    waiting.pop_front();
    std::error_code error;
    std::vector<fs::path> found;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      std::error_code unknown;
      if (it->is_directory(unknown) && !it->is_symlink(unknown)) found.push_back(it->path());
    }
    std::sort(found.begin(), found.end());
    for (auto& path : found) {
      if (++scanned > kMaxScanned) break;
      out.push_back("/" + path.lexically_relative(root).string());
      waiting.push_back(std::move(path));
    }
  }
  return out;
}

class PerfCgroupCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (auto live = check_live(root); !live) return live;
    hierarchy_ = hierarchy(root);
    if (hierarchy_.empty()) {
      return base::fail(base::ErrorKind::kAbsent, "no control groups that perf can count by",
                        root.sys_path("fs/cgroup"),
                        "mount cgroup2, or the perf_event controller of version 1");
    }
    procfs::TextFile online(root.sys_path("devices/system/cpu/online"));
    const auto text = online.read();
    if (!text) return base::pass(text);
    cpus_ = procfs::parse_cpu_list(*text);
    if (auto possible = probe(); !possible) return possible;
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    if (scanned_ns_ == 0 || monotonic_ns() - scanned_ns_ >= kScanNs) scan(writer);
    for (auto& group : groups_) read(writer, group);
  }

  base::Error why_absent(const MetricDescriptor& /*metric*/) const override {
    return {base::ErrorKind::kAbsent, "no control group counts it", hierarchy_.string(), ""};
  }

 private:
  struct Group {
    std::string path;
    ino_t inode;  // a group that was removed and made again is another one
    InstanceChannels channels;
    std::vector<perf::EventGroup> cores;
    bool restarted = false;
  };

  // Fails if the hierarchy's root cannot be counted: then nothing below it can.
  base::Result<void> probe() const {
    const base::UniqueFd folder(::open(hierarchy_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (cpus_.empty() || !folder.valid()) {
      return base::fail(base::ErrorKind::kAbsent, "cannot be opened", hierarchy_.string());
    }
    const auto group = perf::EventGroup::open(cpus_.front(), codes_, {.cgroup_fd = folder.get()});
    if (!group) return base::pass(group);
    return {};
  }

  std::size_t most() const {
    return std::min(kMaxGroups, kMaxDescriptors / (codes_.size() * cpus_.size()));
  }

  void scan(FrameWriter& writer) {
    scanned_ns_ = monotonic_ns();
    const auto names = groups_below(hierarchy_);
    std::erase_if(groups_, [&](Group& group) {
      const bool is_gone = inode_of(group.path) != group.inode;
      if (is_gone) group.channels.release(writer);
      return is_gone;
    });
    for (const auto& name : names) {
      if (groups_.size() >= most()) break;
      const bool known = std::any_of(groups_.begin(), groups_.end(),
                                     [&](const Group& group) { return group.path == name; });
      if (!known) add(name);
    }
  }

  ino_t inode_of(const std::string& path) const {
    struct stat status {};
    return ::stat((hierarchy_.string() + path).c_str(), &status) == 0 ? status.st_ino : 0;
  }

  void add(const std::string& name) {
    const std::string path = hierarchy_.string() + name;
    const base::UniqueFd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid()) return;
    Group group{name, inode_of(name), InstanceChannels(metrics_, "cg=" + name), {}, true};
    for (const std::uint32_t cpu : cpus_) {
      auto core = perf::EventGroup::open(cpu, codes_, {.cgroup_fd = folder.get()});
      if (!core) return;  // half of the cores would be half of the count
      group.cores.push_back(std::move(*core));
    }
    groups_.push_back(std::move(group));
  }

  void read(FrameWriter& writer, Group& group) {
    std::fill(sums_.begin(), sums_.end(), procfs::Value(0));
    for (auto& core : group.cores) {
      // A core that cannot be read leaves no sum, for half a sum would be a fall that nothing did.
      (void)core.read(counts_);
      for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (sums_[i] && counts_[i]) {
          *sums_[i] += *counts_[i];
        } else {
          sums_[i].reset();
        }
      }
    }
    group.channels.forget();
    for (std::size_t i = 0; i < sums_.size(); ++i) group.channels.set(writer, i, sums_[i]);
    if (group.restarted) group.channels.mark_reset(writer);
    group.restarted = false;
  }

  static std::vector<perf::EventCode> codes() {
    std::vector<perf::EventCode> out;
    for (const auto& event : perf::cgroup_events()) out.push_back(event.code);
    return out;
  }

  std::vector<MetricDescriptor> metrics_ = perf_cgroup_metrics();
  std::vector<perf::EventCode> codes_ = codes();
  std::vector<perf::ScaledCount> counts_ = std::vector<perf::ScaledCount>(codes_.size());
  std::vector<procfs::Value> sums_ = std::vector<procfs::Value>(codes_.size());
  fs::path hierarchy_;
  std::vector<std::uint32_t> cpus_;
  std::vector<Group> groups_;
  std::int64_t scanned_ns_ = 0;
};

std::vector<MetricDescriptor> perf_cgroup_metrics() {
  auto out = metrics_of_events(perf::cgroup_events());
  for (auto& metric : out) metric.scope = model::Scope::kCgroup;
  return out;
}

std::unique_ptr<Collector> make_perf_cgroup() {
  return std::make_unique<PerfCgroupCollector>();
}

}  // namespace

extern const CollectorDescriptor kPerfCgroupCollector = {
    .name = "perf_cgroup",
    .help = "performance counters per control group",
    .make = make_perf_cgroup,
    .metrics = perf_cgroup_metrics,
    .poll_class = PollClass::kMedium,
    .opt_in = true,
};

}  // namespace reveal::collect

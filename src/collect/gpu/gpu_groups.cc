#include "collect/gpu/gpu_groups.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <tuple>
#include <utility>

namespace reveal::collect {
namespace {

using model::MetricDescriptor;

// After so long a reading is no longer the GPU's: twice its cadence, and patience.
constexpr std::int64_t kLongestAgeNs = 5'000'000'000;
constexpr std::int64_t kLongestShareAgeNs = 23'000'000'000;
constexpr std::uint64_t kAll = 100;  // percent
constexpr std::uint64_t kWorks = 5;  // percent: less is a monitor
constexpr std::int64_t kLongestPauseNs = 30'000'000'000;

enum Row : std::size_t { kShare, kMemory, kOthers };

constexpr MetricDescriptor row(model::Scope scope, std::string_view unit, std::string_view source,
                               std::string_view alias, std::string_view name,
                               std::string_view label, std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.subsystem = model::Subsystem::kGpu;
  out.scope = scope;
  out.scale = unit == "ratio" ? 0.01 : 1.0;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.nvidia.com/deploy/nvml-api/";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor kRows[] = {
    row(model::Scope::kCgroup, "ratio", "nvml nvmlDeviceGetProcessUtilization smUtil by group",
        "cgroup.sm_util", "gpu_cgroup_sm_busy_ratio", "Control group GPU use",
        "Share of the SMs' time that the group's processes took on the GPU, by the driver's "
        "samples.",
        20),
    row(model::Scope::kCgroup, "bytes",
        "nvml nvmlDeviceGetComputeRunningProcesses usedGpuMemory by group",
        "cgroup.used_gpu_memory", "gpu_cgroup_memory_used_bytes", "Control group GPU memory",
        "GPU memory in the compute contexts of the group's processes.", 40),
    row(model::Scope::kGpu, "ratio", "nvml nvmlDeviceGetProcessUtilization smUtil of other groups",
        "sm_util.others", "gpu_shared_sm_busy_ratio", "GPU use beside the main group's",
        "Share of the SMs' time that control groups took together beside the one that has worked "
        "there longest; 0 where one group has the GPU to itself.",
        15),
};

void write_value(FrameWriter& writer, model::ChannelId id, std::uint64_t value, bool fresh) {
  writer.set(id, value);
  if (!fresh) writer.repeat(id, model::Validity::kStale);
}

}  // namespace

std::vector<MetricDescriptor> gpu_group_metrics() {
  return {std::begin(kRows), std::end(kRows)};
}

GpuGroups::GpuGroups(std::string bus_id, const ProcessGroups& groups)
    : bus_id_(std::move(bus_id)), processes_(groups), metrics_(gpu_group_metrics()) {}

void GpuGroups::collect(FrameWriter& writer, const gpu::SharedUse& use, std::int64_t now_ns) {
  const std::int64_t shares_before_ns = shares_ns_;
  const bool fresh = use.read_ns.load(std::memory_order_acquire) != read_ns_ && take(use);
  if (read_ns_ == 0 || now_ns - read_ns_ > kLongestAgeNs) return;
  const bool shares_known = shares_ns_ != 0 && now_ns - shares_ns_ <= kLongestShareAgeNs;
  const bool shares_fresh = fresh && shares_ns_ != shares_before_ns;
  std::size_t told = 0;
  for (const Sum& sum : sums_) {
    if (sum.group.empty() || ++told > kMost) continue;
    Channels& channels = channels_of(sum.group, writer);
    if (!channels.share && shares_known) {
      channels.share = writer.add_channel(metrics_[kShare], instance_of(sum.group));
    }
    if (!channels.memory && sum.bytes) {
      channels.memory = writer.add_channel(metrics_[kMemory], instance_of(sum.group));
    }
    if (shares_known)
      write_value(writer, *channels.share, std::min(sum.percent, kAll), shares_fresh);
    if (sum.bytes) write_value(writer, *channels.memory, *sum.bytes, fresh);
  }
  const auto others = shares_known ? percent_of_others() : std::nullopt;
  // That nobody is there to share with is as new as the list of processes.
  const bool alone = sums_.size() < 2;
  if (!others) return;
  if (!others_) others_ = writer.add_channel(metrics_[kOthers], instance_of({}));
  write_value(writer, *others_, *others, alone ? fresh : shares_fresh);
}

// Returns the instance of a group's channels, or of the GPU's own.
std::string GpuGroups::instance_of(std::string_view group) const {
  return std::string(group).append(group.empty() ? "gpu=" : ",gpu=").append(bus_id_);
}

// Copies what another process may be writing. Returns whether it was not.
bool GpuGroups::take(const gpu::SharedUse& use) {
  const std::uint32_t generation = use.generation.load();
  if (generation % 2 != 0) return false;
  const std::int64_t read_ns = use.read_ns.load();
  const std::int64_t shares_ns = use.shares_ns;
  const auto count = std::min(use.count, gpu::kMaxProcesses);
  std::vector<gpu::SharedProcessUse> processes(use.processes, use.processes + count);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (use.generation.load() != generation) return false;
  const bool is_new_share = shares_ns != shares_ns_;
  read_ns_ = read_ns;
  shares_ns_ = shares_ns;
  add_up(processes);
  if (is_new_share) note_who_works();
  return true;
}

void GpuGroups::add_up(const std::vector<gpu::SharedProcessUse>& processes) {
  sums_.clear();
  auto before = std::exchange(known_, {});
  for (const auto& process : processes) {
    auto group = processes_.group_of(process.pid);
    if (group.empty()) group = before[process.pid];
    known_[process.pid] = group;
    auto sum = std::find_if(sums_.begin(), sums_.end(),
                            [&](const Sum& one) { return one.group == group; });
    if (sum == sums_.end()) sum = sums_.insert(sums_.end(), Sum{.group = group});
    if (process.sm_percent != gpu::kUnknownShare) sum->percent += process.sm_percent;
    if (process.bytes == gpu::kUnknownMemory) sum->bytes.reset();
    if (sum->bytes) *sum->bytes += process.bytes;
  }
  std::sort(sums_.begin(), sums_.end(), [](const Sum& a, const Sum& b) {
    return std::tuple(b.percent, b.bytes, a.group) < std::tuple(a.percent, a.bytes, b.group);
  });
}

void GpuGroups::note_who_works() {
  std::map<std::string, Worked, std::less<>> still;
  for (const Sum& sum : sums_) {
    const auto known = worked_.find(sum.group);
    const bool has_context = !sum.bytes || *sum.bytes > 0;
    if (sum.percent >= kWorks) {
      const bool came_back = known != worked_.end() && has_context;
      still[sum.group] = {came_back ? known->second.since_ns : shares_ns_, shares_ns_};
    } else if (known != worked_.end() && has_context &&
               shares_ns_ - known->second.last_ns <= kLongestPauseNs) {
      still[sum.group] = known->second;
    }
  }
  worked_ = std::move(still);
}

// Of those that began at once, or if nobody works, that of the one that takes most.
std::uint64_t GpuGroups::percent_of_main() const {
  const Sum* main = nullptr;
  std::int64_t longest_ns = 0;
  for (const Sum& sum : sums_) {
    const auto worked = worked_.find(sum.group);
    const auto for_ns = worked == worked_.end() ? 0 : shares_ns_ - worked->second.since_ns;
    if (main == nullptr || for_ns > longest_ns) {
      main = &sum;
      longest_ns = for_ns;
    }
  }
  return main == nullptr ? 0 : main->percent;
}

// Nothing if of all who work there nobody's group is known: they may all be of one job.
std::optional<std::uint64_t> GpuGroups::percent_of_others() const {
  std::uint64_t all = 0;
  bool known = false;
  for (const Sum& sum : sums_) {
    all += sum.percent;
    known = known || (sum.percent > 0 && !sum.group.empty());
  }
  if (all > 0 && !known) return std::nullopt;
  return std::min(all - percent_of_main(), kAll);
}

GpuGroups::Channels& GpuGroups::channels_of(const std::string& group, FrameWriter& writer) {
  if (channels_.size() >= kMostKept && channels_.find(group) == channels_.end()) {
    release_idle(writer);
  }
  return channels_[group];
}

// Gives back the channels of groups that do not work here now.
void GpuGroups::release_idle(FrameWriter& writer) {
  for (auto it = channels_.begin(); it != channels_.end();) {
    const bool works = std::any_of(sums_.begin(), sums_.end(),
                                   [&](const Sum& sum) { return sum.group == it->first; });
    if (works) {
      ++it;
      continue;
    }
    if (it->second.share) writer.release_channel(*it->second.share);
    if (it->second.memory) writer.release_channel(*it->second.memory);
    it = channels_.erase(it);
  }
}

}  // namespace reveal::collect

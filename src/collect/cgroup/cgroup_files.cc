// Which file of a control group says what. Version 1 counts in ns and in pages where version 2
// counts in us and in bytes; both become the same quantities here.
#include <array>
#include <charconv>
#include <limits>

#include <unistd.h>

#include "collect/cgroup/cgroup_quantities.h"
#include "procfs/cgroup_text.h"
#include "procfs/cpu_list.h"
#include "procfs/pressure.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

using procfs::Value;
using Q = CgroupQuantity;
using A = CgroupAlternative;

struct KeyOf {
  std::string_view key;
  Q quantity;
  std::uint64_t factor = 1;
};

constexpr std::uint64_t kNsPerUs = 1000;
constexpr std::uint64_t kNsPerTick = 10'000'000;  // USER_HZ is 100 on every Linux of today

void set_scaled(CgroupSink& sink, Q quantity, Value value, std::uint64_t factor) {
  if (!value || *value > std::numeric_limits<std::uint64_t>::max() / factor) return;
  sink.set(quantity, *value * factor);
}

// Lines of a key and a number.
template <std::size_t N>
void parse_keys(std::string_view text, CgroupSink& sink, const KeyOf (&keys)[N]) {
  procfs::LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    procfs::WordCursor words(line);
    std::string_view key;
    Value value;
    if (!words.next(key) || !words.next(value)) continue;
    for (const KeyOf& wanted : keys) {
      if (wanted.key == key) set_scaled(sink, wanted.quantity, value, wanted.factor);
    }
  }
}

template <Q quantity>
void parse_number(std::string_view text, std::string_view, CgroupSink& sink) {
  if (const Value value = procfs::parse_single(text)) sink.set(quantity, *value);
}

void parse_cpu_stat(std::string_view text, std::string_view, CgroupSink& sink) {
  static constexpr KeyOf kKeys[] = {
      {"usage_usec", Q::kUsage, kNsPerUs},    {"user_usec", Q::kUser, kNsPerUs},
      {"system_usec", Q::kSystem, kNsPerUs},  {"nr_periods", Q::kPeriods},
      {"nr_throttled", Q::kThrottledPeriods}, {"throttled_usec", Q::kThrottledTime, kNsPerUs},
      {"throttled_time", Q::kThrottledTime}};  // version 1
  parse_keys(text, sink, kKeys);
}

void parse_cpuacct_stat(std::string_view text, std::string_view, CgroupSink& sink) {
  static constexpr KeyOf kKeys[] = {{"user", Q::kUser, kNsPerTick},
                                    {"system", Q::kSystem, kNsPerTick}};
  parse_keys(text, sink, kKeys);
}

template <Q some>
void parse_some(std::string_view text, std::string_view, CgroupSink& sink) {
  const auto pressure = procfs::parse_pressure(text);
  if (pressure.some_us) sink.set(some, *pressure.some_us);
}

template <Q some, Q full>
void parse_some_and_full(std::string_view text, std::string_view, CgroupSink& sink) {
  const auto pressure = procfs::parse_pressure(text);
  if (pressure.some_us) sink.set(some, *pressure.some_us);
  if (pressure.full_us) sink.set(full, *pressure.full_us);
}

void parse_memory_events(std::string_view text, std::string_view, CgroupSink& sink) {
  static constexpr KeyOf kKeys[] = {{"high", Q::kMemoryHigh},
                                    {"max", Q::kMemoryLimitHits},
                                    {"oom", Q::kMemoryOom},
                                    {"oom_kill", Q::kMemoryOomKills}};
  parse_keys(text, sink, kKeys);
}

void parse_oom_control(std::string_view text, std::string_view, CgroupSink& sink) {
  static constexpr KeyOf kKeys[] = {{"oom_kill", Q::kMemoryOomKills}};
  parse_keys(text, sink, kKeys);
}

void parse_pids_events(std::string_view text, std::string_view, CgroupSink& sink) {
  static constexpr KeyOf kKeys[] = {{"max", Q::kTaskLimitHits}};
  parse_keys(text, sink, kKeys);
}

void parse_events(std::string_view text, std::string_view, CgroupSink& sink) {
  static constexpr KeyOf kKeys[] = {{"frozen", Q::kFrozen}};
  parse_keys(text, sink, kKeys);
}

// THAWED, FREEZING or FROZEN.
void parse_freezer_state(std::string_view text, std::string_view, CgroupSink& sink) {
  procfs::LineCursor lines(text);
  if (std::string_view state; lines.next(state)) sink.set(Q::kFrozen, state == "FROZEN" ? 1 : 0);
}

void parse_hugetlb(std::string_view text, std::string_view size, CgroupSink& sink) {
  if (const Value value = procfs::parse_single(text))
    sink.set_part(Q::kHugetlb, "size", size, *value);
}

void parse_io_stat(std::string_view text, std::string_view, CgroupSink& sink) {
  procfs::for_nested_keys(text, [&](auto device, auto key, std::uint64_t value) {
    if (key == "rbytes") sink.set_device(Q::kReadBytes, device, value);
    if (key == "wbytes") sink.set_device(Q::kWrittenBytes, device, value);
    if (key == "rios") sink.set_device(Q::kReads, device, value);
    if (key == "wios") sink.set_device(Q::kWrites, device, value);
  });
}

template <Q reads, Q writes>
void parse_blkio(std::string_view text, std::string_view, CgroupSink& sink) {
  procfs::for_blkio_operations(text, [&](auto device, auto operation, std::uint64_t value) {
    if (operation == "Read") sink.set_device(reads, device, value);
    if (operation == "Write") sink.set_device(writes, device, value);
  });
}

void parse_rdma(std::string_view text, std::string_view, CgroupSink& sink) {
  procfs::for_nested_keys(text, [&](auto adapter, auto key, std::uint64_t value) {
    if (key == "hca_handle") sink.set_part(Q::kRdmaHandles, "dev", adapter, value);
    if (key == "hca_object") sink.set_part(Q::kRdmaObjects, "dev", adapter, value);
  });
}

void parse_memory_stat(std::string_view text, std::string_view, CgroupSink& sink) {
  static constexpr KeyOf kKeys[] = {{"anon", Q::kAnonymous},
                                    {"file", Q::kFile},
                                    {"shmem", Q::kShared},
                                    {"file_dirty", Q::kFileDirty},
                                    {"file_writeback", Q::kFileWriteback},
                                    {"unevictable", Q::kUnevictable},
                                    {"slab", Q::kSlab},
                                    {"pgfault", Q::kFaults},
                                    {"pgmajfault", Q::kMajorFaults},
                                    {"workingset_refault_file", Q::kRefaultsFile},
                                    {"workingset_refault_anon", Q::kRefaultsAnonymous}};
  parse_keys(text, sink, kKeys);
}

// Of version 1 only the totals count a group's children, as all of version 2 does.
void parse_v1_memory_stat(std::string_view text, std::string_view, CgroupSink& sink) {
  static constexpr KeyOf kKeys[] = {{"total_rss", Q::kAnonymous},
                                    {"total_cache", Q::kFile},
                                    {"total_shmem", Q::kShared},
                                    {"total_dirty", Q::kFileDirty},
                                    {"total_writeback", Q::kFileWriteback},
                                    {"total_unevictable", Q::kUnevictable},
                                    {"total_pgfault", Q::kFaults},
                                    {"total_pgmajfault", Q::kMajorFaults},
                                    {"total_workingset_refault_file", Q::kRefaultsFile},
                                    {"total_workingset_refault_anon", Q::kRefaultsAnonymous}};
  parse_keys(text, sink, kKeys);
}

void set_node(CgroupSink& sink, std::uint64_t node, std::uint64_t bytes) {
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), node).ptr;
  sink.set_part(Q::kNodeAnonymous, "node",
                {digits.data(), static_cast<std::size_t>(end - digits.data())}, bytes);
}

void parse_numa_stat(std::string_view text, std::string_view, CgroupSink& sink) {
  procfs::for_nested_keys(text, [&](auto name, auto key, std::uint64_t bytes) {
    if (name != "anon") return;
    if (const Value node = procfs::parse_numa_node(key)) set_node(sink, *node, bytes);
  });
}

void parse_v1_numa_stat(std::string_view text, std::string_view, CgroupSink& sink) {
  static const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  procfs::for_v1_numa_nodes(
      text, "hierarchical_anon",
      [&](std::uint64_t node, std::uint64_t pages) { set_node(sink, node, pages * page_bytes); });
}

// Version 1 writes the largest number of pages that there is for "no limit".
void parse_memory_limit(std::string_view text, std::string_view, CgroupSink& sink) {
  constexpr std::uint64_t kUnlimited = 1ULL << 62;
  const Value limit = procfs::parse_single(text);
  if (limit && *limit < kUnlimited) sink.set(Q::kMemoryLimit, *limit);
}

// The quota in millionths of a core.
void set_quota(CgroupSink& sink, std::uint64_t quota_us, std::uint64_t period_us) {
  constexpr std::uint64_t kMillion = 1'000'000;
  if (period_us == 0 || quota_us > std::numeric_limits<std::uint64_t>::max() / kMillion) return;
  sink.set(Q::kCpuQuota, quota_us * kMillion / period_us);
}

void parse_cpu_max(std::string_view text, std::string_view, CgroupSink& sink) {
  if (const auto max = procfs::parse_cpu_max(text)) set_quota(sink, max->quota_us, max->period_us);
}

void parse_cfs_period(std::string_view text, std::string_view, CgroupSink& sink) {
  sink.cfs_period_us = procfs::parse_single(text).value_or(0);
}

void parse_cfs_quota(std::string_view text, std::string_view, CgroupSink& sink) {
  if (const Value quota = procfs::parse_single(text)) set_quota(sink, *quota, sink.cfs_period_us);
}

template <Q quantity>
void parse_list(std::string_view text, std::string_view, CgroupSink& sink) {
  procfs::LineCursor lines(text);
  if (std::string_view line; lines.next(line)) sink.list(quantity, line);
}

}  // namespace

std::vector<CgroupFile> cgroup_files(const std::vector<std::string>& page_sizes) {
  std::vector<CgroupFile> out = {
      {"cpuacct", "cpuacct.usage", parse_number<Q::kUsage>, A::kUsage},
      {"cpuacct", "cpuacct.usage_user", parse_number<Q::kUser>, A::kUserTime},
      {"cpuacct", "cpuacct.usage_sys", parse_number<Q::kSystem>},
      {"cpuacct", "cpuacct.stat", parse_cpuacct_stat, A::kUserTime},  // older kernels
      {"cpu", "cpu.stat", parse_cpu_stat},
      {"memory", "memory.usage_in_bytes", parse_number<Q::kMemory>},
      {"memory", "memory.failcnt", parse_number<Q::kMemoryLimitHits>},
      {"memory", "memory.oom_control", parse_oom_control},
      {"blkio", "blkio.throttle.io_service_bytes_recursive",
       parse_blkio<Q::kReadBytes, Q::kWrittenBytes>, A::kIoBytes},
      {"blkio", "blkio.throttle.io_service_bytes", parse_blkio<Q::kReadBytes, Q::kWrittenBytes>,
       A::kIoBytes},
      {"blkio", "blkio.throttle.io_serviced_recursive", parse_blkio<Q::kReads, Q::kWrites>,
       A::kIos},
      {"blkio", "blkio.throttle.io_serviced", parse_blkio<Q::kReads, Q::kWrites>, A::kIos},
      {"pids", "pids.current", parse_number<Q::kTasks>},
      {"pids", "pids.events", parse_pids_events},
      {"freezer", "freezer.state", parse_freezer_state},
      {"rdma", "rdma.current", parse_rdma},
      {"", "cpu.stat", parse_cpu_stat, A::kUsage},
      {"", "cpu.pressure", parse_some<Q::kCpuPressure>},
      {"", "memory.current", parse_number<Q::kMemory>},
      {"", "memory.swap.current", parse_number<Q::kSwap>},
      {"", "memory.events", parse_memory_events},
      {"", "memory.pressure", parse_some_and_full<Q::kMemoryPressureSome, Q::kMemoryPressureFull>},
      {"", "io.stat", parse_io_stat},
      {"", "io.pressure", parse_some_and_full<Q::kIoPressureSome, Q::kIoPressureFull>},
      {"", "pids.current", parse_number<Q::kTasks>},
      {"", "pids.events", parse_pids_events},
      {"", "cgroup.events", parse_events},
      {"", "rdma.current", parse_rdma},
  };
  for (const auto& size : page_sizes) {
    out.push_back(
        {"hugetlb", "hugetlb." + size + ".usage_in_bytes", parse_hugetlb, A::kNone, size});
    out.push_back({"", "hugetlb." + size + ".current", parse_hugetlb, A::kNone, size});
  }
  return out;
}

std::vector<CgroupFile> cgroup_detail_files() {
  return {
      {"memory", "memory.stat", parse_v1_memory_stat},
      {"memory", "memory.numa_stat", parse_v1_numa_stat},
      {"memory", "memory.limit_in_bytes", parse_memory_limit},
      {"cpu", "cpu.cfs_period_us", parse_cfs_period},
      {"cpu", "cpu.cfs_quota_us", parse_cfs_quota},
      {"cpuset", "cpuset.effective_cpus", parse_list<Q::kAllowedCores>},
      {"cpuset", "cpuset.effective_mems", parse_list<Q::kAllowedNodes>},
      {"", "memory.stat", parse_memory_stat},
      {"", "memory.numa_stat", parse_numa_stat},
      {"", "memory.max", parse_memory_limit},
      {"", "cpu.max", parse_cpu_max},
      {"", "cpuset.cpus.effective", parse_list<Q::kAllowedCores>},
      {"", "cpuset.mems.effective", parse_list<Q::kAllowedNodes>},
  };
}

}  // namespace reveal::collect

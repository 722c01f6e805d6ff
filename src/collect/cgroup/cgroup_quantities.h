// The metrics of a control group and their files: one table for each of the two collectors, for
// cheap files and for files for which the kernel adds up its per-core counts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collect/parts/metric_rows.h"
#include "model/metric.h"

namespace reveal::collect {

enum class CgroupQuantity : std::uint8_t {
  // cgroup
  kUsage,
  kUser,
  kSystem,
  kPeriods,
  kThrottledPeriods,
  kThrottledTime,
  kCpuPressure,
  kTasks,
  kTaskLimitHits,
  kFrozen,
  kMemory,
  kSwap,
  kMemoryHigh,
  kMemoryLimitHits,
  kMemoryOom,
  kMemoryOomKills,
  kMemoryPressureSome,
  kMemoryPressureFull,
  kHugetlb,
  kReadBytes,
  kWrittenBytes,
  kReads,
  kWrites,
  kIoPressureSome,
  kIoPressureFull,
  kRdmaHandles,
  kRdmaObjects,
  // cgroup_detail
  kAnonymous,
  kFile,
  kShared,
  kFileDirty,
  kFileWriteback,
  kUnevictable,
  kSlab,
  kFaults,
  kMajorFaults,
  kRefaultsFile,
  kRefaultsAnonymous,
  kNodeAnonymous,
  kMemoryLimit,
  kCpuQuota,
  kAllowedCores,
  kAllowedNodes,
};
inline constexpr std::size_t kCgroupQuantities =
    static_cast<std::size_t>(CgroupQuantity::kAllowedNodes) + 1;

using CgroupRow = MetricRow<CgroupQuantity>;

std::span<const CgroupRow> cgroup_rows();
std::span<const CgroupRow> cgroup_detail_rows();

// Takes what a file says. Names of parts are "size=2MB", "dev=sda", "node=0".
class CgroupSink {
 public:
  virtual ~CgroupSink() = default;
  virtual void set(CgroupQuantity quantity, std::uint64_t value) = 0;
  virtual void set_part(CgroupQuantity quantity, std::string_view key, std::string_view name,
                        std::uint64_t value) = 0;
  // The same for the block device of that number, "259:0".
  virtual void set_device(CgroupQuantity quantity, std::string_view number,
                          std::uint64_t value) = 0;
  // States which cores or nodes the group may use, as the kernel lists them.
  virtual void list(CgroupQuantity quantity, std::string_view list) = 0;

  // Of version 1, whose quota and period are two files; 0: not read.
  std::uint64_t cfs_period_us = 0;
};

// Files of one alternative say the same: of those, only the first that a group has is read.
enum class CgroupAlternative : std::uint8_t { kNone, kUsage, kUserTime, kIoBytes, kIos };

struct CgroupFile {
  std::string_view controller;  // empty for version 2, whose one hierarchy has all
  std::string name;
  void (*parse)(std::string_view text, std::string_view part, CgroupSink& sink);
  CgroupAlternative alternative = CgroupAlternative::kNone;
  std::string part{};  // given to parse: the page size of "hugetlb.2MB.current"
};

// `page_sizes` are those that the kernel has huge pages of: "2MB", "1GB".
std::vector<CgroupFile> cgroup_files(const std::vector<std::string>& page_sizes);
std::vector<CgroupFile> cgroup_detail_files();

}  // namespace reveal::collect

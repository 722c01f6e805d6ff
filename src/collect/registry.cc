#include "collect/registry.h"

#include <algorithm>
#include <vector>

// A collector's row stands at the end of its own file; here is its place in reports and recordings.
#define REVEAL_COLLECTORS(X)        \
  X(kStatCollector)                 \
  X(kSoftirqsCollector)             \
  X(kInterruptsCollector)           \
  X(kLoadavgCollector)              \
  X(kSchedstatCollector)            \
  X(kSysctlCollector)               \
  X(kCpuFactsCollector)             \
  X(kHostFactsCollector)            \
  X(kIrqAffinityCollector)          \
  X(kPciNodeCollector)              \
  X(kMeminfoCollector)              \
  X(kVmstatCollector)               \
  X(kBuddyinfoCollector)            \
  X(kNumastatCollector)             \
  X(kNodeMeminfoCollector)          \
  X(kNodeDistanceCollector)         \
  X(kHugepagesCollector)            \
  X(kZoneinfoCollector)             \
  X(kKsmCollector)                  \
  X(kFileHandlesCollector)          \
  X(kInodesCollector)               \
  X(kDiskstatsCollector)            \
  X(kDiskInflightCollector)         \
  X(kDiskQueueCollector)            \
  X(kRaidCollector)                 \
  X(kMultipathCollector)            \
  X(kFibreChannelCollector)         \
  X(kFilesystemCollector)           \
  X(kNfsCollector)                  \
  X(kNfsMountsCollector)            \
  X(kNfsdCollector)                 \
  X(kJournalCollector)              \
  X(kXfsCollector)                  \
  X(kBtrfsCollector)                \
  X(kZfsCollector)                  \
  X(kBcacheCollector)               \
  X(kLustreCollector)               \
  X(kNetDevCollector)               \
  X(kNetLinkCollector)              \
  X(kBondingCollector)              \
  X(kInfinibandTrafficCollector)    \
  X(kInfinibandCountersCollector)   \
  X(kInfinibandHwCountersCollector) \
  X(kInfinibandPortsCollector)      \
  X(kTcpSocketsCollector)           \
  X(kQdiscCollector)                \
  X(kRdmaResourcesCollector)        \
  X(kEthtoolStatisticsCollector)    \
  X(kEthtoolSettingsCollector)      \
  X(kOpticsCollector)               \
  X(kSnmpCollector)                 \
  X(kSnmp6Collector)                \
  X(kNetstatCollector)              \
  X(kNetstatDetailCollector)        \
  X(kSoftnetCollector)              \
  X(kSockstatCollector)             \
  X(kSockstat6Collector)            \
  X(kUdpQueuesCollector)            \
  X(kConntrackCollector)            \
  X(kNeighborsCollector)            \
  X(kPressureCpuCollector)          \
  X(kPressureMemoryCollector)       \
  X(kPressureIoCollector)           \
  X(kPressureIrqCollector)          \
  X(kNvmlCollector)                 \
  X(kKmsgCollector)                 \
  X(kCgroupCollector)               \
  X(kCgroupDetailCollector)         \
  X(kCgroupNetworkCollector)        \
  X(kProcessCollector)              \
  X(kClockCollector)                \
  X(kRecorderTickCollector)         \
  X(kRecorderProcessCollector)      \
  X(kRecorderSourcesCollector)      \
  X(kPerfSoftwareCollector)         \
  X(kPerfCoreCollector)             \
  X(kPerfMsrCollector)              \
  X(kPerfCstateCollector)           \
  X(kPerfPowerCollector)            \
  X(kPerfUncoreCollector)           \
  X(kPerfCgroupCollector)           \
  X(kCpufreqCollector)              \
  X(kCpufreqLimitsCollector)        \
  X(kCpuidleCollector)              \
  X(kCpuidleDetailCollector)        \
  X(kThermalThrottleCollector)      \
  X(kUncoreFrequencyCollector)      \
  X(kRaplCollector)                 \
  X(kThermalCollector)              \
  X(kHwmonCollector)                \
  X(kEdacCollector)                 \
  X(kPciLinkCollector)              \
  X(kPciAerCollector)               \
  X(kAmdgpuCollector)               \
  X(kNvmeSmartCollector)

namespace reveal::collect {

#define REVEAL_DECLARE(row) extern const CollectorDescriptor row;
REVEAL_COLLECTORS(REVEAL_DECLARE)
#undef REVEAL_DECLARE

std::span<const CollectorDescriptor> registry() {
#define REVEAL_LIST(row) row,
  static const std::vector<CollectorDescriptor> all{REVEAL_COLLECTORS(REVEAL_LIST)};
#undef REVEAL_LIST
  return all;
}

const CollectorDescriptor* find_collector(std::string_view name) {
  const auto found = std::ranges::find(registry(), name, &CollectorDescriptor::name);
  return found == registry().end() ? nullptr : &*found;
}

}  // namespace reveal::collect

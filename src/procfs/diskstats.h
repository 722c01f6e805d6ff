// /proc/diskstats: what every block device, whole or a partition, has done since it appeared; and
// /sys/block/*/stat, which has the same of one device.
// https://docs.kernel.org/admin-guide/iostats.html, https://docs.kernel.org/block/stat.html
//
// Statistics per line: 11 (2.6.25), 15 with discards (4.18), 17 with flushes (5.5). Lines with
// fewer than 11 are partitions of kernels before 2.6.25, whose columns mean something else: they
// are left out. Times in ms are 32-bit in the kernel and wrap, the other counters are 64-bit.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

// The kernel document's "Field N" is index N - 1.
enum class DiskField : std::uint8_t {
  kReads,
  kReadsMerged,
  kSectorsRead,
  kReadMs,
  kWrites,
  kWritesMerged,
  kSectorsWritten,
  kWriteMs,
  kInFlight,
  kBusyMs,
  kQueueMs,
  kDiscards,
  kDiscardsMerged,
  kSectorsDiscarded,
  kDiscardMs,
  kFlushes,
  kFlushMs,
};
inline constexpr std::size_t kDiskFieldCount = 17;

struct DiskStats {
  std::string_view name;
  std::array<Value, kDiskFieldCount> fields;

  Value operator[](DiskField field) const { return fields[static_cast<std::size_t>(field)]; }
};

// Overwrites `out` with the devices in the order of the file. Names point into the text.
void parse_diskstats(std::string_view text, std::vector<DiskStats>& out);

// Overwrites `fields` with the line of a device's own file. Returns false if it is not one.
bool parse_disk_stat(std::string_view text, std::array<Value, kDiskFieldCount>& fields);

}  // namespace reveal::procfs

// /proc/loadavg: how many tasks ran or waited, smoothed over minutes, and how many there are now.
// https://docs.kernel.org/filesystems/proc.html#kernel-data
//
//   0.20 0.18 0.12 1/80 11206
//
// Tasks in uninterruptible sleep count as load too. The last number, the latest process id, is not
// read: it says nothing about the host.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

// Reads the values of the keys "1min", "5min" and "15min" (in hundredths), "runnable" and "tasks".
class LoadavgLayout {
 public:
  explicit LoadavgLayout(std::vector<std::string_view> keys) : keys_(std::move(keys)) {}
  std::size_t size() const { return keys_.size(); }
  // Overwrites `values`, by key. REQUIRES: values.size() == size().
  void read(std::string_view text, std::span<Value> values) const;

 private:
  std::vector<std::string_view> keys_;
};

}  // namespace reveal::procfs

// The queues of a network interface as sysfs shows them, and on which cores the kernel spreads
// their packets (RPS and XPS).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collect/parts/fact_text.h"
#include "procfs/attribute.h"
#include "procfs/cpu_mask.h"

namespace reveal::collect {

// What the queues of one direction have.
struct QueueSteering {
  std::uint64_t queues = 0;
  std::uint64_t masks = 0;  // that could be read
  bool complete = false;    // all of them
  procfs::CpuMask cpus{};   // of any queue
  std::string text{};       // "ff (4 queues), 0f": the masks in the order of the queues
};

// Reads <folder>/queues; `prefix` is "rx-" or "tx-", `file` the mask's name in a queue's folder. At
// most the first 64 queues have their masks read: XPS masks are behind the kernel's largest lock.
class QueueReader {
 public:
  QueueReader(std::string prefix, std::string file)
      : prefix_(std::move(prefix)), file_(std::move(file)) {}

  const QueueSteering& read(const std::string& folder, procfs::AttributeReader& reader);

 private:
  void add_mask(std::string_view mask);
  void end_run();

  std::string prefix_;
  std::string file_;
  std::vector<std::string> names_;
  std::string path_;
  std::string run_mask_;  // of the queues at hand
  std::uint64_t run_ = 0;
  QueueSteering steering_;
};

}  // namespace reveal::collect

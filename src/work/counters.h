// Which channels may tell how much a job gets done: counters of things that were finished (bytes,
// packets, pages, reads), never times, and nothing that a fault itself raises (interrupts, context
// switches, retransmissions, refaults). A fault makes a job wait; it does not change how many bytes
// a step exchanges, or how many pages it frees.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/metric.h"

namespace reveal::work {

// What is counted. Channels of one quantity say the same thing (the bytes of a device, the bytes of
// the protocol above it); two quantities are two witnesses.
enum class Quantity : std::uint8_t {
  kBytesReceived,
  kBytesSent,
  kPacketsReceived,
  kPacketsSent,
  kSegmentsReceived,
  kSegmentsSent,
  kPages,
  kPageFaults,
  kBytesRead,
  kReads,
  kBytesWritten,
  kWrites,
  kPinnedPages,
  kInstructions,
  // No work, but it tells which control group's work something is.
  kGroupTime,
  // Of GPUs; these are levels, not counts.
  kGpuBusy,
  kGpuSm,
  kGpuClock,
  kGpuPower,
  kGpuTensor,
  kGpuFloat,
  kGpuMemory,
  kGpuPcie,
  kGpuNvlink,
  // No work, but they tell whether a job is on the GPU, and whether others are.
  kGpuHeld,
  kGpuShared,
};

// A row of the table of candidates.
struct WorkCounter {
  std::string_view metric;
  Quantity quantity;
  model::Subsystem resource;  // the one whose work it counts
};

// Returns all of them, by resource.
std::span<const WorkCounter> work_counters();

// Returns the row of a metric; nothing if it does not count work.
const WorkCounter* find_work_counter(std::string_view metric);

// Returns whether the quantity is work itself, and not what only tells whose work something is.
bool is_work(Quantity quantity);

// Returns the resource whose work the quantity counts, and a noun for sentences ("bytes received").
model::Subsystem resource_of(Quantity quantity);
std::string_view to_string(Quantity quantity);

}  // namespace reveal::work

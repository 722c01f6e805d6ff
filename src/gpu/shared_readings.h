// The memory that a reader process and the recorder share: the reader writes what the driver said
// last, the recorder looks at it whenever it ticks. Neither ever waits for the other, and a reader
// that is killed in the middle of a write leaves at worst one old number.
//
// Numbers are atomic one by one. Texts are guarded by a generation, which is odd while they are
// written. The memory begins as zeros. Nothing in it is believed without bounds: the driver's
// library lives in the reader, and may have written anywhere.
#pragma once

#include <atomic>
#include <cstdint>

#include "gpu/signals.h"

namespace reveal::gpu {

inline constexpr unsigned kMaxGpus = 32;
inline constexpr unsigned kMaxLinks = 18;
inline constexpr unsigned kMaxInstances = 32;  // over the life of a reader
inline constexpr unsigned kMaxProcesses = 32;
inline constexpr unsigned kMaxEvents = 64;

struct SharedReading {
  std::atomic<std::uint64_t> bits;
  std::atomic<std::int64_t> read_ns;  // CLOCK_MONOTONIC; 0 before the first
  std::atomic<std::int32_t> result;   // NvmlReturn, or kImplausible
};
// What a reading's result is if the driver gave a number that cannot be.
inline constexpr std::int32_t kImplausible = 10'000;

struct SharedProcess {
  std::uint32_t pid;
  std::uint32_t graphics;  // 0: compute
  std::uint64_t bytes;
};

struct SharedIdentity {
  char bus_id[32];  // "0000:17:00.0", as sysfs writes it
  char name[96];
  char uuid[96];
  char vbios[32];
  char cpus[128];
  char topology[512];
  std::uint32_t processes_known;
  std::uint32_t process_count;
  SharedProcess processes[kMaxProcesses];
};

// What one process does with a GPU.
struct SharedProcessUse {
  std::uint32_t pid;         // as the driver numbers it
  std::uint32_t sm_percent;  // of the SMs' time, by the driver's newest sample, or kUnknownShare
  std::uint64_t bytes;       // of GPU memory in its compute context, or kUnknownMemory
};
inline constexpr std::uint32_t kUnknownShare = ~std::uint32_t{0};
inline constexpr std::uint64_t kUnknownMemory = ~std::uint64_t{0};

// Who uses a GPU: all with a compute context, and whoever worked on it since it was asked before.
struct SharedUse {
  std::atomic<std::uint32_t> generation;  // odd while the rest is written
  std::atomic<std::int64_t> read_ns;      // CLOCK_MONOTONIC; 0 before the first
  std::int64_t shares_ns;                 // when shares were asked for
  std::uint32_t count;                    // of more than kMaxProcesses those that use most are told
  SharedProcessUse processes[kMaxProcesses];
};

// A MIG instance. One that has gone keeps its place, and has it again when it is back.
struct SharedInstance {
  std::atomic<std::uint64_t> id;  // its own, or kNoInstance; set once
  SharedReading readings[kInstanceSignals];
};
inline constexpr std::uint64_t kNoInstance = 0;

// Returns the id of the instance that has these numbers.
constexpr std::uint64_t instance_id(std::uint32_t gpu_instance, std::uint16_t compute_instance) {
  return std::uint64_t{1} << 63U | std::uint64_t{gpu_instance} << 16U | compute_instance;
}
constexpr std::uint32_t gpu_instance_of(std::uint64_t id) {
  return static_cast<std::uint32_t>(id >> 16U);
}
constexpr std::uint16_t compute_instance_of(std::uint64_t id) {
  return static_cast<std::uint16_t>(id);
}

struct SharedDevice {
  std::atomic<std::uint32_t> present;  // 1 once its identity is written
  std::atomic<std::uint32_t> lost;     // 1 while the driver says so
  std::atomic<std::uint32_t> generation;
  SharedIdentity identity;
  SharedUse use;
  SharedReading readings[kGpuSignals];
  SharedReading links[kMaxLinks][kLinkSignals];
  SharedInstance instances[kMaxInstances];
};

struct SharedEvent {
  std::atomic<std::uint32_t> device;
  std::atomic<std::uint32_t> type;  // EventType
  std::atomic<std::uint64_t> code;  // of an XID
};

enum class Phase : std::uint32_t { kStarting, kAbsent, kRefused, kReady };

inline constexpr std::int32_t kNoDevice = -1;

struct SharedReadings {
  std::atomic<Phase> phase;
  std::atomic<std::int32_t> refusal;  // NvmlReturn of the initialization
  std::atomic<std::uint32_t> heartbeat;
  std::atomic<std::int32_t> device_now;  // being read, by the library's number, or kNoDevice
  std::atomic<std::uint32_t> device_count;
  std::atomic<std::uint32_t> event_count;  // since the start; the last kMaxEvents are kept
  SharedEvent events[kMaxEvents];
  char error[256];                 // written before phase
  char driver[96];                 // likewise
  SharedDevice devices[kMaxGpus];  // by the library's number
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace reveal::gpu

// The metrics of each GPU: a row is a metric, its library call, and how often it is read. A new
// metric that is a field of the library is one row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gpu/nvml_api.h"

namespace reveal::gpu {

// How often a signal is asked for: with every sweep, every second, every ten seconds.
enum class Cadence : std::uint8_t { kFast, kMedium, kSlow };

enum class Kind : std::uint8_t { kCounter, kGauge, kEvent, kFact };

enum class Call : std::uint8_t {
  kField,        // argument: number of the field; per link its scope is the link
  kUtilization,  // 0 GPU, 1 memory
  kMemory,       // 0 total, 1 reserved, 2 free, 3 used
  kBar1,
  kClock,             // argument: type of clock
  kMaxClock,          // likewise
  kApplicationClock,  // likewise
  kThrottle,          // argument: bit of the reasons
  kPerformanceState,
  kPower,
  kPowerLimit,
  kEnergy,
  kTemperature,
  kMargin,
  kThreshold,  // argument: type of threshold
  kFan,
  kEncoder,
  kDecoder,
  kJpeg,
  kOpticalFlow,
  kEncoding,  // argument: VideoPart
  kCapture,   // likewise
  kPcieGeneration,
  kPcieWidth,
  kMaxPcieGeneration,
  kMaxPcieWidth,
  kPersistence,
  kEccMode,
  kComputeMode,
  kMigMode,       // 0 current, 1 after the next reset
  kMigInstances,  // number of them
  kNumaNode,
  kFabricState,
  kConfidential,
  kErrorsAt,       // argument: memory_errors_of(...)
  kSramThreshold,  // whether more SRAM errors came than the board may have
  kLinkState,
  kLinkErrors,     // argument: counter of the library
  kAttribute,      // of a MIG instance: 0 multiprocessors
  kProcesses,      // 0 number, 1 their memory
  kProcessShares,  // of the SMs' time, all together
  kGpm,            // argument: GPM metric
  kEvent,          // argument: EventType
  kSweepTime,
};

// What is told of the sessions in which video is encoded or the screen is captured.
enum VideoPart : unsigned { kSessions, kFrames, kLatency };

// Where memory errors are, as the library numbers it.
enum class MemoryPlace : std::uint8_t { kDram = 2, kSram = 7 };

// The argument of kErrorsAt. `lifetime`: over the life of the board, else since the driver was
// loaded.
constexpr unsigned memory_errors_of(MemoryPlace place, bool uncorrected, bool lifetime) {
  return static_cast<unsigned>(place) | (uncorrected ? 0x100U : 0U) | (lifetime ? 0x200U : 0U);
}

enum EventType : unsigned { kXidEvent, kDoubleBitEvent, kUnavailableEvent };

struct Signal {
  std::string_view metric;
  std::string_view label;
  std::string_view unit;
  std::string_view source;
  std::string_view alias;
  std::string_view help;
  Kind kind = Kind::kGauge;
  bool real = false;               // its 64 bits are a double
  std::uint8_t counter_bits = 64;  // width at which the driver's counter wraps
  double scale = 1.0;
  std::int16_t rank = 100;
  Cadence cadence = Cadence::kFast;
  Call call = Call::kField;
  unsigned argument = 0;
  double most = 0;  // a larger raw number is a lie; 0: any may be true
};

// Bounds of a signal's raw number that hold whatever the chip: what lies beyond is missing.
bool is_plausible(const Signal& signal, std::uint64_t raw);
bool is_plausible(const Signal& signal, double raw);

inline constexpr std::size_t kGpuSignals = 147;
inline constexpr std::size_t kLinkSignals = 20;
inline constexpr std::size_t kInstanceSignals = 4;

// Signals of a GPU, of each of its NVLinks, and of each of its MIG instances.
std::span<const Signal> gpu_signals();
std::span<const Signal> link_signals();
std::span<const Signal> instance_signals();

}  // namespace reveal::gpu

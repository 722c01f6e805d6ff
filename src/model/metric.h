// What is measured, and where: a metric is a kind of quantity, a channel is a metric of one
// instance (a core, a disk). Both are plain rows; every registry of metrics is a constexpr table of
// these.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/strong_id.h"

namespace reveal::model {

// How the raw number behaves over time. Decides derivation and features (paper, section 4.2).
enum class Kind : std::uint8_t {
  kCounter,  // only grows; its rate is the signal
  kGauge,    // goes up and down; the value is the signal
  kEvent,    // counts errors or rare events; summed over a window
  kStatic,   // a fact about the host; compared between hosts, never scored
};

// How the 64 raw bits of a sample are read. Counters stay exact above 2^53.
enum class Repr : std::uint8_t { kU64, kF64 };

// kUnknown: of a metric of another program whose name does not tell; never of one that Reveal reads
// itself. It comes last, and the others are numbered from 0.
enum class Subsystem : std::uint8_t { kCpu, kGpu, kMemory, kNetwork, kStorage, kUnknown };
inline constexpr int kSubsystemCount = 6;
inline constexpr int kKnownSubsystemCount = kSubsystemCount - 1;

// What one channel of the metric stands for. kDevice: any other part of the host that the instance
// names (a sensor, a PCI function, a page size, a socket, "cpu=3,state=C6"). kRecorder: what the
// recorder says of itself, which is shown but never scored.
enum class Scope : std::uint8_t {
  kHost,
  kCore,
  kNode,
  kGpu,
  kNic,
  kDisk,
  kCgroup,
  kDevice,
  kRecorder,
};

// One row of a registry. Text fields of registry rows are literals; ChannelTable keeps its own
// copy.
struct MetricDescriptor {
  std::string_view name;   // <subsystem>_<quantity>_<unit>[_total], e.g. memory_dirty_bytes
  std::string_view label;  // a noun phrase for sentences, e.g. "Disk read sectors"
  std::string_view unit;   // base unit of value * scale: bytes, seconds, sectors, packets, ...
  Kind kind = Kind::kGauge;
  Repr repr = Repr::kU64;
  Subsystem subsystem = Subsystem::kCpu;
  Scope scope = Scope::kHost;
  std::uint8_t counter_bits = 64;  // width at which the kernel's counter wraps
  double scale = 1.0;              // raw number times scale = value in `unit`
  std::string_view source;         // "/proc/meminfo Dirty"
  std::string_view alias;          // the paper's or the tool's own name; may be empty
  std::string_view doc_url;        // where the kernel documents it
  std::string_view help;           // one sentence
  std::int16_t rank = 100;         // pruning priority: the lower survives
  std::string_view collector{};    // who reads it; filled in when its first channel is added
};

using MetricId = base::StrongId<struct MetricTag>;
using ChannelId = base::StrongId<struct ChannelTag>;
using SourceId = base::StrongId<struct SourceTag>;  // of a collector

// Return the lower-case word used in every output: "counter", "cpu", "core", ...
std::string_view to_string(Kind kind);
std::string_view to_string(Repr repr);
std::string_view to_string(Subsystem subsystem);
std::string_view to_string(Scope scope);

// Read such a word back. Return false, leaving `out` alone, for a word that is none of them.
bool from_string(std::string_view word, Kind& out);
bool from_string(std::string_view word, Repr& out);
bool from_string(std::string_view word, Subsystem& out);
bool from_string(std::string_view word, Scope& out);

// Returns the word of a subsystem for where nothing else says that it is one: "subsystem unknown"
// for kUnknown.
std::string_view heading_of(Subsystem subsystem);

}  // namespace reveal::model

// What began, went on or ended on a host: docs/wire_format.md, "Event".
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "model/metric.h"
#include "wire/head.h"

namespace reveal::wire {

enum class What : std::uint8_t { kOpened = 1, kUpdated = 2, kClosed = 3 };
enum class Severity : std::uint8_t { kUnknown, kMinor, kModerate, kMajor };

struct Event {
  Head head;
  What what = What::kOpened;
  std::uint32_t revision = 1;  // one more with each event of the finding
  std::int64_t onset_ns = 0;   // wall time
  std::int64_t end_ns = 0;     // so far; not before the onset
  model::Subsystem subsystem = model::Subsystem::kCpu;
  Severity severity = Severity::kUnknown;
  std::string finding;  // its id
  std::string claim;    // a sentence
  std::string pattern;  // empty for none
  std::string detail;   // the finding as a JSON object on one line; empty if that is not told

  bool operator==(const Event&) const = default;
};

// Appends the message. A detail that is longer than kMaxDetail is left out; other texts are cut.
// Fails with kUsage if the event has no id, an id that is too long, no revision, or ends before it
// begins.
base::Result<void> put_event(Bytes& out, const Event& event);

// Fails with kCorrupt if the message is malformed. The detail is UTF-8, but may not be JSON.
base::Result<Event> read_event(ByteView message);

// Returns "HOST:FINDING:REVISION", by which a broker drops an event that it has already.
std::string key_of(const std::string& host, const Event& event);

}  // namespace reveal::wire

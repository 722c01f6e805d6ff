// The small languages of /sys/bus/event_source/devices/<pmu>: where a field of an event's code goes
// ("config1:0-7,32-35", from format/<field>), what an event is made of ("event=0x3c,umask=0x1",
// from events/<event>), and what one count of it stands for (events/<event>.scale).
// https://docs.kernel.org/admin-guide/abi-testing.html, sysfs-bus-event_source-devices-format
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

inline constexpr std::size_t kPmuWords = 4;  // config, config1, config2, config3 (Linux 6.3)

struct BitRange {
  unsigned low;
  unsigned high;  // inclusive, at most 63
  friend bool operator==(const BitRange&, const BitRange&) = default;
};

// Where a field goes: its lowest bits into the first range, the next ones into the second.
struct PmuField {
  std::size_t word = 0;
  std::vector<BitRange> bits;
};

// Returns nothing for a text that is not a field of the words above.
std::optional<PmuField> parse_pmu_field(std::string_view text);

// One term of an event: "umask=0x1", or a bare word, which is a flag or the name of an event.
struct EventTerm {
  std::string_view name;
  Value value;  // nothing for a bare word, and for "?", which stands for a parameter
  bool has_value = false;
};

// Returns the terms, views into the text. A term that makes no sense ends up nameless or valueless,
// for whoever encodes it to refuse.
std::vector<EventTerm> parse_event_terms(std::string_view text);

// Returns the scale as a finite number above zero: "2.3283064365386962890625e-10".
std::optional<double> parse_event_scale(std::string_view text);

// Returns the text without the newline and blanks around it.
std::string_view trimmed(std::string_view text);

}  // namespace reveal::procfs

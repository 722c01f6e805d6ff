// Times and spans in the words of a report. UTC unless a Clock says otherwise, so that the same
// recording reads the same wherever it is analyzed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reveal::text {

// Returns "2026-11-20T14:03:07.250Z".
std::string iso_time(std::int64_t wall_ns);

// Returns "14:03:07.2".
std::string clock_time(std::int64_t wall_ns);

// Which time people are shown.
enum class Zone : std::uint8_t {
  kUtc,
  kLocal,  // of this host, by TZ or /etc/localtime
};

class Clock {
 public:
  explicit Clock(Zone zone = Zone::kUtc) : zone_(zone) {}

  // Returns one that tells the day with each time: for what lasts longer than a day.
  Clock with_day() const {
    Clock out = *this;
    out.says_day_ = true;
    return out;
  }

  // Returns "14:03:07.2", or with the day "2026-11-20 14:03:07.2".
  std::string time(std::int64_t wall_ns) const;
  // Returns "2026-11-20T14:03:07.250Z", or local "2026-11-20T15:03:07.250+01:00".
  std::string date_time(std::int64_t wall_ns) const;
  // Returns "2026-11-20, 14:03:07.2 to 14:13:07.2 UTC (10 min 0 s)".
  std::string stretch(std::int64_t begin_ns, std::int64_t end_ns) const;
  // Returns "UTC" or "local time".
  std::string_view name() const { return zone_ == Zone::kUtc ? "UTC" : "local time"; }

 private:
  Zone zone_;
  bool says_day_ = false;
};

// Returns "850 ms", "59.9 s", "12 min 3 s" or "3 h 2 min".
std::string span_text(std::int64_t ns);

}  // namespace reveal::text

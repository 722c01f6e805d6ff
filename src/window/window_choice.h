// The requested window and stride, before the interval of the run is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "window/window_view.h"

namespace reveal::window {

// A time, or a number of ticks of whatever interval a recording has.
struct Length {
  enum class Unit : std::uint8_t { kNanoseconds, kTicks };
  std::int64_t amount = 0;
  Unit unit = Unit::kNanoseconds;

  // Returns it in ns. Fails with kUsage if 63 bits cannot hold that.
  base::Result<std::int64_t> ns(std::int64_t interval_ns) const;
  friend bool operator==(const Length&, const Length&) = default;
};

// Returns the length that "3s" or "30" (ticks) means. Fails with kUsage for anything else.
base::Result<Length> parse_length(std::string_view text);

struct WindowChoice {
  // Nothing: 3 s and 1 s, or, of a recording whose interval is too long for these, 10 and 5 ticks.
  std::optional<Length> length;
  std::optional<Length> stride;

  // Returns the windows of a recording with this interval; WindowSpec::check() says whether they
  // make sense. Fails with kUsage if a length is beyond 63 bits of ns.
  base::Result<WindowSpec> at(std::int64_t interval_ns) const;
};

}  // namespace reveal::window

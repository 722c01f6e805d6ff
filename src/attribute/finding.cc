#include "attribute/finding.h"

#include <algorithm>

#include "attribute/shares.h"

namespace reveal::attribute {

model::Subsystem Finding::subsystem() const {
  return most_blamed(subsystems);
}

const FlaggedWindow* Finding::window_of(const Evidence& one) const {
  const auto found = std::ranges::find_if(
      windows, [&one](const FlaggedWindow& window) { return window.span.id == one.seen_in; });
  return found == windows.end() ? nullptr : &*found;
}

// Samples tell no edge if the clock was set.
std::int64_t Finding::length_ns() const {
  return begin_edge || end_edge ? end_ns() - begin_ns() : windows_length_ns();
}

// A stride is positive and at most one window's length; anything else means that the clock was set.
std::int64_t Finding::windows_length_ns() const {
  const auto& last = windows.back().span;
  std::int64_t out = last.end_ns - last.begin_ns;
  for (std::size_t i = 1; i < windows.size(); ++i) {
    const auto& before = windows[i - 1].span;
    const auto& span = windows[i].span;
    const auto apart = static_cast<std::int64_t>(span.id.value() - before.id.value());
    out += std::clamp<std::int64_t>(span.begin_ns - before.begin_ns, 0,
                                    apart * (span.end_ns - span.begin_ns));
  }
  return out;
}

}  // namespace reveal::attribute

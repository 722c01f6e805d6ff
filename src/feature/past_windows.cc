#include "feature/past_windows.h"

#include <cmath>

namespace reveal::feature {

void PastWindow::keep(const window::WindowView& window, std::size_t channel) {
  for (std::size_t tick = 0; tick < ticks_; ++tick) {
    const double sample = window.row(tick)[channel];
    if (std::isfinite(sample)) samples_[tick * channels_ + channel] = sample;
  }
}

const PastWindow* PastWindows::before(const window::WindowSpan& next) {
  while (windows_.size() > 1 && windows_[1].end_sequence() <= next.first_sequence) {
    windows_.pop_front();
  }
  const bool has_ended =
      !windows_.empty() && windows_.front().end_sequence() <= next.first_sequence;
  return has_ended ? &windows_.front() : nullptr;
}

}  // namespace reveal::feature

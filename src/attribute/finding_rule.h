// The one rule that decides what is a finding, for recordings and live hosts alike. What it is told
// differs: a recording is judged as a whole, so it knows what chance makes of it, and whether jobs
// kept their rates through a slight wait (attribution.cc). A live host's rule is asked window by
// window, and a change becomes a finding once a job turns out to have been slow (live_judge.h).
//
// A window is flagged if the detectors have enough votes for it and it does not belong to the
// warm-up; in a recording, also if most of it lies in a job's slowdown (harm.h). Flagged windows
// that belong together (merge.h) are a finding if work was stalled in them, or a job was slow. If
// not, they are a change: a workload that started, paused or does something else. A finding of a
// kind that chance makes too often has low confidence, and is listed apart.
#pragma once

#include <cstdint>
#include <optional>

#include "model/channel_table.h"
#include "window/window_view.h"

namespace reveal::attribute {

enum class Kind : std::uint8_t { kFinding, kChange, kLowConfidence };

struct FindingRule {
  int min_agreement = 2;      // votes that flag a window
  std::uint64_t warm_up = 0;  // windows at the start of a run, which raise no alarm
  // How many findings as strong as a given one chance may be expected to make in such a run. If it
  // makes more, that finding has low confidence. Nothing: no finding has low confidence.
  std::optional<double> most_by_chance = {};

  bool is_warm_up(const window::WindowSpan& window) const { return window.id.value() < warm_up; }

  // Returns whether a window with that many votes is flagged.
  bool flags(const window::WindowSpan& window, int votes) const {
    return votes >= min_agreement && !is_warm_up(window);
  }

  // Returns the kind of flagged windows. `stalled`: work was stalled in them, or nothing could tell
  // (tells_stalls()). `by_chance`: Finding::by_chance.
  Kind kind_of(bool stalled, std::optional<double> by_chance = {}) const {
    if (!stalled) return Kind::kChange;
    const bool often = most_by_chance && by_chance.value_or(0) > *most_by_chance;
    return often ? Kind::kLowConfidence : Kind::kFinding;
  }
};

// Returns whether a window without a saturation signal is known to have had no stall: a detector
// must look at such signals, and the host must have pressure metrics. If not, work may have been
// stalled in any window.
bool tells_stalls(const model::ChannelTable& channels, bool sees_saturation);

}  // namespace reveal::attribute

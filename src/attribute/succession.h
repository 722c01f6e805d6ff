// Two faults in a row are two findings, even if no calm window lies between them: whether stalled
// work has moved from one subsystem to another, asked window by window, of a recorded group of
// flagged windows as of a host that is watched.
//
//   1. A run is windows on end that one subsystem clearly stalls, or none does. Those of one family
//      count as one. A window or two of another subsystem do not end a run.
//   2. A run counts if its first and last windows stalled by that subsystem share no sample, and
//      one of them raises an alarm of the detector of saturation signals. Other runs are part of
//      the one before or, if none before counts, of the one after.
//   3. Between two runs that count, the cut is where the later one begins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "attribute/families.h"
#include "model/metric.h"
#include "window/window_view.h"

namespace reveal::attribute {

// A run of so many windows at most does not part what is of one.
inline constexpr std::size_t kShortRun = 2;
// A subsystem with that share of the blame clearly stalls the work: no other can have as much.
inline constexpr double kClearly = 0.6;

// Returns the subsystem with that share of the blame, of which memory's and storage's are one's
// together; nothing if no share reaches `least`.
std::optional<model::Subsystem> clearly_one(const std::array<double, model::kSubsystemCount>& blame,
                                            double least);

class Succession {
 public:
  enum class Step : std::uint8_t {
    kSame,       // nothing has changed
    kMayBegin,   // with this window another fault may have begun
    kHasNot,     // that was none
    kTakesOver,  // it has, and this window is part of it; the windows before it are what is left
  };

  // Takes the next window of a finding. `stalled_by` is the subsystem that clearly stalls its work,
  // if one does; `alarmed` says whether the detector of saturation signals raises an alarm for it.
  Step take(const window::WindowSpan& window, std::optional<model::Subsystem> stalled_by,
            bool alarmed);

 private:
  // Windows that one family of subsystems stalls.
  struct Run {
    model::Subsystem family;
    std::int64_t first_end_ns;
    std::int64_t last_begin_ns;
    bool alarmed;

    // Its first and last windows share no sample, and one of them raises an alarm.
    bool counts() const { return alarmed && last_begin_ns >= first_end_ns; }
    void add(const window::WindowSpan& window, bool is_alarmed);
  };

  Step take_of_former(const window::WindowSpan& window, bool alarmed);
  Step take_of_other(const Run& run);

  std::optional<Run> run_;
  std::optional<Run> next_;  // what may take over
  std::size_t back_ = 0;     // windows of the former family since that began, on end
};

}  // namespace reveal::attribute

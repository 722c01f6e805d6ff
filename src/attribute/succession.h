// Whether a second fault has taken over while a finding goes on, asked window by window: what
// subsystem_split.h says of a recorded group of windows, of a host that is watched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/metric.h"
#include "window/window_view.h"

namespace reveal::attribute {

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

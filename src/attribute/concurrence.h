// Whether a second fault goes on while the first does, asked window by window, of a recorded group
// of flagged windows as of a host that is watched. Two faults one after the other are told apart
// by succession.h: there one subsystem has clearly taken over. Of two at the same time none need
// have.
//
// Each family of subsystems (succession.h) is followed by its own saturation signals:
//   1. A family's run is its windows with stalled work that belong together (merge.h). It counts if
//      its first and last windows share no sample, and one of them raises an alarm.
//   2. Runs whose first windows share a sample are one fault with several symptoms. The fault that
//      begins first is the first one; others may be second ones.
//   3. A second fault counts beside the first in a window that both stall, once a run of each
//      counts: so the first still went on when the second began.
//   4. Whether it has a cause of its own is the caller's to say, with open(). Unless it has, it is
//      part of the first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "attribute/families.h"
#include "model/metric.h"
#include "window/window_view.h"

namespace reveal::attribute {

// What the saturation signals of one family say of a window.
struct FamilyStall {
  bool stalled = false;  // half of what raises an alarm is enough
  bool alarmed = false;
};

// By family, whose place is that of the subsystem that family_of() returns.
using FamilyStalls = std::array<FamilyStall, model::kSubsystemCount>;

class Concurrence {
 public:
  // Faults that go on have places, at most one a family. Others take them a window after they are
  // over.
  static constexpr std::size_t kPlaces = std::size_t{2} * model::kSubsystemCount;

  enum class Step : std::uint8_t {
    kSame,
    kMayBegin,  // with this window a second fault may have begun
    kHasNot,    // that was none
    kCounts,    // it counts beside the first
    kEnds,      // a fault is over
  };
  using Steps = std::array<Step, kPlaces>;

  // Takes the next window of a group; returns a step for each place. If the first fault is over,
  // the second that began earliest is the first from then on.
  Steps take(const window::WindowSpan& window, const FamilyStalls& stalls);

  // Says that what counts in that place is a fault of its own.
  void open(std::size_t place) { faults_[place]->role = Role::kSecond; }

  // Returns the place of the first fault; nothing if no saturation signal tells of one.
  std::optional<std::size_t> first() const { return earliest(Role::kFirst); }
  // Returns the families that tell of the fault in that place.
  Families families(std::size_t place) const;
  // Returns whether it stalls the window that was taken last.
  bool stalls(std::size_t place) const;

 private:
  enum class Role : std::uint8_t { kFirst, kCandidate, kSecond };

  struct Run {
    std::int64_t first_end_ns = 0;  // of its first window
    std::int64_t last_begin_ns = 0;
    std::int64_t last_end_ns = 0;
    bool alarmed = false;
    std::size_t fault = 0;  // its place

    bool counts() const { return alarmed && last_begin_ns >= first_end_ns; }
  };

  struct Fault {
    std::int64_t begin_ns = 0;      // of its first window
    std::int64_t first_end_ns = 0;  // likewise
    Role role = Role::kFirst;
  };

  void end_runs(const window::WindowSpan& window, Steps& steps);
  void follow_first(Steps& steps);
  std::size_t fault_of(const window::WindowSpan& window, Steps& steps);
  bool counts(std::size_t place) const;
  std::optional<std::size_t> earliest(Role role) const;

  std::array<std::optional<Run>, model::kSubsystemCount> runs_;  // by family
  std::array<std::optional<Fault>, kPlaces> faults_;
  std::int64_t latest_ns_ = 0;  // the begin of the window that was taken last
};

}  // namespace reveal::attribute

// The flagged windows that belong together (merge.h), parted by fault: what a finding is made of.
// Windows are added one by one, in the order of time, whether a recording is analyzed or a host is
// watched, so that both tell the same faults.
//
//   - One after the other: a fault is over where another subsystem has clearly taken over
//     (succession.h).
//   - At the same time: a second fault goes on beside the first (concurrence.h) if it has a cause
//     of its own: another group or process than those that did the others. Where nobody is known
//     who uses more of its resource, it has one if its subsystem clearly stalls the work, or no
//     fault is one of processors, which everything needs.
//
// While faults go on at the same time, a window belongs to each that stalls it, and each is told by
// the blame of its own families of subsystems.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "attribute/attributor.h"
#include "attribute/concurrence.h"
#include "attribute/finding.h"
#include "attribute/succession.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "window/window_view.h"

namespace reveal::attribute {

// A finding that is being made.
struct Fault {
  window::WindowId first;  // its first window: which finding it is
  Tally tally;
  // Of one beside the first, by Concurrence.
  std::optional<std::size_t> place = {};
  bool has_latest = true;  // the window that was added last
};

// Return the finding that the fault is, or nullptr.
Finding* finding_of(const Fault& fault, std::vector<Finding>& findings);
const Finding* finding_of(const Fault& fault, const std::vector<Finding>& findings);

// Returns whether the second of two faults at the same time has a cause of its own. `clear`: its
// subsystem has clearly stalled the work.
bool have_own_causes(const model::ChannelTable& channels, const Doer& first, const Doer& second,
                     bool clear);

class Faults {
 public:
  // The arguments must outlive it. `judge`: the detector of saturation signals, if it tells of
  // stalls (finding_rule.h); without it all windows are one fault.
  Faults(const Attributor& attributor, const feature::FeatureMatrix& matrix,
         const model::ChannelTable& channels, std::optional<std::size_t> judge)
      : attributor_(attributor), matrix_(matrix), channels_(channels), judge_(judge) {}

  // Adds a window to the findings that it belongs to. A fault that is new makes a new one, which
  // may begin some windows earlier; findings stay in the order of time. Only a finding's windows
  // and its agreement are filled in.
  void add(std::size_t row, const Blame& blame, const Readers& readers,
           std::vector<Finding>& findings);
  // Goes on with a finding that has windows. REQUIRES: no window was added.
  void go_on(const Finding& finding, Tally tally);

  // Returns those that go on, the first fault first.
  const std::vector<Fault>& open() const { return open_; }
  // Returns those that are over, since the last call.
  std::vector<Fault> take_ended() { return std::exchange(ended_, {}); }

  // Returns how many times it was asked so far whether what counts beside the first has a cause of
  // its own, which costs as much as the windows are many. What is refused is asked about again once
  // it has twice the windows, or other faults go on.
  std::size_t asked() const { return asked_; }

  // Tells it that the matrix dropped its first `count` rows.
  void forget_rows(std::size_t count);

 private:
  // What may be a fault of its own.
  struct Next {
    Finding finding;
    Tally tally;
    bool clear = false;        // its subsystem clearly stalled a window
    std::size_t ask_with = 0;  // so many windows
    // Who did those that began before it, by their first windows.
    std::vector<std::pair<window::WindowId, Doer>> before = {};
  };

  // The only fault as it was before what may take over.
  struct Before {
    Finding finding;
    Tally tally;
  };

  void follow_concurrence(std::size_t row);
  void follow_succession(std::size_t row, const std::vector<Finding>& findings);
  void end_at(std::size_t place);
  void add_to_open(std::size_t row, const Blame& blame, std::vector<Finding>& findings);
  void add_to_next(std::size_t row, const Blame& blame);
  void open_what_counts(const Readers& readers, std::vector<Finding>& findings);
  void open(std::size_t place, std::vector<Finding>& findings);
  bool has_own_cause(Next& next, const Readers& readers,
                     const std::vector<Finding>& findings) const;
  void know_before(Next& next, const Readers& readers, const std::vector<Finding>& findings) const;
  void ask_anew();
  void hand_over(std::vector<Finding>& findings);
  bool stalls(const Fault& fault) const;
  Families families_of(const Fault& fault) const;

  const Attributor& attributor_;
  const feature::FeatureMatrix& matrix_;
  const model::ChannelTable& channels_;
  std::optional<std::size_t> judge_;

  std::vector<Fault> open_;
  std::vector<Fault> ended_;
  std::optional<model::Subsystem> stalled_by_;  // the window that was added last, clearly

  Concurrence concurrence_;
  Concurrence::Steps steps_{};                                    // with that window
  std::array<std::optional<Next>, Concurrence::kPlaces> beside_;  // the first, by place
  std::size_t asked_ = 0;

  Succession succession_;  // of the only fault
  std::optional<Before> before_;
  std::optional<Next> after_;  // what may take over,
  bool taken_over_ = false;    // and has, with the window that was added last
};

}  // namespace reveal::attribute

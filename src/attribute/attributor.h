// Makes findings: asks the detectors which columns lifted their scores, compares these columns with
// their usual values, and writes the result as a sentence. A finding is made window by window, so
// recorded runs and live hosts share all of this code.
//
// The arguments of the constructor must outlive the attributor. Windows may be added to the matrix
// meanwhile.
#pragma once

#include <cstddef>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "attribute/concurrence.h"
#include "attribute/consumers.h"
#include "attribute/families.h"
#include "attribute/finding.h"
#include "attribute/patterns.h"
#include "attribute/scored_windows.h"
#include "attribute/stall_time.h"
#include "attribute/usual.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "model/process_timeline.h"
#include "window/tick_history.h"

namespace reveal::attribute {

struct EvidenceLimits {
  std::size_t of_window = 5;  // pairs kept for each detector of each window
  std::size_t of_finding = 60;
  // Later windows of a finding are listed without evidence of their own.
  std::size_t windows = std::numeric_limits<std::size_t>::max();
};

// The columns that lifted the scores of a window.
struct Blame {
  // By detector that testifies: the shares of its score, by live column.
  std::vector<std::pair<std::size_t, Eigen::VectorXd>> by_detector;
  Eigen::VectorXd total;
};

// Who did a fault, as it showed before others began beside it: what rises later may be theirs.
struct Doer {
  model::Subsystem subsystem = model::Subsystem::kCpu;  // of the fault
  std::optional<GroupLevel> culprit = {};
  std::optional<model::ProcessRise> process = {};
  // Of a fault with nothing before it: its rows then, while the matrix has them. What is usual
  // shows after it.
  std::vector<std::size_t> rows = {};
};

// The sums over a finding's windows so far.
struct Tally {
  std::vector<std::size_t> rows = {};
  std::vector<Families> families = {};  // by row: those that tell of the fault
  Eigen::VectorXd total = {};           // of their blame
  std::set<std::size_t> flagging = {};  // detectors
  // Where work is known to have stood still; it tells unless a detector sees a stall.
  std::optional<model::Subsystem> idle = {};
  // Whether a job is known to have been slow.
  bool harmed = false;
  // Who did it, if others began beside it.
  std::optional<Doer> doer = {};

  // Takes back the blame that is another's.
  void take_out(const Tally& other) { total = (total - other.total).cwiseMax(0.0).eval(); }
  // Takes those families from the rows from `row` on: there they are another's.
  void take_out(const Families& others, std::size_t row);
  // Forgets the first `count` rows of the matrix, which are no more.
  void forget_rows(std::size_t count);
};

// Who reads more out of a finding's rows and ticks than detectors do.
struct Readers {
  PatternReader patterns;
  ConsumerReader consumers;
  StallReader stalls;
  const model::ProcessTimeline* processes = nullptr;  // null: nothing is known of them
  const window::TickHistory* ticks = nullptr;         // null: there are none
};

class Attributor {
 public:
  Attributor(const ScoredWindows& windows, const feature::FeatureMatrix& matrix,
             const model::ChannelTable& channels, Usual usual, const EvidenceLimits& limits)
      : windows_(windows),
        matrix_(matrix),
        channels_(channels),
        usual_(std::move(usual)),
        limits_(limits) {}

  // Returns the tally of no window.
  Tally begin() const;
  // Returns the blame for a window by the detectors that testify.
  Blame blame(std::size_t row) const;
  // Returns the part of the blame that lies on these families of subsystems.
  Blame part_of(const Blame& blame, const Families& families) const;
  // Adds a window to a finding, told by these families.
  void add(std::size_t row, const Blame& blame, Tally& tally, Finding& finding,
           const Families& families = all_families()) const;
  // Fills in all fields that are about a finding's windows together. Three are left alone: how
  // often chance makes such a finding and whether it began with the run, which need a whole run,
  // and what the work rate did (harm.h), which the severity is then to be taken of anew.
  void tell(const Tally& tally, const Readers& readers, Finding& finding) const;
  // Returns who did what goes on, by the windows before `until_ns`. Of the finding only these
  // windows are looked at, and of them the first and the last; its other fields are made anew.
  // REQUIRES: the tally has rows.
  Doer doer(const Tally& tally, const Readers& readers, std::int64_t until_ns,
            Finding finding) const;

  // Returns whether work is stalled in a window, and by which families, by that detector, which
  // sees saturation.
  bool is_stalled(std::size_t detector, std::size_t row) const;
  FamilyStalls stalls(std::size_t detector, std::size_t row) const;
  bool flags(std::size_t detector, std::size_t row) const { return windows_.flags(detector, row); }

  SubsystemShares subsystems(const Eigen::VectorXd& shares) const;
  // Returns the subsystems' shares in what one detector's score is above the usual.
  SubsystemShares subsystems(std::size_t detector, std::size_t row) const {
    return subsystems(excess(detector, row));
  }
  // Returns, by ChannelId, the channel's share in the blame for a window (attribution.h).
  std::vector<double> channel_shares(std::size_t row) const;

 private:
  Eigen::VectorXd excess(std::size_t detector, std::size_t row) const;
  std::size_t family_of_column(std::size_t live) const;
  bool sees_no_stall(const Tally& tally) const;
  bool is_idle(const Tally& tally) const;
  bool are_taken(const Tally& tally, const Readers& readers, const Eigen::VectorXd& shares,
                 const Finding& told) const;
  std::optional<model::Subsystem> changed_first(const Tally& tally, const Readers& readers,
                                                const Eigen::VectorXd& shares,
                                                const Finding& told) const;
  void set_culprit(const Tally& tally, const Readers& readers, Finding& finding) const;
  void set_process(const Tally& tally, const Readers& readers, Finding& finding) const;
  std::vector<Evidence> evidence(const Eigen::VectorXd& shares, std::size_t count,
                                 const std::vector<std::size_t>& rows) const;
  // Leaves out what rose too little to tell anything, unless nothing else is left.
  std::vector<Evidence> notable_evidence(const Eigen::VectorXd& shares,
                                         const std::vector<std::size_t>& rows) const;
  Evidence compare(std::size_t live, double share, const std::vector<std::size_t>& rows) const;
  std::vector<double> by_channel(const Eigen::VectorXd& shares) const;
  void speak(const Eigen::VectorXd& shares, const std::vector<std::size_t>& rows, bool idle,
             Finding& finding) const;

  const ScoredWindows& windows_;
  const feature::FeatureMatrix& matrix_;
  const model::ChannelTable& channels_;
  Usual usual_;
  EvidenceLimits limits_;
};

}  // namespace reveal::attribute

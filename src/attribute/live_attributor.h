// Findings of a live host: each window is judged as it comes, by a baseline that was fitted before,
// and added to the finding that it belongs to. Such a finding has the same fields as a recorded one
// (attributor.h). Two fields need a whole run: Finding::by_chance is nothing, and
// Finding::at_start is false.
//
// The scorer, the matrix, the channels, and the processes and ticks, if there are any, must outlive
// it. Not thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "attribute/attributor.h"
#include "attribute/faults.h"
#include "attribute/finding.h"
#include "attribute/patterns.h"
#include "attribute/scored_windows.h"
#include "detect/window_scorer.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::attribute {

class LiveAttributor {
 public:
  // Only so many first windows of a finding keep evidence of their own: memory stays bounded.
  static constexpr std::size_t kExplainedWindows = 60;

  LiveAttributor(const detect::WindowScorer& scorer, const feature::FeatureMatrix& matrix,
                 const model::ChannelTable& channels,
                 const model::ProcessTimeline* processes = nullptr,
                 const window::TickHistory* ticks = nullptr);
  LiveAttributor(const LiveAttributor&) = delete;  // parts of it refer to one another
  LiveAttributor& operator=(const LiveAttributor&) = delete;

  // Takes the window in that row, which the scorer judged last. Returns the subsystems' shares of
  // the blame for it, whether it is in a finding or not.
  SubsystemShares take(const detect::WindowVerdict& verdict, std::size_t row);

  // Returns whether a window belongs to one of the findings that add() added to last. It does not
  // if another baseline made these.
  bool continues(const std::vector<Finding>& findings, const window::WindowSpan& window) const;
  // Adds the window that was taken last to the findings that it belongs to (faults.h), or makes a
  // new one, and fills in the fields of those that go on anew. REQUIRES: the same findings each
  // time; old ones may be gone, and others come behind them.
  void add(std::vector<Finding>& findings);

  // Keeps the window that was taken last as part of a change: it is flagged, but nothing was
  // stalled in it. Windows that belong together are one change.
  void add_to_change();
  // Returns the latest change, of which only the windows are known; nothing if there is none.
  const std::optional<Finding>& change() const { return change_; }
  // Makes the change the last of the findings, as if add() had been given its windows: a
  // job is known to have been slow in it. `idle`: where work is known to have stood still (Tally).
  // REQUIRES: change().
  void take_change(std::vector<Finding>& findings, std::optional<model::Subsystem> idle = {});

  // Tells it that the matrix dropped its first `count` rows.
  void forget_rows(std::size_t count);

 private:
  void know_columns();
  void begin_group();
  void tell_open(std::vector<Finding>& findings);

  const detect::WindowScorer& scorer_;
  const feature::FeatureMatrix& matrix_;
  const model::ChannelTable& channels_;
  const model::ProcessTimeline* processes_;
  const window::TickHistory* ticks_;
  LatestWindow window_;
  Attributor attributor_;
  std::optional<Readers> readers_;
  std::size_t known_columns_ = 0;     // of the matrix, when the readers were made
  bool tells_stalls_ = false;         // by the channels, likewise (finding_rule.h)
  std::size_t row_ = 0;               // of the window that was taken last
  Blame blame_;                       // likewise
  std::optional<Faults> faults_;      // of the latest windows that belong together
  std::optional<std::size_t> judge_;  // the detector of saturation signals
  std::optional<Finding> change_;
  Tally tally_of_change_;
};

}  // namespace reveal::attribute

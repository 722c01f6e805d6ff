// Follows which workload goes on, recognizes those that the host had before, and learns them.
//
// A workload is known by its footprint (detect/footprint.h). A regime begins once the footprint of
// ten windows on end has settled and at least two of its levels lie apart from those of the regime
// before (detect/regimes.h). A workload is recognized if none lies apart. It is learned once in a
// regime, after two minutes of windows on end that were judged and are in no finding.
//
// What looks like an earlier workload may be another one that waits for more. So a workload is no
// longer compared with once it has called kMostDoubts windows findings, in whatever regimes, until
// it is learned again.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "detect/footprint.h"
#include "detect/workload_store.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "window/window_view.h"

namespace reveal::live {

inline constexpr std::size_t kSettled = 10;      // windows
inline constexpr std::size_t kLearned = 120;     // windows of a regime until it is learned
inline constexpr std::size_t kMostDoubts = 300;  // windows

class WorkloadMemory {
 public:
  explicit WorkloadMemory(detect::WorkloadStoreOptions options) : store_(std::move(options)) {}

  // Takes a window, each once and in their order.
  void take(const feature::FeatureMatrix& matrix, const model::ChannelTable& channels,
            std::size_t row);
  // Says of the window that was taken last that it was judged, and whether it is in a finding.
  void note_judged(bool in_finding);
  // Says the same anew of all windows that were judged anew, the newest last.
  void note_judged_anew(const std::vector<bool>& in_finding);

  // What windows are to be compared with from now on.
  struct Choice {
    std::optional<detect::KnownWorkload> earlier;  // nothing: what the run itself has taught
    // How many of the newest windows, on end, are of that workload, and whether one of another
    // came before them.
    std::size_t windows = 0;
    bool began = false;
  };
  // Returns that once for each regime, if it has settled. `own`: what the run itself has taught
  // so far; null: nothing.
  std::optional<Choice> choose(const detect::FittedBaseline* own,
                               const window::WindowSpec& windows);
  // Says that windows are no longer compared with the workload that was chosen.
  void leave() { compared_.clear(); }

  // Returns whether a baseline is of the workload that goes on.
  bool is_of_present(const detect::FittedBaseline& baseline) const;
  // Returns the wall time of the begin of the regime. REQUIRES: one has settled.
  std::int64_t regime_begin_ns() const { return regime_begin_ns_; }
  // Returns whether enough of the regime is in no finding to learn from all of it: with a fifth of
  // it in findings, the others are still found (detect/saturation.cc).
  bool is_mostly_sound(std::size_t least) const { return sound_ >= least + 4 * in_findings_; }
  // Returns whether the workload that windows are compared with is no longer believed.
  bool is_doubted() const { return !compared_.empty() && doubts_ >= kMostDoubts; }

  // Keeps what is usual of the regime, if that is due. `origin`: of the run, but for its times.
  void learn_if_due(const feature::FeatureMatrix& matrix, const model::ChannelTable& channels,
                    const window::WindowSpec& windows, detect::BaselineOrigin origin);

  std::vector<std::string> take_troubles();

 private:
  void begin_regime(const feature::FeatureMatrix& matrix, std::size_t row,
                    const detect::Footprint& footprint);
  std::size_t newest_alike(const detect::Footprint& footprint) const;

  detect::WorkloadStore store_;
  detect::FootprintReader reader_;
  std::deque<detect::Footprint> recent_;     // of the latest windows
  std::optional<detect::Footprint> regime_;  // when it began
  std::int64_t regime_begin_ns_ = 0;
  std::size_t sound_ = 0;  // the newest of the regime, on end, that are judged and in no finding
  std::size_t in_findings_ = 0;  // windows of the regime
  bool is_learned_ = false;
  bool is_chosen_ = false;  // what to compare the regime with
  std::string compared_;    // the workload that was chosen; empty: none, or it was left
  std::size_t doubts_ = 0;  // about it
  std::vector<std::string> troubles_;
};

}  // namespace reveal::live

// Scored windows as attribution needs them: those of a whole run at once (ScoredRunWindows), or
// each window as it comes (LatestWindow). Findings of both say the same.
//
// Rows are those of the feature matrix that the windows are of. The texts are the registry's.
#pragma once

#include <cstddef>
#include <string_view>

#include <Eigen/Core>

#include "detect/scored_run.h"
#include "detect/threshold.h"
#include "detect/verdict.h"
#include "detect/window_scorer.h"

namespace reveal::attribute {

class ScoredWindows {
 public:
  virtual ~ScoredWindows() = default;

  virtual std::size_t detector_count() const = 0;
  virtual std::string_view name(std::size_t detector) const = 0;
  virtual bool sees_saturation(std::size_t detector) const = 0;
  // Returns the columns that detectors see; its own windows may be any.
  virtual const detect::Design& layout() const = 0;

  // Returns the votes for a window.
  virtual int agreement(std::size_t row) const = 0;
  virtual double score(std::size_t detector, std::size_t row) const = 0;
  // Return the score beyond which the detector raises an alarm, and the one beyond which it says
  // that work is stalled, if it is the one that sees that.
  virtual double alarm_limit(std::size_t detector, std::size_t row) const = 0;
  virtual double stall_limit(std::size_t detector, std::size_t row) const = 0;
  virtual bool flags(std::size_t detector, std::size_t row) const = 0;
  // Returns whether the detector's score of a window counts when blame is laid.
  virtual bool testifies(std::size_t detector, std::size_t row) const = 0;
  // Returns each column's part in a window's score.
  virtual Eigen::VectorXd contributions(std::size_t detector, std::size_t row) const = 0;
};

// The windows of a run, and the verdict on them: both must outlive this. The detectors that flag a
// window testify.
class ScoredRunWindows : public ScoredWindows {
 public:
  ScoredRunWindows(const detect::ScoredRun& run, const detect::Verdict& verdict)
      : run_(run), verdict_(verdict) {}

  std::size_t detector_count() const override { return run_.detector_count(); }
  std::string_view name(std::size_t detector) const override {
    return verdict_.detectors[detector].name;
  }
  bool sees_saturation(std::size_t detector) const override {
    return run_.sees_saturation(detector);
  }
  const detect::Design& layout() const override { return run_.design(); }
  int agreement(std::size_t row) const override { return verdict_.agreement[row]; }
  double score(std::size_t detector, std::size_t row) const override {
    return verdict_.detectors[detector].scores[static_cast<Eigen::Index>(row)];
  }
  double alarm_limit(std::size_t detector, std::size_t row) const override {
    return verdict_.detectors[detector].limits(static_cast<Eigen::Index>(row));
  }
  double stall_limit(std::size_t detector, std::size_t row) const override {
    return detect::least_of_interest(verdict_.detectors[detector].hysteresis_limit,
                                     alarm_limit(detector, row));
  }
  bool flags(std::size_t detector, std::size_t row) const override {
    return verdict_.detectors[detector].flagged[row];
  }
  bool testifies(std::size_t detector, std::size_t row) const override {
    return flags(detector, row);
  }
  Eigen::VectorXd contributions(std::size_t detector, std::size_t row) const override {
    return run_.contributions(detector, static_cast<Eigen::Index>(row));
  }

 private:
  const detect::ScoredRun& run_;
  const detect::Verdict& verdict_;
};

// The window that a scorer judged last; every row stands for it. The scorer must outlive this, and
// must have judged a window before anything is asked.
//
// The detectors that flag the window testify, and so does the one that sees work stalled. In the
// first second of a fault the saturation signals are usually still below their limits, yet they
// point to the cause best. If no detector flags the window, the one nearest to its limit testifies.
class LatestWindow : public ScoredWindows {
 public:
  explicit LatestWindow(const detect::WindowScorer& scorer) : scorer_(scorer) {}

  void take(detect::WindowVerdict verdict);

  std::size_t detector_count() const override { return scorer_.baseline().detectors.size(); }
  std::string_view name(std::size_t detector) const override { return one(detector).name(); }
  bool sees_saturation(std::size_t detector) const override {
    return one(detector).sees_saturation();
  }
  const detect::Design& layout() const override { return scorer_.layout(); }
  int agreement(std::size_t) const override { return verdict_.agreement; }
  double score(std::size_t detector, std::size_t) const override {
    return verdict_.scores[detector];
  }
  double alarm_limit(std::size_t detector, std::size_t) const override {
    return verdict_.limits[detector];
  }
  double stall_limit(std::size_t detector, std::size_t row) const override {
    return detect::least_of_interest(scorer_.limits(detector).hysteresis_limit,
                                     alarm_limit(detector, row));
  }
  bool flags(std::size_t detector, std::size_t) const override {
    return verdict_.flagged[detector];
  }
  bool testifies(std::size_t detector, std::size_t row) const override;
  Eigen::VectorXd contributions(std::size_t detector, std::size_t) const override {
    return detect::contributions_by_column(one(detector), layout(), 0);
  }

 private:
  const detect::Detector& one(std::size_t detector) const {
    return *scorer_.baseline().detectors[detector].detector;
  }

  const detect::WindowScorer& scorer_;
  detect::WindowVerdict verdict_;
  std::size_t nearest_ = 0;  // detector
};

}  // namespace reveal::attribute

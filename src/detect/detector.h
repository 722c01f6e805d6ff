// The interface of detectors and the table of them.
//
// A detector is fitted on windows and scores windows. Scores are >= 0 and higher always means more
// anomalous, for every detector. Contributions split a score among the columns that made it. A
// fitted detector is never changed by scoring, so one may be shared between threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "base/result.h"
#include "detect/design.h"
#include "detect/state.h"

namespace reveal::detect {

class Detector {
 public:
  virtual ~Detector() = default;
  virtual std::string_view name() const = 0;  // "zscore", "saturation", "pca_mahalanobis"
  // Fails with kTooLittle on too few windows or no live column.
  virtual base::Result<void> fit(const Windows& x) = 0;
  // Copies what fit() would learn from `other`, which was fitted on the same windows and options.
  // Returns false if `other` does not have it: then fit() is needed.
  virtual bool fit_like(const Detector& other) {
    static_cast<void>(other);
    return false;
  }
  // Returns one score a window. REQUIRES: fitted on windows with the same columns.
  virtual Eigen::VectorXd score(const Windows& x) const = 0;
  // Returns each live column's part in the score of window `row`: they sum to the score, less the
  // descriptor's ordinary_score. REQUIRES: as score().
  virtual Eigen::VectorXd contributions(const Windows& x, Eigen::Index row) const = 0;

  // Returns the smallest meaningful step of its scores, 0 if they are continuous. If most scores
  // are equal, like counts of rare things, a spread below one step is meaningless.
  virtual double resolution() const { return 0; }

  // Returns whether it is fitted on and scores Design::saturation instead of the live columns; its
  // columns are then those.
  virtual bool sees_saturation() const { return false; }

  // Writes the fitted state, and reads it back. The input of load() may be damaged: it calls fail()
  // on a state that no fit() of `columns` live columns could have written.
  virtual void save(StateWriter& out) const = 0;
  virtual void load(StateReader& in, Eigen::Index columns) = 0;

  // Learns more windows, in the units of those that it was fitted on, as if it had been fitted on
  // them too, exactly or nearly. Returns false if it can only be fitted anew, which is the default.
  // REQUIRES: as score().
  virtual bool update(const Windows& more) {
    static_cast<void>(more);
    return false;
  }

  // What it has learned so far counts as no more than so many windows beside what update() teaches
  // it. A detector that cannot forget, which is the default, goes on as before.
  virtual void forget_beyond(double windows) { static_cast<void>(windows); }
};

// The detectors that vote by default.
inline constexpr std::array<std::string_view, 5> kUsualDetectors{
    "saturation", "robust_outlier_share", "outlier_share", "pca_mahalanobis", "pca_residual"};

// Of a brief run that is compared with itself, on a host that does not tell what waits
// (has_pressure_metrics()), one more: there no metric says by itself that something is wrong. In
// longer runs the others see what it sees, and rank windows better
// (docs/evidence/detection_diary.md).
inline constexpr std::string_view kWithoutPressure = "subsystem_burst";
inline constexpr std::size_t kBriefRun = 400;  // windows

struct DetectorOptions {
  std::uint64_t seed = 1;  // of everything random
  // Names in the registry, of those that vote.
  std::vector<std::string> names{kUsualDetectors.begin(), kUsualDetectors.end()};
  std::vector<Eigen::Index> levels = {};  // Design::levels of what is fitted; none: all columns
  // Design::by_subsystem of what is fitted; none: all columns are of one.
  std::vector<std::vector<Eigen::Index>> by_subsystem = {};
  // Design::left_out of what is fitted: a detector's share is of these, too. It is not saved with
  // the detector.
  LeftOut left_out = {};

  // Takes what detectors need to know of the columns.
  void set_columns(const Design& design) {
    levels = design.levels;
    by_subsystem = design.by_subsystem;
    left_out = design.left_out;
  }
};

struct DetectorDescriptor {
  std::string_view name;
  std::string_view label;  // for people: "Isolation Forest"
  std::string_view help;
  std::unique_ptr<Detector> (*make)(const DetectorOptions& options);
  // True if the detector cannot place windows that it was not fitted on: the windows that it scores
  // must be among those.
  bool transductive = false;
  // A window's contributions sum to its score less this, the score of an ordinary window.
  double ordinary_score = 0;
  // How much its flag counts when detectors agree.
  int votes = 1;
  // True if in-sample scores are meaningless (PCA residual): score held-out windows only.
  bool needs_held_out = false;
  // True if it matters to the detector which columns stand still: the design must have them.
  bool needs_still = false;
};

// Returns all detectors, in the order in which reports list them.
std::span<const DetectorDescriptor> registry();

// Returns the place of the detector of that name in the registry, if there is one.
std::optional<std::size_t> find_detector(std::string_view name);

// Returns the votes of the detector of that name; 1 if there is none.
int votes_of(std::string_view name);

// Fits a detector on windows on which `fitted` were fitted, of which none needs to learn what
// another has learned. Fails as Detector::fit().
base::Result<void> fit_beside(Detector& detector, const Windows& x,
                              const std::vector<std::shared_ptr<const Detector>>& fitted);

// Returns those that options.names has, in that order; what is not in the registry is left out.
std::vector<DetectorDescriptor> chosen(const DetectorOptions& options);

// Returns options without the detectors that need held-out windows.
DetectorOptions for_own_windows(DetectorOptions options);

// Returns the error that no selected detector can score a run.
base::Unexpected nobody_sees();

// Returns those that options.names has fitted on a design, in that order; without those that see
// saturation signals, if it has none. Fails with kTooLittle on too few windows or no live column,
// and with kUsage if no detector is left.
base::Result<std::vector<std::shared_ptr<const Detector>>> fit_all(
    const Design& design, const DetectorOptions& options = {});

// Returns the part of a design that the detector sees.
Windows seen_by(const Detector& detector, const Design& design);

// Returns a window's contributions by live column.
Eigen::VectorXd contributions_by_column(const Detector& detector, const Design& design,
                                        Eigen::Index row);

}  // namespace reveal::detect

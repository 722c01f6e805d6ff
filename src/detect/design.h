// A feature matrix made ready for detectors: the columns that vary over the run, standardized, with
// nothing undefined left in them.
//
// Only this file decides which columns vary. So every detector sees the same columns, and no score
// divides by a standard deviation that is only rounding.
#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "base/result.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "stats/product.h"

namespace reveal::detect {

// Fewer windows than this say nothing about what is usual: with n of them no z-score can exceed
// sqrt(n - 1), and quartiles rest on n / 4 values.
inline constexpr Eigen::Index kMinWindows = 20;

// A column is constant when its standard deviation is at most this share of its |mean|: what is
// left is the rounding of the feature's own arithmetic. One page of change in 256 GiB is 1.5e-8.
inline constexpr double kConstantRatio = 1e-10;

// Where a design has a column that the matrix lacks.
inline constexpr std::size_t kAbsentColumn = ~std::size_t{0};

// What detectors see: windows x live columns, all finite. Nothing is copied.
using Windows = stats::MatrixView;

// The live columns that say what stalls work (saturation_signals.h), and their windows as they are,
// for a column that hardly ever moves has no standard deviation to be measured in.
struct SaturationColumns {
  std::vector<Eigen::Index> live;
  std::vector<double> least;  // the rise that counts, in the feature's unit
  Eigen::MatrixXd x;          // windows x those, in least rises; NaN where undefined
  // By window: one regime becomes the next here, so only what lies far above both is defined.
  // Empty: nowhere.
  std::vector<bool> at_cut = {};
  // By window: the workload did less than its usual. What stalls work here is not usual, so it is
  // learned elsewhere if there is enough. Empty: nowhere.
  std::vector<bool> slow = {};
};

// Columns that stand still and that a design leaves out, but that count where a share is of all.
struct LeftOut {
  Eigen::Index columns = 0;
  Eigen::Index levels = 0;  // of these
};

struct Design {
  Eigen::MatrixXd x;                 // windows x live columns, undefined values replaced by 0
  std::vector<std::size_t> columns;  // live column -> column of the FeatureMatrix
  Eigen::VectorXd mean;              // by live column, in the feature's unit
  Eigen::VectorXd scale;             // by live column: the standard deviation, population formula
  // Live columns that say where a channel's samples lie: their mean and median.
  std::vector<Eigen::Index> levels;
  // The medians of channels among them or, without a median, all of them, by subsystem
  // (DesignOptions::subsystems).
  std::vector<std::vector<Eigen::Index>> by_subsystem;
  SaturationColumns saturation;
  LeftOut left_out = {};
};

struct DesignOptions {
  std::vector<bool> channels = {};  // by ChannelId index: use this channel? Empty: use all
  std::vector<model::Subsystem> subsystems = {};  // by ChannelId index; empty: all are of one
  bool keep_constant = false;                     // with a scale of 0, and x of 0
  std::vector<double> least_rises =
      {};  // by column of the matrix (saturation_signals.h); empty: none
  // First rows of regimes (regimes.h); at most one: saturation signals are as they are. Else those
  // of each regime are told by how far they lie from its median. Where one regime becomes the next
  // they are undefined, unless they lie far above what is usual in both: what waits while a job
  // loads is not a fault.
  std::vector<std::size_t> regimes = {};
  std::vector<bool> slow = {};  // by window: SaturationColumns::slow
};

// Returns DesignOptions::subsystems.
std::vector<model::Subsystem> subsystems_of(const model::ChannelTable& channels);

// Returns the design of a run, standardized by the run itself. Values that are NaN or infinite are
// undefined: they enter neither mean nor standard deviation and become the mean, that is 0. Left
// out are columns of channels not asked for, columns undefined in more than half of the windows,
// and, unless they are asked for, constant ones. Fails with kTooLittle on fewer than kMinWindows
// windows, or if no column is left.
base::Result<Design> make_design(const feature::FeatureMatrix& matrix,
                                 const DesignOptions& options = {});

// Returns the columns and units of the design that make_design() would return, without its windows:
// `x` and `saturation.x` have no rows. Fails as make_design().
base::Result<Design> make_layout(const feature::FeatureMatrix& matrix,
                                 const DesignOptions& options = {});

// Adds the windows to what make_layout() or moving_part() returned. REQUIRES: the same matrix and
// options.
void add_windows(const feature::FeatureMatrix& matrix, const DesignOptions& options,
                 Design& layout);

// Some of the columns of a layout, and which of its columns they are.
struct PartOfLayout {
  Design design;
  std::vector<Eigen::Index> places;
};

// Returns the columns that move, and those of saturation signals, of a layout with
// DesignOptions::keep_constant: of most hosts less than half. In windows that the layout was made
// of, all others are 0, so detectors that are fitted and score these need not see them. All, if
// else no level would be left. REQUIRES: it has no windows.
PartOfLayout moving_part(const Design& layout);

// Returns in how many windows a column must be defined at least for make_design() to take it: in
// half of those of which more is known than means.
std::size_t least_defined(const feature::FeatureMatrix& matrix);

struct Projection {
  bool limit = false;                   // as standardize.h limits what lies far out
  std::size_t first = 0;                // of the windows that are asked for
  std::size_t count = ~std::size_t{0};  // at most this many of them
};

// Returns windows of `matrix` in the columns and units of `layout`, whose own windows may be
// others. What `matrix` lacks or has undefined is 0.
Eigen::MatrixXd project(const feature::FeatureMatrix& matrix, const Design& layout,
                        const Projection& asked = {});

// Returns windows of `matrix` in the columns of `layout.saturation`, in least rises; NaN is what
// `matrix` lacks or has undefined.
Eigen::MatrixXd project_saturation(const feature::FeatureMatrix& matrix, const Design& layout,
                                   const Projection& asked = {});

// Fails with kTooLittle on what no detector can be fitted on.
base::Result<void> check_windows(const Windows& x);

}  // namespace reveal::detect

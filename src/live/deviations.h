// How far each channel lies from its own median, in robust standard deviations.
#pragma once

#include <cstddef>
#include <vector>

#include "feature/feature_matrix.h"
#include "model/metric.h"

namespace reveal::live {

// More than this is shown as that much.
inline constexpr double kFarthestShown = 999;

struct ChannelState {
  model::ChannelId channel;
  double now = 0;        // in the window: its mean, or the sum of what is counted; never NaN
  double usual = 0;      // median over the windows
  double deviation = 0;  // at most kFarthestShown
  std::size_t column = 0;
};

// Returns |value - median| / (1.4826 MAD). If the MAD is 0, as when more than half of the windows
// are alike, the mean absolute deviation from the median stands for it, times what makes both equal
// for a normal distribution; if that is 0 too, any other value is farthest out.
double robust_deviation(double value, double median, double mad, double mean_deviation);

class Deviations {
 public:
  // Returns the channels that have a value in that row, the most deviating first, as they are
  // numbered if they deviate alike. What is usual is worked out anew only once there are enough new
  // windows to move it. REQUIRES: the same matrix each time; that row.
  std::vector<ChannelState> at(const feature::FeatureMatrix& matrix, std::size_t row);

 private:
  struct Usual {
    std::size_t column = 0;
    double median = 0;
    double mad = 0;
    double mean_deviation = 0;
  };

  void add_columns(const feature::FeatureMatrix& matrix);
  void learn(const feature::FeatureMatrix& matrix);

  std::vector<Usual> usual_;  // by channel: of the column that is shown
  std::size_t known_columns_ = 0;
  std::size_t learned_rows_ = 0;
  std::size_t learned_last_ = 0;  // id of the newest window that was learned
};

// Returns the column's values in the last `count` rows up to `row`, oldest first; NaN if there is
// none.
std::vector<double> recent_values(const feature::FeatureMatrix& matrix, std::size_t column,
                                  std::size_t row, std::size_t count);

}  // namespace reveal::live

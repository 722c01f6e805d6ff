#include "select/greedy.h"

#include <cmath>
#include <cstddef>

namespace reveal::select {
namespace {

// Returns the kept channel most correlated with `channel`, as an index into `kept`, or kept.size()
// when none is above the threshold.
std::size_t closest(const Eigen::MatrixXd& r, const std::vector<std::size_t>& kept,
                    std::size_t channel, double threshold) {
  std::size_t best = kept.size();
  double largest = threshold;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const double size =
        std::abs(r(static_cast<Eigen::Index>(kept[i]), static_cast<Eigen::Index>(channel)));
    if (size <= largest) continue;
    largest = size;
    best = i;
  }
  return best;
}

}  // namespace

std::vector<Cluster> clusters(std::span<const std::string> by_priority, const Eigen::MatrixXd& r,
                              double threshold) {
  std::vector<Cluster> out;
  std::vector<std::size_t> kept;  // rows of the matrix
  for (std::size_t row = 0; row < by_priority.size(); ++row) {
    const std::size_t cluster = closest(r, kept, row, threshold);
    if (cluster == kept.size()) {
      kept.push_back(row);
      out.push_back({by_priority[row], {}});
    } else {
      const double to_kept =
          r(static_cast<Eigen::Index>(kept[cluster]), static_cast<Eigen::Index>(row));
      out[cluster].members.push_back({by_priority[row], to_kept});
    }
  }
  return out;
}

}  // namespace reveal::select

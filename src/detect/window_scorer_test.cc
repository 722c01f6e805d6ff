#include "detect/window_scorer.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "detect/testing/synthetic_run.h"

namespace reveal::detect {
namespace {

constexpr Eigen::Index kWindows = 150;
constexpr Eigen::Index kColumns = 60;
constexpr Eigen::Index kHit = 20;
constexpr std::int64_t kSecond_ns = 1'000'000'000;

class Judged {
 public:
  Judged() {
    names_.reserve(kColumns);
    for (Eigen::Index j = 0; j < kColumns; ++j) {
      model::MetricDescriptor metric;
      metric.name = metric.label = names_.emplace_back("c" + std::to_string(j));
      metric.kind = model::Kind::kGauge;
      channels_.add_channel(channels_.add_metric(metric));
    }
    baseline_ = std::make_shared<const FittedBaseline>(
        fit_baseline(to_feature_matrix(run_.topRows(kWindows)), channels_, {}).value());
  }

  // Returns the votes on a window that is that far out, the begin of which is that long after the
  // begin of one that is far out by all detectors; 0: after none.
  int votes(double height, std::int64_t after_ns) const {
    feature::FeatureMatrix matrix = to_feature_matrix(Eigen::MatrixXd(0, kColumns));
    WindowScorer scorer(baseline_, {});
    std::size_t row = 0;
    if (after_ns > 0) {
      add(matrix, 0, 100);
      EXPECT_GT(scorer.judge(matrix, channels_, row++).value().agreement, 2);
    }
    add(matrix, after_ns, height);
    return scorer.judge(matrix, channels_, row).value().agreement;
  }

 private:
  void add(feature::FeatureMatrix& matrix, std::int64_t begin_ns, double height) const {
    window::WindowSpan span;
    span.begin_ns = begin_ns;
    span.end_ns = begin_ns + 3 * kSecond_ns;
    auto& row = matrix.add_row(span);
    for (Eigen::Index j = 0; j < kColumns; ++j) {
      row[static_cast<std::size_t>(j)] = run_(kWindows, j) + (j < kHit ? height : 0);
    }
  }

  // One run: the same causes move the same columns.
  Eigen::MatrixXd run_ = SyntheticRun(3).quiet(kWindows + 1, kColumns);
  std::vector<std::string> names_;
  model::ChannelTable channels_;
  std::shared_ptr<const FittedBaseline> baseline_;
};

// A window of which nothing would be said by itself goes on with what the one before began, but not
// if nothing was recorded between them.
TEST(WindowScorer, AFlagDoesNotSpreadOverAGap) {
  const Judged judged;
  int spread = 0;
  for (double height = 0; height < 10; height += 0.25) {
    const int alone = judged.votes(height, 0);
    spread += judged.votes(height, kSecond_ns) - alone;
    EXPECT_GE(judged.votes(height, 3 * kSecond_ns), alone) << height;  // they touch
    EXPECT_EQ(judged.votes(height, 4 * kSecond_ns), alone) << height;
  }
  EXPECT_GT(spread, 0);
}

}  // namespace
}  // namespace reveal::detect

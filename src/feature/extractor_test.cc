#include "feature/extractor.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::feature {
namespace {

using model::Kind;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

class Harness {
 public:
  void add(std::string_view name, Kind kind, std::string_view instance = {}) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.kind = kind;
    channels.add_channel(channels.add_metric(metric), instance);
  }
  void append(const std::vector<std::vector<double>>& samples) {
    std::vector<double> flat;
    for (const auto& channel : samples) flat.insert(flat.end(), channel.begin(), channel.end());
    window::WindowSpan span;
    span.id = window::WindowId(matrix.row_count());
    extractor.append({span, flat.data(), samples.size(), samples.front().size()}, matrix);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (std::size_t c = 0; c < matrix.column_count(); ++c)
      result.push_back(feature_name(channels, matrix.column(c)));
    return result;
  }
  double at(std::size_t row, std::string_view name) const {
    const auto all = names();
    for (std::size_t c = 0; c < all.size(); ++c)
      if (all[c] == name) return matrix.at(row, c);
    ADD_FAILURE() << "no column " << name;
    return kNone;
  }

  model::ChannelTable channels;
  FeatureMatrix matrix;
  FeatureExtractor extractor{channels};
};

TEST(FeatureExtractor, OrdersColumnsByChannelThenRegistry) {
  Harness h;
  h.add("cpu_busy_ratio", Kind::kGauge, "cpu=3");
  h.add("cpu_model", Kind::kStatic);
  h.add("memory_ecc_errors_total", Kind::kEvent);
  h.append({{1, 2, 3, 4}, {7, 7, 7, 7}, {0, 1, 0, 2}});
  const auto dynamic = default_features().dynamic;
  const auto names = h.names();
  ASSERT_EQ(names.size(), dynamic.size() + 1);
  for (std::size_t i = 0; i < dynamic.size(); ++i)
    EXPECT_EQ(names[i], "cpu_busy_ratio{cpu=3}__" + std::string(descriptor(dynamic[i]).name));
  EXPECT_EQ(names.back(), "memory_ecc_errors_total__sum_values");
  EXPECT_EQ(h.at(0, "memory_ecc_errors_total__sum_values"), 3.0);
  EXPECT_EQ(h.at(0, "cpu_busy_ratio{cpu=3}__maximum"), 4.0);
}

TEST(FeatureExtractor, ComputesFromValidSamplesOnly) {
  Harness h;
  h.add("g", Kind::kGauge);
  h.append({{kNone, 2, std::numeric_limits<double>::infinity(), 4, 9, kNone}});
  EXPECT_EQ(h.at(0, "g__mean"), 5.0);
  EXPECT_EQ(h.at(0, "g__median"), 4.0);
  EXPECT_EQ(h.at(0, "g__absolute_sum_of_changes"), 7.0);
  EXPECT_FALSE(std::isnan(h.at(0, "g__skewness")));
  EXPECT_TRUE(std::isnan(h.at(0, "g__kurtosis"))) << "three samples are too few";
}

TEST(FeatureExtractor, LeavesUndefinedWhatIsMissingForMoreThanHalfOfTheWindow) {
  Harness h;
  h.add("half", Kind::kGauge);
  h.add("less", Kind::kGauge);
  h.add("none", Kind::kEvent);
  h.append({{1, 2, kNone, kNone}, {1, kNone, kNone, kNone}, {kNone, kNone, kNone, kNone}});
  EXPECT_EQ(h.at(0, "half__maximum"), 2.0);
  EXPECT_TRUE(std::isnan(h.at(0, "less__maximum")));
  EXPECT_TRUE(std::isnan(h.at(0, "none__sum_values"))) << "unknown is not zero";
}

TEST(FeatureExtractor, AppendsColumnsForChannelsThatAppear) {
  Harness h;
  h.add("a", Kind::kGauge);
  h.append({{1, 2, 3}});
  const std::size_t before = h.matrix.column_count();
  h.add("b", Kind::kEvent);
  h.append({{4, 5, 6}, {1, 1, 1}});
  EXPECT_EQ(h.matrix.column_count(), before + 1);
  EXPECT_TRUE(std::isnan(h.at(0, "b__sum_values")));
  EXPECT_EQ(h.at(1, "b__sum_values"), 3.0);
  EXPECT_EQ(h.at(0, "a__maximum"), 3.0);
  EXPECT_EQ(h.at(1, "a__maximum"), 6.0);
}

TEST(FeatureExtractor, KeepsTheWindowsSpan) {
  Harness h;
  h.add("a", Kind::kGauge);
  h.append({{1, 2, 3}});
  h.append({{1, 2, 3}});
  ASSERT_EQ(h.matrix.row_count(), 2U);
  EXPECT_EQ(h.matrix.window(1).id.value(), 1U);
}

}  // namespace
}  // namespace reveal::feature

#include "feature/joined_runs.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::feature {
namespace {

// A run of one window, with a column a channel, of feature 0.
struct OneWindow {
  FeatureMatrix matrix;
  model::ChannelTable channels;

  explicit OneWindow(const std::vector<std::pair<std::string, double>>& values) {
    for (const auto& [instance, value] : values) {
      model::MetricDescriptor metric;
      metric.name = "load";
      const auto channel = channels.add_channel(channels.add_metric(metric), instance);
      matrix.add_column({channel, FeatureId(0)});
    }
    auto& row = matrix.add_row({});
    for (std::size_t i = 0; i < values.size(); ++i) row[i] = values[i].second;
  }
};

// Returns the value of a channel in a row, by name.
double value_of(const JoinedRuns& all, const std::string& channel, std::size_t row) {
  for (std::size_t i = 0; i < all.matrix.column_count(); ++i) {
    if (all.channels.name(all.matrix.column(i).channel) == channel) return all.matrix.at(row, i);
  }
  ADD_FAILURE() << "no column of " << channel;
  return 0;
}

TEST(JoinedRuns, ColumnsMeetByNameHoweverRunsNumberThem) {
  const OneWindow first({{"cpu=0", 1}, {"cpu=1", 2}});
  const OneWindow second({{"cpu=2", 30}, {"cpu=1", 20}});
  JoinedRuns all;
  all.add(first.matrix, first.channels);
  all.add(second.matrix, second.channels);
  EXPECT_EQ(all.matrix.column_count(), 3u);
  EXPECT_EQ(all.first_rows, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(value_of(all, "load{cpu=0}", 0), 1);
  EXPECT_EQ(value_of(all, "load{cpu=1}", 0), 2);
  EXPECT_EQ(value_of(all, "load{cpu=1}", 1), 20);
  EXPECT_EQ(value_of(all, "load{cpu=2}", 1), 30);
  EXPECT_TRUE(std::isnan(value_of(all, "load{cpu=0}", 1)));
  EXPECT_TRUE(std::isnan(value_of(all, "load{cpu=2}", 0)));
}

TEST(JoinedRuns, FeaturesOfAChannelStayApart) {
  model::MetricDescriptor metric;
  metric.name = "load";
  model::ChannelTable channels;
  const auto channel = channels.add_channel(channels.add_metric(metric));
  FeatureMatrix matrix;
  matrix.add_column({channel, FeatureId(1)});
  matrix.add_column({channel, FeatureId(0)});
  matrix.add_row({}) = {5, 7};
  JoinedRuns all;
  all.add(matrix, channels);
  all.add(matrix, channels);
  ASSERT_EQ(all.matrix.column_count(), 2u);
  EXPECT_EQ(all.matrix.at(1, 0), 5);
  EXPECT_EQ(all.matrix.at(1, 1), 7);
}

}  // namespace
}  // namespace reveal::feature

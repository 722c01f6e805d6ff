#include <array>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "attribute/claim.h"
#include "attribute/merge.h"
#include "attribute/shares.h"
#include "feature/feature.h"

namespace reveal::attribute {
namespace {

using testing::ElementsAre;

model::ChannelId add(model::ChannelTable& table, std::string_view name, std::string_view label,
                     std::string_view unit, model::Subsystem subsystem,
                     std::string_view instance = {}, model::Scope scope = model::Scope::kHost) {
  model::MetricDescriptor metric;
  metric.name = name;
  metric.label = label;
  metric.unit = unit;
  metric.subsystem = subsystem;
  metric.scope = scope;
  return table.add_channel(table.add_metric(metric), instance);
}

feature::FeatureMatrix windows_at(const std::vector<std::int64_t>& begins) {
  feature::FeatureMatrix matrix;
  for (const auto begin : begins) {
    matrix.add_row({window::WindowId(matrix.row_count()), begin, begin + 30, 0, 0});
  }
  return matrix;
}

TEST(Merge, WindowsLessThanTheirLengthApartAreOneGroup) {
  const auto matrix = windows_at({0, 10, 20, 30, 60, 121});  // each 30 long
  const std::vector<int> all{2, 2, 3, 2, 2, 2};
  EXPECT_THAT(merge_flagged(matrix, all, 2),
              ElementsAre(ElementsAre(0, 1, 2, 3, 4), ElementsAre(5)));
  const std::vector<int> some{2, 1, 0, 2, 0, 3};  // 0 ends at 30, where 3 begins
  EXPECT_THAT(merge_flagged(matrix, some, 2), ElementsAre(ElementsAre(0, 3), ElementsAre(5)));
  EXPECT_TRUE(merge_flagged(matrix, some, 4).empty());
}

TEST(Shares, StrengthAndBreadthOfASubsystemBothCount) {
  model::ChannelTable table;
  std::vector<double> contribution;
  for (int i = 0; i < 4; ++i) {
    add(table, "storage_" + std::to_string(i), "", "", model::Subsystem::kStorage);
    contribution.push_back(0.1);
  }
  for (int i = 0; i < 70; ++i) {  // many channels with a little noise each, 0.7 in all
    add(table, "network_" + std::to_string(i), "", "", model::Subsystem::kNetwork);
    contribution.push_back(0.01);
  }
  for (int i = 0; i < 25; ++i) {  // as strong as storage in a few, quiet in the rest
    add(table, "memory_" + std::to_string(i), "", "", model::Subsystem::kMemory);
    contribution.push_back(i < 4 ? 0.1 : 0.0);
  }
  add(table, "cpu_unseen", "", "", model::Subsystem::kCpu);
  contribution.push_back(std::nan(""));
  const auto shares = subsystem_shares(table, contribution);
  // By hand: storage sqrt(.1 * .1), network sqrt(.01 * .01), memory sqrt(.1 * .4 / 25).
  const double total = 0.1 + 0.01 + 0.04;
  EXPECT_NEAR(shares[static_cast<std::size_t>(model::Subsystem::kStorage)], 0.1 / total, 1e-12);
  EXPECT_NEAR(shares[static_cast<std::size_t>(model::Subsystem::kNetwork)], 0.01 / total, 1e-12);
  EXPECT_NEAR(shares[static_cast<std::size_t>(model::Subsystem::kMemory)], 0.04 / total, 1e-12);
  EXPECT_EQ(shares[static_cast<std::size_t>(model::Subsystem::kCpu)], 0.0);
  EXPECT_EQ(shares[static_cast<std::size_t>(model::Subsystem::kGpu)], 0.0);
}

TEST(Shares, NothingContributedIsNobodysFault) {
  model::ChannelTable table;
  add(table, "a", "", "", model::Subsystem::kCpu);
  EXPECT_THAT(subsystem_shares(table, std::array{0.0}), testing::Each(0.0));
}

class ClaimTest : public testing::Test {
 protected:
  Evidence evidence(model::ChannelId channel, std::string_view feature, double observed,
                    double median, double contribution = 0.5) {
    return {{channel, *feature::find_feature(feature)}, observed, median, 0, contribution};
  }

  model::ChannelTable table_;
  model::ChannelId sectors_ =
      add(table_, "storage_read_sectors_total", "Disk read sectors", "sectors/s",
          model::Subsystem::kStorage, "dev=sda", model::Scope::kDisk);
  model::ChannelId busy_ = add(table_, "cpu_busy_ratio", "Busy time", "ratio",
                               model::Subsystem::kCpu, "cpu=3", model::Scope::kCore);
};

TEST_F(ClaimTest, ReadsAsInThePapersTable) {
  EXPECT_EQ(claim(table_, evidence(sectors_, "maximum", 41943, 120)),
            "Disk read sectors' maximum on sda exceeds the baseline: 41 943 sectors/s against a "
            "median of 120 sectors/s");
  EXPECT_EQ(claim(table_, evidence(busy_, "mean", 0.07, 0.95)),
            "Busy time's mean on CPU 3 falls below the baseline: 7 % against a median of 95 %");
}

TEST_F(ClaimTest, UnitsFollowTheFeature) {
  const auto unit = [&](std::string_view feature) {
    return evidence_unit(table_, {sectors_, *feature::find_feature(feature)});
  };
  EXPECT_EQ(unit("median"), "sectors/s");
  EXPECT_EQ(unit("variance"), "(sectors/s)^2");
  EXPECT_EQ(unit("linear_trend__attr_\"slope\""), "sectors/s per tick");
  EXPECT_EQ(unit("skewness"), "");
}

TEST_F(ClaimTest, ALegibleFeatureSpeaksUnlessTheShapeIsMuchStronger) {
  const std::vector<Evidence> close{evidence(sectors_, "skewness", 5, 0, 0.3),
                                    evidence(busy_, "mean", 1, 0, 0.25),
                                    evidence(sectors_, "maximum", 9, 1, 0.2)};
  EXPECT_EQ(most_telling(table_, close, model::Subsystem::kStorage), &close[2]);
  EXPECT_EQ(most_telling(table_, close, model::Subsystem::kCpu), &close[1]);
  EXPECT_EQ(most_telling(table_, close, model::Subsystem::kGpu), nullptr);
  const std::vector<Evidence> far{evidence(sectors_, "skewness", 5, 0, 0.3),
                                  evidence(sectors_, "maximum", 9, 1, 0.05)};
  EXPECT_EQ(most_telling(table_, far, model::Subsystem::kStorage), &far[0]);
}

}  // namespace
}  // namespace reveal::attribute

#include <array>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "attribute/claim.h"
#include "attribute/merge.h"
#include "attribute/parts.h"
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
  EXPECT_THAT(merge_flagged(matrix, all, {}),
              ElementsAre(ElementsAre(0, 1, 2, 3, 4), ElementsAre(5)));
  const std::vector<int> some{2, 1, 0, 2, 0, 3};  // 0 ends at 30, where 3 begins
  EXPECT_THAT(merge_flagged(matrix, some, {}), ElementsAre(ElementsAre(0, 3), ElementsAre(5)));
  EXPECT_TRUE(merge_flagged(matrix, some, {.min_agreement = 4}).empty());
}

TEST(Merge, WindowsBeforeAndAfterTheClockWasSetAreNotOneGroup) {
  const auto matrix = windows_at({1000, 1010, 400, 410, 2000});
  const std::vector<int> all(5, 2);
  EXPECT_THAT(merge_flagged(matrix, all, {}),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4)));
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

// So many contributions of channels of one subsystem.
struct Contributions {
  model::Subsystem subsystem;
  std::vector<double> values;
};

SubsystemShares shares_of(const std::vector<Contributions>& all) {
  model::ChannelTable table;
  std::vector<double> by_channel;
  for (const auto& [subsystem, values] : all) {
    for (const double value : values) {
      add(table, "metric_" + std::to_string(by_channel.size()), "", "", subsystem);
      by_channel.push_back(value);
    }
  }
  return subsystem_shares(table, by_channel);
}

TEST(Shares, WhatOnlyUnknownChannelsShowIsNoKnownSubsystems) {
  using enum model::Subsystem;
  for (const std::size_t moving : {1U, 3U, 40U}) {
    std::vector<double> unknown(50, 0.0);
    std::fill_n(unknown.begin(), moving, 0.02);
    const auto shares = shares_of({{kCpu, std::vector(6, 0.004)}, {kUnknown, unknown}});
    EXPECT_EQ(most_blamed(shares), kUnknown) << moving;
    // By hand: cpu sqrt(.004 * .004), unknown sqrt(.02 / 3 * .02), however many there are.
    const double of_unknown = 0.02 / std::sqrt(3.0);
    EXPECT_NEAR(shares[static_cast<std::size_t>(kUnknown)], of_unknown / (of_unknown + 0.004),
                1e-12);
  }
}

TEST(Shares, UnknownChannelsGiveWayToAKnownOneThatMovesToo) {
  using enum model::Subsystem;
  for (const std::size_t moving : {1U, 5U, 200U}) {
    const Contributions unknown{kUnknown, std::vector(moving, 0.02)};
    // One of ten columns moves a quarter as much.
    std::vector<double> network(10, 0.0);
    network[4] = 0.005;
    EXPECT_EQ(most_blamed(shares_of({unknown, {kCpu, {0.0, 0.0}}, {kNetwork, network}})), kNetwork)
        << moving;
    network[4] = 0.0049;
    EXPECT_EQ(most_blamed(shares_of({unknown, {kCpu, {0.0, 0.0}}, {kNetwork, network}})), kUnknown)
        << moving;
  }
}

TEST(Shares, IfNothingIsBlamedTheSubsystemIsNotKnown) {
  EXPECT_EQ(most_blamed({}), model::Subsystem::kUnknown);
  EXPECT_EQ(Finding().subsystem(), model::Subsystem::kUnknown);
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

TEST_F(ClaimTest, SaysWhatMovedWhereAndFromWhat) {
  EXPECT_EQ(claim(table_, evidence(sectors_, "maximum", 41943, 120)),
            "Disk read sectors' maximum on sda rose to 41 943 sectors/s (usually 120 sectors/s)");
  EXPECT_EQ(claim(table_, evidence(sectors_, "mean", 41943, 120)),
            "Disk read sectors on sda rose to 41 943 sectors/s (usually 120 sectors/s)");
  EXPECT_EQ(claim(table_, evidence(busy_, "mean", 0.07, 0.95)),
            "Busy time on CPU 3 fell to 7 % (usually 95 %)");
}

TEST_F(ClaimTest, SaysWhatHappenedToWorkIfAMetricTellsThat) {
  const auto disk = add(table_, "storage_io_pressure_some_seconds_total", "I/O pressure", "ratio",
                        model::Subsystem::kStorage, "", model::Scope::kHost);
  EXPECT_EQ(claim(table_, evidence(disk, "mean", 0.417, 0)),
            "Tasks waited for the disk 41.7 % of the time (usually 0 %)");
  EXPECT_EQ(claim(table_, evidence(disk, "maximum", 1, 0)),
            "I/O pressure's maximum rose to 100 % (usually 0 %)");
  EXPECT_EQ(claim(table_, evidence(disk, "mean", 0.1, 0.4)),
            "I/O pressure fell to 10 % (usually 40 %)");
  const auto quota = add(table_, "cpu_cgroup_throttled_seconds_total", "Throttled time", "ratio",
                         model::Subsystem::kCpu, "cg=/job", model::Scope::kCgroup);
  EXPECT_EQ(claim(table_, evidence(quota, "mean", 0.12, 0)),
            "The CPU quota kept tasks off 0.12 of a core in /job (usually 0.00)");
  const auto cap = add(table_, "gpu_throttle_power_cap_active", "Power cap", "",
                       model::Subsystem::kGpu, "gpu=0", model::Scope::kGpu);
  EXPECT_EQ(claim(table_, evidence(cap, "mean", 0.8, 0)),
            "The power cap slowed the clocks 80 % of the time on GPU 0 (usually 0 %)");
}

// The clock of the kernel's sums and the ticks' own differ by a little.
TEST_F(ClaimTest, NoShareOfTheTimeExceedsAllOfIt) {
  const auto disk = add(table_, "storage_io_pressure_some_seconds_total", "I/O pressure", "ratio",
                        model::Subsystem::kStorage, "", model::Scope::kHost);
  EXPECT_EQ(claim(table_, evidence(disk, "mean", 1.02, 0.1)),
            "Tasks waited for the disk 100 % of the time (usually 10 %)");
}

TEST_F(ClaimTest, PlacesOfSeveralLabelsAreSaidInWords) {
  EXPECT_EQ(place_phrase(model::Scope::kDevice, "cpu=1,state=C1E idle"),
            " on CPU 1, state C1E idle");
  EXPECT_EQ(place_phrase(model::Scope::kCgroup, "cg=/a,b/c,node=0"), " in /a,b/c, node 0");
  EXPECT_EQ(place_phrase(model::Scope::kCgroup, "cg=/a,B=1"), " in /a,B=1");
  EXPECT_EQ(place_phrase(model::Scope::kHost, ""), "");
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

// By hand: 0.2 * (12 - 11) / 12 < 0.1 * (7 - 0) / 7, and 0.15 * (10 - 0) / 10 / 2 for the fall.
TEST_F(ClaimTest, WhatChangedMuchSpeaksSoonerThanWhatContributedMost) {
  const std::vector<Evidence> all{evidence(sectors_, "mean", 12, 11, 0.2),
                                  evidence(busy_, "mean", 0, 10, 0.15),
                                  evidence(sectors_, "maximum", 7, 0, 0.1)};
  EXPECT_EQ(most_telling(all), &all[2]);
  EXPECT_EQ(most_telling(std::span(all).first(2)), &all[1]);
  EXPECT_EQ(most_telling({}), nullptr);
}

// Of pressure a tenth of the time is what an operator notices; sectors have no such number.
TEST_F(ClaimTest, AWaitThatNobodyWouldNoticeIsNegligibleHoweverUnusual) {
  const auto waits = add(table_, "cpu_cgroup_pressure_some_seconds_total", "CPU pressure", "ratio",
                         model::Subsystem::kCpu, "cg=/job", model::Scope::kCgroup);
  EXPECT_TRUE(is_negligible(table_, evidence(waits, "mean", 0.0002, 0)));
  EXPECT_TRUE(is_negligible(table_, evidence(waits, "maximum", 0.399, 0.4)));
  EXPECT_FALSE(is_negligible(table_, evidence(waits, "mean", 0.02, 0)));
  EXPECT_FALSE(is_negligible(table_, evidence(waits, "mean", 0.3, 0.4)));
  EXPECT_FALSE(is_negligible(table_, evidence(waits, "skewness", 0.0002, 0)));
  EXPECT_FALSE(is_negligible(table_, evidence(sectors_, "mean", 0.0002, 0)));
}

TEST_F(ClaimTest, ALegibleFeatureSpeaksUnlessTheShapeIsMuchStronger) {
  const auto live = [&](double skewness, double maximum) {
    feature::FeatureMatrix matrix;
    matrix.add_column({sectors_, *feature::find_feature("skewness")});
    matrix.add_column({busy_, *feature::find_feature("mean")});
    matrix.add_column({sectors_, *feature::find_feature("maximum")});
    detect::Design design;
    design.columns = {0, 1, 2};
    const Eigen::VectorXd shares = Eigen::Vector3d(skewness, 0.25, maximum);
    std::vector<std::size_t> out;
    for (const Part& part :
         telling_parts(shares, table_, design, matrix, model::Subsystem::kStorage)) {
      out.push_back(part.live);
    }
    EXPECT_TRUE(telling_parts(shares, table_, design, matrix, model::Subsystem::kGpu).empty());
    return out;
  };
  EXPECT_THAT(live(0.3, 0.2), ElementsAre(2));
  EXPECT_THAT(live(0.3, 0.05), ElementsAre(0));
}

// Windows of 3 s every second; the clock may be set between them.
Finding windows_beginning_at(const std::vector<std::int64_t>& seconds) {
  Finding out;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const std::int64_t begin_ns = seconds[i] * 1'000'000'000;
    out.windows.push_back({{window::WindowId(i), begin_ns, begin_ns + 3'000'000'000, 0, 0}, {}});
  }
  return out;
}

TEST(Finding, LastsAsLongWhateverTheClockIsSetTo) {
  EXPECT_EQ(windows_beginning_at({10, 11, 12}).length_ns(), 5'000'000'000);
  // Whoever sets the clock hides how far apart two windows were: 0 to 3 s.
  EXPECT_EQ(windows_beginning_at({4000, 4001, 402, 403}).length_ns(), 5'000'000'000);
  EXPECT_EQ(windows_beginning_at({10, 11, 4012, 4013}).length_ns(), 8'000'000'000);
}

}  // namespace
}  // namespace reveal::attribute

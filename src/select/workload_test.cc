#include "select/workload.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "select/testing/test_series.h"

namespace reveal::select {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

Correlations made(std::vector<std::string> names, std::vector<std::int16_t> ranks,
                  std::vector<std::vector<double>> rows) {
  Correlations out{std::move(names), std::move(ranks), {}};
  const auto n = static_cast<Eigen::Index>(rows.size());
  out.r.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      out.r(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  return out;
}

TEST(Workload, APairIsAveragedOverTheRunsThatHaveBoth) {
  const auto one = made({"a", "b"}, {1, 1}, {{1, 0.8}, {0.8, 1}});
  const auto other = made({"b", "a", "c"}, {1, 1, 1}, {{1, 0.2, -0.6}, {0.2, 1, 0}, {-0.6, 0, 1}});
  const auto mean = mean_correlations(std::vector{one, other});
  // Variances of (.5, 0), (.5, -.6) and (0, -.6): .0625, .3025, .09.
  EXPECT_THAT(mean.names, ElementsAre("b", "c", "a"));
  EXPECT_THAT(mean.r(0, 2), DoubleEq(0.5));
  EXPECT_THAT(mean.r(0, 1), DoubleEq(-0.6));
  EXPECT_THAT(mean.r(1, 2), DoubleEq(0));
  EXPECT_THAT(mean.r(1, 1), DoubleEq(1));
}

TEST(Workload, RankComesBeforeVariance) {
  const auto run =
      made({"a", "b", "c"}, {2, 1, 2}, {{1, 0.9, -0.9}, {0.9, 1, 0.9}, {-0.9, 0.9, 1}});
  EXPECT_THAT(mean_correlations(std::vector{run}).names, ElementsAre("b", "a", "c"));
}

TEST(Workload, ThePlanIsMadeOnTheMean) {
  const auto apart = made({"a", "b"}, {1, 2}, {{1, 0.3}, {0.3, 1}});
  const auto near = made({"a", "b"}, {1, 2}, {{1, 0.9}, {0.9, 1}});
  const auto of = [](std::vector<Correlations> runs) {
    return plan(mean_correlations(runs), 0.5).clusters.size();
  };
  EXPECT_EQ(of({apart}), 2U);
  EXPECT_EQ(of({apart, near}), 1U);
  EXPECT_EQ(of({apart, apart, near}), 2U);
}

TEST(Workload, ChannelsThatAreNotChosenAreNotAmongThem) {
  auto run = made({"a", "b", "c"}, {1, 2, 3}, {{1, 0.2, -0.6}, {0.2, 1, 0.4}, {-0.6, 0.4, 1}});
  run.constant = {"d", "e"};
  const auto left = without(run, {"b", "e", "z"});
  EXPECT_THAT(left.names, ElementsAre("a", "c"));
  EXPECT_THAT(left.ranks, ElementsAre(1, 3));
  EXPECT_THAT(left.constant, ElementsAre("d"));
  EXPECT_EQ(left.r.rows(), 2);
  EXPECT_THAT(left.r(0, 1), DoubleEq(-0.6));
}

TEST(Workload, ConstantChannelsAreNotAmongThem) {
  model::ChannelTable channels;
  std::vector<std::vector<double>> series(3);
  for (const char* name : {"still", "up", "down"}) {
    model::MetricDescriptor metric;
    metric.name = name;
    channels.add_channel(channels.add_metric(metric));
  }
  for (int t = 0; t < 20; ++t) {
    series[0].push_back(4);
    series[1].push_back(t);
    series[2].push_back(-t);
  }
  const auto found = correlations_of(co_moments(series), channels);
  EXPECT_THAT(found.names, ElementsAre("up", "down"));
  EXPECT_THAT(found.r(0, 1), DoubleEq(-1));
  EXPECT_THAT(found.constant, ElementsAre("still"));
}

TEST(Workload, WhatChangesInAnyRunIsNotConstant) {
  auto one = made({"a", "b"}, {1, 1}, {{1, 0.8}, {0.8, 1}});
  one.constant = {"c", "e"};
  auto other = made({"a", "c"}, {1, 1}, {{1, 0.2}, {0.2, 1}});
  other.constant = {"b", "d"};
  const auto mean = mean_correlations(std::vector{one, other});
  EXPECT_THAT(mean.constant, ElementsAre("d", "e"));
  EXPECT_THAT(plan(mean, 0.5).constant, ElementsAre("d", "e"));
}

}  // namespace
}  // namespace reveal::select

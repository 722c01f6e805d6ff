#include "select/selection_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "select/testing/test_series.h"
#include "stats/correlation.h"

namespace reveal::select {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Channels with their series, in the order in which they are added.
struct Trace {
  model::ChannelTable channels;
  std::vector<std::vector<double>> series;

  void add(std::string_view name, std::int16_t rank, std::vector<double> values,
           model::Kind kind = model::Kind::kGauge, std::string_view instance = {}) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.rank = rank;
    metric.kind = kind;
    channels.add_channel(channels.add_metric(metric), instance);
    series.push_back(std::move(values));
  }
  SelectionPlan planned(double threshold = kDefaultThreshold) const {
    return plan(co_moments(series), channels, threshold);
  }
};

std::vector<std::string> representatives(const SelectionPlan& plan) {
  std::vector<std::string> out;
  for (const auto& cluster : plan.clusters) out.push_back(cluster.representative);
  return out;
}

// x, y and z are pairwise uncorrelated: rows of a Hadamard matrix, repeated.
std::vector<double> hadamard(unsigned row, double scale = 1.0, double offset = 0.0) {
  std::vector<double> out;
  for (unsigned t = 0; t < 64; ++t) {
    out.push_back(offset + scale * (__builtin_popcount(t % 8 & row) % 2 == 0 ? 1.0 : -1.0));
  }
  return out;
}

std::vector<double> mix(const std::vector<double>& a, double weight_a, const std::vector<double>& b,
                        double weight_b) {
  std::vector<double> out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back(weight_a * a[i] + weight_b * b[i]);
  return out;
}

TEST(Plan, KeepsTheLowerRankOfACorrelatedPair) {
  Trace run;
  run.add("writes", 50, hadamard(1, 2.0, 10.0));
  run.add("sectors", 10, hadamard(1, -7.0, 100.0));
  run.add("dirty", 90, hadamard(2));
  const auto plan = run.planned();
  EXPECT_THAT(representatives(plan), ElementsAre("sectors", "dirty"));
  ASSERT_EQ(plan.clusters[0].members.size(), 1u);
  EXPECT_EQ(plan.clusters[0].members[0].channel, "writes");
  EXPECT_DOUBLE_EQ(plan.clusters[0].members[0].r, -1.0);
  EXPECT_THAT(plan.clusters[1].members, IsEmpty());
}

TEST(Plan, BreaksTiesByVariationThenName) {
  Trace run;
  run.add("calm", 10, hadamard(1, 5.0, 1000.0));  // larger variance, smaller against its mean
  run.add("lively", 10, hadamard(1, 1.0, 2.0));
  EXPECT_THAT(representatives(run.planned()), ElementsAre("lively"));
  Trace equal;
  equal.add("b", 10, hadamard(1, 4.0, 8.0));
  equal.add("a", 10, hadamard(1, 1.0, 2.0));
  EXPECT_THAT(representatives(equal.planned()), ElementsAre("a"));
}

TEST(Plan, AChainIsNotOneGroup) {
  // r(x, m) = r(m, y) = 0.707 and r(x, y) = 0: what is like x is not like y.
  const auto x = hadamard(1);
  const auto y = hadamard(2);
  Trace run;
  run.add("x", 10, x);
  run.add("m", 20, mix(x, 1.0, y, 1.0));
  run.add("y", 30, y);
  const auto plan = run.planned();
  EXPECT_THAT(representatives(plan), ElementsAre("x", "y"));
  EXPECT_NEAR(plan.clusters[0].members.at(0).r, std::sqrt(0.5), 1e-12);
}

TEST(Plan, JoinsTheClosestKeptChannel) {
  const auto x = hadamard(1);
  const auto y = hadamard(2);
  Trace run;
  run.add("x", 10, x);
  run.add("y", 20, y);
  run.add("m", 30, mix(x, 0.7, y, -1.0));
  const auto plan = run.planned();
  ASSERT_EQ(plan.clusters.size(), 2u);
  EXPECT_THAT(plan.clusters[0].members, IsEmpty());
  EXPECT_EQ(plan.clusters[1].members.at(0).channel, "m");
  EXPECT_LT(plan.clusters[1].members.at(0).r, -0.8);
}

TEST(Plan, TheThresholdItselfIsNotAbove) {
  const auto x = hadamard(1);
  Trace run;
  run.add("x", 10, x);
  run.add("y", 20, mix(x, 1.0, hadamard(2), 0.5));
  EXPECT_EQ(run.planned(1.0).clusters.size(), 2u);
  EXPECT_EQ(run.planned(0.95).clusters.size(), 2u);
  EXPECT_EQ(run.planned(0.85).clusters.size(), 1u);  // r = 1 / sqrt(1.25) = 0.894
}

TEST(Plan, ConstantAndEmptyChannelsAreListedApart) {
  Trace run;
  run.add("total", 1, std::vector<double>(64, 16e9));
  run.add("gone", 1, std::vector<double>(64, kNan));
  run.add("dirty", 10, hadamard(1));
  const auto plan = run.planned();
  EXPECT_THAT(representatives(plan), ElementsAre("dirty"));
  EXPECT_THAT(plan.constant, ElementsAre("gone", "total"));
  EXPECT_EQ(Trace().planned(), SelectionPlan{});
}

// Groups of channels around common causes, with noise and gaps.
Trace random_run(std::uint64_t seed) {
  base::Rng rng(seed);
  const std::size_t causes = 2 + rng.below(4);
  std::vector<std::vector<double>> series(3 + rng.below(20), std::vector<double>(200));
  for (std::size_t t = 0; t < 200; ++t) {
    std::vector<double> cause(causes);
    for (double& value : cause) value = rng.uniform();
    for (std::size_t i = 0; i < series.size(); ++i) {
      series[i][t] = 1.0 + cause[i % causes] + 0.7 * cause[(i + 1) % causes] + rng.uniform();
      if (rng.below(20) == 0) series[i][t] = kNan;
    }
  }
  Trace run;
  for (std::size_t i = 0; i < series.size(); ++i) {
    run.add("m" + std::to_string(i), static_cast<std::int16_t>(i * 7 % 100), series[i]);
  }
  return run;
}

TEST(PlanProperty, KeptAreApartAndDroppedAreNear) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Trace run = random_run(seed);
    const auto plan = run.planned();
    const auto series = [&run](const std::string& name) -> const std::vector<double>& {
      return run.series[run.channels.find_channel(name)->index()];
    };
    std::size_t seen = plan.constant.size();
    for (const auto& a : plan.clusters) {
      seen += 1 + a.members.size();
      for (const auto& b : plan.clusters) {
        if (&a == &b) continue;
        const double r = stats::correlation(series(a.representative), series(b.representative));
        EXPECT_LE(std::abs(r), plan.threshold + 1e-9);
      }
      for (const auto& member : a.members) {
        const double r = stats::correlation(series(a.representative), series(member.channel));
        EXPECT_NEAR(member.r, r, 1e-9);
        EXPECT_GT(std::abs(r), plan.threshold - 1e-9);
      }
    }
    EXPECT_EQ(seen, run.series.size());
  }
}

TEST(PlanProperty, OrderScaleAndOffsetChangeNothing) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Trace run = random_run(seed);
    Trace other;
    for (std::size_t i = run.series.size(); i-- > 0;) {
      auto values = run.series[i];
      for (double& value : values) value = 1e6 + 512.0 * value;
      const model::ChannelId id(i);
      other.add(run.channels.metric(id).name, run.channels.metric(id).rank, values);
    }
    const auto expected = run.planned();
    const auto plan = other.planned();
    ASSERT_EQ(representatives(plan), representatives(expected));
    for (std::size_t i = 0; i < plan.clusters.size(); ++i) {
      ASSERT_EQ(plan.clusters[i].members.size(), expected.clusters[i].members.size());
      for (std::size_t j = 0; j < plan.clusters[i].members.size(); ++j) {
        EXPECT_EQ(plan.clusters[i].members[j].channel, expected.clusters[i].members[j].channel);
        EXPECT_NEAR(plan.clusters[i].members[j].r, expected.clusters[i].members[j].r, 1e-9);
      }
    }
  }
}

TEST(Unite, KeepsWhatAnyPlanKeeps) {
  const SelectionPlan one{0.5, {{"a", {{"b", 0.6}, {"c", -0.9}}}, {"d", {}}}, {"e", "f"}};
  const SelectionPlan two{0.6, {{"b", {{"c", 0.7}, {"e", 0.8}}}, {"a", {}}}, {"d", "f"}};
  const std::vector<SelectionPlan> plans{one, two};
  const auto both = unite(plans);
  EXPECT_EQ(both.threshold, 0.6);
  EXPECT_EQ(both.clusters,
            (std::vector<Cluster>{{"a", {{"c", -0.9}}}, {"d", {}}, {"b", {{"e", 0.8}}}}));
  EXPECT_THAT(both.constant, ElementsAre("f"));
}

TEST(Unite, OfOneOrNoneIsThatOne) {
  const SelectionPlan one{0.7, {{"a", {{"b", 0.75}, {"c", -0.9}}}}, {"e"}};
  EXPECT_EQ(unite(std::vector{one}), one);
  EXPECT_EQ(unite({}), SelectionPlan{});
}

TEST(Apply, KeepsRepresentativesUnknownsAndSilentEvents) {
  const SelectionPlan plan{
      0.5, {{"kept", {{"dropped{dev=a}", 0.8}}}}, {"total", "errors"}, {"left", "new_errors"}};
  Trace run;
  run.add("dropped", 1, {}, model::Kind::kCounter, "dev=a");
  run.add("dropped", 1, {}, model::Kind::kCounter, "dev=b");
  run.add("kept", 1, {});
  run.add("total", 1, {}, model::Kind::kStatic);
  run.add("errors", 1, {}, model::Kind::kEvent);
  run.add("left", 1, {});
  run.add("new_errors", 1, {}, model::Kind::kEvent);
  const auto selection = apply(plan, run.channels);
  EXPECT_EQ(selection.keep, (std::vector<bool>{false, true, true, false, true, false, true}));
  EXPECT_EQ(selection.kept, 4u);
  EXPECT_EQ(selection.unknown, 1u);
}

}  // namespace
}  // namespace reveal::select

#include "feature/window_ratios.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "feature/extractor.h"

namespace reveal::feature {
namespace {

using model::Kind;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kExact = 1e-12;

double per_unit(std::span<const double> rates) {
  return rates[1] > 0.0 ? rates[0] / rates[1] : 0.0;
}
// Of what is known of the first, the share of the second.
double of_known(std::span<const double> rates) {
  return rates[1] / ((std::isnan(rates[0]) ? 0.0 : rates[0]) + rates[1]);
}

// One ratio of two channels, in one window of ticks of 100 ms.
class OneRatio {
 public:
  explicit OneRatio(Kind first, double (*compute)(std::span<const double>) = per_unit,
                    bool takes_unknown = false) {
    const auto a = add("first_total", first);
    const auto b = add("second_total", Kind::kCounter);
    const auto out = add("of_both_ratio", Kind::kGauge);
    ratios_.push_back({out, {a, b}, compute, takes_unknown});
  }

  // Takes the samples of the channels: those of the two, and the ratio tick by tick.
  void set(const std::vector<double>& first, const std::vector<double>& second,
           const std::vector<double>& ratio) {
    ticks_.clear();
    for (std::size_t t = 0; t < first.size(); ++t) {
      ticks_.push_back({first[t], second[t], ratio[t]});
    }
  }

  // Returns the ratio over the window; NaN if there is none.
  double over_window() {
    WindowRatios ratios(channels_, &ratios_);
    const auto levels = ratios.of(window());
    return levels.empty() ? kNan : levels.front().value;
  }

  double feature(std::string_view name) {
    FeatureExtractor extractor(channels_, default_features(), &ratios_);
    const model::ChannelId ratio(2);
    extractor.extract(window());
    for (std::size_t i = 0; i < extractor.features(ratio).size(); ++i) {
      if (descriptor(extractor.features(ratio)[i]).name == name) return extractor.values(ratio)[i];
    }
    ADD_FAILURE() << "no feature " << name;
    return kNan;
  }

 private:
  model::ChannelId add(std::string_view name, Kind kind) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.kind = kind;
    return channels_.add_channel(channels_.add_metric(metric));
  }
  window::WindowView window() {
    rows_.clear();
    for (const auto& tick : ticks_) rows_.push_back(tick.data());
    window::WindowSpan span;
    span.end_ns = static_cast<std::int64_t>(rows_.size()) * 100'000'000;
    return {span, rows_, 3};
  }

  model::ChannelTable channels_;
  std::vector<model::RatioChannel> ratios_;
  std::vector<std::vector<double>> ticks_;
  std::vector<const double*> rows_;
};

// numpy: n = np.array([10, 90, 0, 0]); d = np.array([1000, 300, 100, 100])
// n.sum() / d.sum() = 0.06666666666666667, (n / d).mean() = 0.0775
TEST(WindowRatios, AreRatiosOfSums) {
  OneRatio counters(Kind::kCounter);
  counters.set({10, 90, 0, 0}, {1000, 300, 100, 100}, {0.01, 0.3, 0, 0});
  EXPECT_NEAR(counters.over_window(), 0.06666666666666667, kExact);
}

// Amounts of 0.1 s beside rates per second: 1 + 9 of (1000 + 300 + 100 + 100) * 0.1.
TEST(WindowRatios, EventsAreAmountsOfATick) {
  OneRatio events(Kind::kEvent);
  events.set({1, 9, 0, 0}, {1000, 300, 100, 100}, {0.01, 0.3, 0, 0});
  EXPECT_NEAR(events.over_window(), 10.0 / 150.0, kExact);
}

// A rate after a tick that was missed is that of both: (10 + 2 * 90 + 10) / (100 + 2 * 300 + 100).
TEST(WindowRatios, ASampleCountsForTheTimeSinceTheOneBefore) {
  OneRatio counters(Kind::kCounter);
  counters.set({10, kNan, 90, 10}, {100, kNan, 300, 100}, {0.1, kNan, 0.3, 0.1});
  EXPECT_NEAR(counters.over_window(), 200.0 / 800.0, kExact);
  // Likewise the events of both ticks came with it: 1 + 18 + 1 of (100 + 2 * 300 + 100) * 0.1.
  OneRatio events(Kind::kEvent);
  events.set({1, kNan, 18, 1}, {100, kNan, 300, 100}, {0.1, kNan, 0.3, 0.1});
  EXPECT_NEAR(events.over_window(), 20.0 / 80.0, kExact);
}

// Read in every third tick, from the second on: events in between are none, rates are not due. A
// reading tells of three ticks: 6 + 0 + 3 of (10 + 50 + 30) * 0.3.
TEST(WindowRatios, SourcesMayBeReadInSomeTicksOnly) {
  const std::vector<double> rates{kNan, 10, kNan, kNan, 50, kNan, kNan, 30, kNan};
  OneRatio events(Kind::kEvent);
  events.set({0, 6, 0, 0, 0, 0, 0, 3, 0}, rates,
             {kNan, 2, kNan, kNan, 0, kNan, kNan, 1.0 / 3, kNan});
  EXPECT_NEAR(events.over_window(), 9.0 / 27.0, kExact);
  OneRatio counters(Kind::kCounter);
  counters.set({kNan, 20, kNan, kNan, 0, kNan, kNan, 10, kNan}, rates,
               {kNan, 2, kNan, kNan, 0, kNan, kNan, 1.0 / 3, kNan});
  EXPECT_NEAR(counters.over_window(), 30.0 / 90.0, kExact);
}

TEST(WindowRatios, AreUndefinedWithoutTheirInputs) {
  OneRatio counters(Kind::kCounter);
  counters.set({10, 90, 10}, {kNan, kNan, kNan}, {kNan, kNan, kNan});
  EXPECT_TRUE(std::isnan(counters.over_window()));
  counters.set({10, 90, 10}, {kNan, 300, kNan}, {kNan, 0.3, kNan});
  EXPECT_TRUE(std::isnan(counters.over_window())) << "its one tick is all that is known";
  OneRatio known(Kind::kCounter, of_known, true);
  known.set({kNan, kNan, kNan}, {5, 5, 5}, {1, 1, 1});
  EXPECT_DOUBLE_EQ(known.over_window(), 1.0);
}

TEST(WindowRatios, OnlyTheMeanIsOverTheWindow) {
  OneRatio counters(Kind::kCounter);
  counters.set({10, 90, 0, 0}, {1000, 300, 100, 100}, {0.01, 0.3, 0, 0});
  EXPECT_NEAR(counters.feature("mean"), 0.06666666666666667, kExact);
  EXPECT_DOUBLE_EQ(counters.feature("maximum"), 0.3);
  EXPECT_DOUBLE_EQ(counters.feature("median"), 0.005);
}

TEST(WindowRatios, AChannelThatCannotBeJudgedStaysUndefined) {
  OneRatio counters(Kind::kCounter);
  counters.set({10, 90, 0, 0}, {1000, 300, 100, 100}, {0.01, kNan, kNan, kNan});
  EXPECT_TRUE(std::isnan(counters.feature("mean")));
}

}  // namespace
}  // namespace reveal::feature

#include "feature/extractor.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::feature {
namespace {

using model::Kind;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

class Harness {
 public:
  explicit Harness(FeatureChoice choice = default_features())
      : extractor(channels, std::move(choice)) {}

  void add(std::string_view name, Kind kind, std::string_view instance = {}) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.kind = kind;
    channels.add_channel(channels.add_metric(metric), instance);
  }
  void append(const std::vector<std::vector<double>>& samples, std::uint64_t first_sequence = 0) {
    std::vector<std::vector<double>> ticks(samples.front().size());
    std::vector<const double*> rows;
    for (std::size_t t = 0; t < ticks.size(); ++t) {
      for (const auto& channel : samples) ticks[t].push_back(channel[t]);
      rows.push_back(ticks[t].data());
    }
    window::WindowSpan span;
    span.id = window::WindowId(matrix.row_count());
    span.first_sequence = first_sequence;
    extractor.append({span, rows, samples.size()}, matrix);
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
  FeatureExtractor extractor;
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

// What was there in the window before is not told of this one.
TEST(FeatureExtractor, LeavesUndefinedWhatIsThereNoMore) {
  Harness h;
  h.add("a", Kind::kGauge);
  h.add("b", Kind::kGauge);
  h.append({{1, 2, 3}, {4, 5, 6}});
  h.append({{1, kNone, kNone}, {7, 8, 9}});
  h.append({{1, 2, 3}});
  EXPECT_EQ(h.at(0, "a__maximum"), 3.0);
  EXPECT_TRUE(std::isnan(h.at(1, "a__maximum")));
  EXPECT_EQ(h.at(1, "b__maximum"), 9.0);
  EXPECT_TRUE(std::isnan(h.at(2, "b__maximum")));
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

// Whichever channels move, and so are computed together: among them are few that lie far apart.
TEST(FeatureExtractor, GivesEachChannelItsOwnWhicheverMove) {
  Harness h(*choose_features(std::vector<std::string>{"mean"}));
  constexpr std::size_t kChannels = 16;
  for (std::size_t c = 0; c < kChannels; ++c) h.add("g", Kind::kGauge, "cpu=" + std::to_string(c));
  base::Rng rng(4);
  for (std::size_t row = 0; row < 200; ++row) {
    std::vector<std::vector<double>> samples;
    for (std::size_t c = 0; c < kChannels; ++c) {
      const auto level = static_cast<double>(10 * c);
      samples.push_back({level, level + (rng.uniform() < 0.2 ? 2.0 : 0.0)});
    }
    h.append(samples);
    for (std::size_t c = 0; c < kChannels; ++c) {
      ASSERT_EQ(h.matrix.at(row, c), (samples[c][0] + samples[c][1]) / 2) << row << ", " << c;
    }
  }
}

// Channels share instructions but nothing else: each has the values that it has alone, with gaps
// and without, whatever stands beside it.
TEST(FeatureExtractor, GivesEachChannelWhatItHasAlone) {
  Harness h(*choose_features(std::vector<std::string>{"full"}));
  base::Rng rng(3);
  std::vector<std::vector<double>> samples;
  for (std::size_t c = 0; c < 61; ++c) {
    h.add("g", Kind::kGauge, "cpu=" + std::to_string(c));
    auto& channel = samples.emplace_back();
    for (int t = 0; t < 30; ++t) {
      const bool gap = c % 5 == 2 && rng.uniform() < 0.3;
      channel.push_back(gap ? kNone : c % 3 == 0 ? 0.5 : rng.uniform());
    }
  }
  h.append(samples);
  for (std::size_t c = 0; c < samples.size(); ++c) {
    std::vector<double> valid;
    for (const double sample : samples[c]) {
      if (std::isfinite(sample)) valid.push_back(sample);
    }
    const auto features = h.extractor.features(model::ChannelId(c));
    const auto values = h.extractor.values(model::ChannelId(c));
    for (std::size_t i = 0; i < features.size(); ++i) {
      const double alone = compute(features[i], valid);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(values[i]), std::bit_cast<std::uint64_t>(alone))
          << descriptor(features[i]).name << " of " << c << ": " << values[i] << ", " << alone;
    }
  }
}

// Of windows of 20 ticks every 5, each is compared with the one 20 ticks before, or with the last
// one before a hole in time; channels that were not there then have nothing to compare with.
TEST(FeatureExtractor, ComparesWithTheLastWindowThatSharesNoTick) {
  Harness h(*choose_features(std::vector<std::string>{"previous_ks_distance"}));
  base::Rng rng(5);
  constexpr std::size_t kChannels = 11;
  std::vector<std::vector<double>> all(kChannels, std::vector<double>(200));
  for (std::size_t c = 0; c < kChannels; ++c) {
    h.add("g", Kind::kGauge, "cpu=" + std::to_string(c));
    for (double& sample : all[c]) {
      sample = c % 4 == 1 && rng.uniform() < 0.2 ? kNone : c % 4 == 3 ? 1.0 : rng.uniform();
    }
  }
  const auto part = [&](std::size_t channel, std::size_t begin) {
    return std::vector<double>(all[channel].begin() + static_cast<std::ptrdiff_t>(begin),
                               all[channel].begin() + static_cast<std::ptrdiff_t>(begin) + 20);
  };
  const auto valid = [](std::vector<double> samples) {
    std::erase_if(samples, [](double sample) { return std::isnan(sample); });
    return samples;
  };
  // The last channel comes when the second window does; from 60 to 100 there are no windows.
  struct Step {
    std::size_t begin;
    int previous;  // where the window before begins
  };
  const std::vector<Step> steps{{0, -1},  {5, -1},  {10, -1}, {15, -1},  {20, 0},   {25, 5},
                                {30, 10}, {35, 15}, {40, 20}, {100, 40}, {105, 40}, {120, 100}};
  const FeatureId distance = find_feature("previous_ks_distance").value();
  for (const Step& step : steps) {
    std::vector<std::vector<double>> window;
    const std::size_t channels = step.begin == 0 ? kChannels - 1 : kChannels;
    for (std::size_t c = 0; c < channels; ++c) window.push_back(part(c, step.begin));
    h.append(window, step.begin);
    for (std::size_t c = 0; c < channels; ++c) {
      const bool was_there = step.previous > 0 || (step.previous == 0 && c + 1 < kChannels);
      const double value = h.extractor.values(model::ChannelId(c))[0];
      EXPECT_EQ(std::isnan(value), !was_there) << c << " at " << step.begin;
      if (!was_there) continue;
      const auto before = part(c, static_cast<std::size_t>(step.previous));
      EXPECT_EQ(value, compute(distance, valid(window[c]), valid(before))) << c << step.begin;
    }
  }
}

}  // namespace
}  // namespace reveal::feature

// What features cost, beside the floor: reading a window's samples and writing as many numbers.
//
//   feature_bench [CHANNELS [TICKS [each]]]
//   feature_bench names      which features each line has, for feature_peer.py
//
// One window of CHANNELS series (default 700) of TICKS samples (30), random walks and noise; CPU
// time of one core, medians of rounds. "each" adds every feature by itself. "curated" are the 85
// features that the paper's kinds come to, the Dickey-Fuller test included; on a real host about
// half of the channels are constant in a window, and of those it costs nothing.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/rng.h"
#include "feature/extractor.h"
#include "stats/quantile.h"
#include "timing.h"

namespace {

using namespace reveal;

constexpr int kRounds = 41;

struct Window {
  model::ChannelTable channels;
  std::vector<double> samples;  // tick by tick
  std::vector<const double*> rows;

  window::WindowView view() const { return {window::WindowSpan{}, rows, channels.channel_count()}; }
};

Window make_window(std::size_t channels, std::size_t ticks, bool half_constant) {
  Window out;
  model::MetricDescriptor metric;
  metric.name = "cpu_bench_ratio";
  metric.kind = model::Kind::kGauge;
  const auto id = out.channels.add_metric(metric);
  out.samples.resize(channels * ticks);
  base::Rng rng(7);
  for (std::size_t i = 0; i < channels; ++i) {
    out.channels.add_channel(id, fmt::format("cpu={}", i));
    double level = 1000.0 * rng.uniform();
    for (std::size_t t = 0; t < ticks; ++t) {
      if (!half_constant || i % 2 == 0) level += rng.uniform() - 0.5;
      out.samples[t * channels + i] = level;
    }
  }
  for (std::size_t t = 0; t < ticks; ++t) out.rows.push_back(out.samples.data() + t * channels);
  return out;
}

double median_us(const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < kRounds; ++i) times.push_back(bench::cpu_us(work));
  return stats::median(times);
}

// The 85 of the paper's kinds: all that need no spectrum, no entropy and no mass, less the rarer.
feature::FeatureChoice curated(bool with_test) {
  feature::FeatureChoice out;
  for (std::size_t i = 0; i < feature::registry().size(); ++i) {
    const feature::FeatureId id(i);
    const auto& row = feature::descriptor(id);
    const bool test = row.name.starts_with("augmented_dickey_fuller");
    if (row.cost == feature::FeatureCost::kSpectral ||
        row.cost == feature::FeatureCost::kQuadratic || row.name.starts_with("agg_") ||
        row.name.find("entropy") != std::string_view::npos || row.name.starts_with("benford") ||
        (test && !with_test)) {
      continue;
    }
    if (out.dynamic.size() < 82 || test) out.dynamic.push_back(id);
  }
  return out;
}

double floor_us(const Window& window, std::size_t features, std::vector<double>& out) {
  out.resize(window.channels.channel_count() * features);
  constexpr std::size_t kAtOnce = 32;  // so that no sum waits for the one before
  return median_us([&] {
    std::array<double, kAtOnce> sums{};
    for (std::size_t i = 0; i + kAtOnce <= window.samples.size(); i += kAtOnce) {
      for (std::size_t j = 0; j < kAtOnce; ++j) sums[j] += window.samples[i + j];
    }
    std::fill(out.begin(), out.end(), *std::max_element(sums.begin(), sums.end()));
  });
}

void measure(std::string_view name, const feature::FeatureChoice& choice, const Window& window) {
  feature::FeatureExtractor extractor(window.channels, choice);
  const auto view = window.view();
  extractor.extract(view);
  const double us = median_us([&] { extractor.extract(view); });
  std::vector<double> out;
  const double least = floor_us(window, choice.dynamic.size(), out);
  const auto channels = static_cast<double>(window.channels.channel_count());
  fmt::print("{:28} {:8} {:10.1f} {:12.1f} {:10.1f} {:8.1f}\n", name, choice.dynamic.size(), us,
             1e3 * us / channels, least, us / least);
}

feature::FeatureChoice profile(const char* name) {
  return *feature::choose_features(std::vector<std::string>{name});
}

struct Set {
  std::string_view name;
  feature::FeatureChoice choice;
  bool half_constant = false;
};

std::vector<Set> sets() {
  return {{"minimal", profile("minimal")},
          {"default", profile("default")},
          {"curated, no Dickey-Fuller", curated(false)},
          {"curated", curated(true)},
          {"curated, half constant", curated(true), true},
          {"full", profile("full")}};
}

void print_names() {
  for (const Set& set : sets()) {
    fmt::print("{}", set.name);
    for (const auto id : set.choice.dynamic) fmt::print("\t{}", feature::descriptor(id).name);
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "names") {
    print_names();
    return 0;
  }
  const std::size_t channels = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 700;
  const std::size_t ticks = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 30;
  const Window live = make_window(channels, ticks, false);
  const Window half = make_window(channels, ticks, true);
  fmt::print("{} channels of {} samples; CPU time of a window, medians of {} rounds\n", channels,
             ticks, kRounds);
  fmt::print("{:28} {:>8} {:>10} {:>12} {:>10} {:>8}\n", "features", "each", "us", "ns/channel",
             "floor us", "ratio");
  for (const Set& set : sets()) measure(set.name, set.choice, set.half_constant ? half : live);
  for (const auto& row : feature::registry()) {
    if (argc <= 3 || std::string_view(argv[3]) != "each") break;
    feature::FeatureChoice one;
    one.dynamic.push_back(*feature::find_feature(row.name));
    measure(row.name, one, live);
  }
}

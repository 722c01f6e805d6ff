#include "feature/window_ratios.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reveal::feature {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double seconds_per_tick(const window::WindowView& window) {
  const auto length_ns = window.span().end_ns - window.span().begin_ns;
  return 1e-9 * static_cast<double>(length_ns) / static_cast<double>(window.tick_count());
}

}  // namespace

void WindowRatios::Input::add(std::size_t tick, double sample) {
  if (samples++ == 0) {
    begin = end = tick;
    shortest = 0;
    first = sample;
    rest = 0.0;
    return;
  }
  const std::size_t passed = tick - end;
  shortest = samples == 2 ? passed : std::min(shortest, passed);
  rest += counts ? sample : sample * static_cast<double>(passed);
  end = tick;
}

double WindowRatios::Input::rate(double seconds_per_tick) const {
  if (samples < 2) return kNan;
  const auto ticks = static_cast<double>(end - begin + shortest);
  if (counts) return (first + rest) / (ticks * seconds_per_tick);
  return (first * static_cast<double>(shortest) + rest) / ticks;
}

std::span<const WindowRatios::Level> WindowRatios::of(const window::WindowView& window) {
  levels_.clear();
  if (ratios_ == nullptr) return levels_;
  grow(window.channel_count());
  add_up(window);
  const double tick = seconds_per_tick(window);
  for (std::size_t i = 0; i < of_.size(); ++i) {
    const model::RatioChannel& ratio = (*ratios_)[i];
    rates_.clear();
    for (const std::size_t place : of_[i]) rates_.push_back(inputs_[place].rate(tick));
    const bool known =
        std::all_of(rates_.begin(), rates_.end(), [](double rate) { return std::isfinite(rate); });
    if (!known && !ratio.takes_unknown) continue;
    const double value = ratio.compute(rates_);
    if (std::isfinite(value)) levels_.push_back({ratio.output, value});
  }
  return levels_;
}

// Ratios come in the order of their channels, of which a window may lack the latest.
void WindowRatios::grow(std::size_t channel_count) {
  for (std::size_t i = of_.size(); i < ratios_->size(); ++i) {
    const model::RatioChannel& ratio = (*ratios_)[i];
    if (ratio.output.index() >= channel_count) return;
    std::vector<std::size_t> places;
    for (const auto input : ratio.inputs) places.push_back(place_of(input));
    of_.push_back(std::move(places));
  }
}

std::size_t WindowRatios::place_of(model::ChannelId channel) {
  const auto [found, is_new] = place_.try_emplace(channel.index(), inputs_.size());
  if (is_new) {
    const bool counts = channels_.metric(channel).kind == model::Kind::kEvent;
    inputs_.push_back({.channel = channel.index(), .counts = counts});
  }
  return found->second;
}

void WindowRatios::add_up(const window::WindowView& window) {
  for (Input& input : inputs_) input.clear();
  for (std::size_t tick = 0; tick < window.tick_count(); ++tick) {
    const double* row = window.row(tick);
    for (Input& input : inputs_) {
      const double sample = row[input.channel];
      if (std::isfinite(sample)) input.add(tick, sample);
    }
  }
}

}  // namespace reveal::feature

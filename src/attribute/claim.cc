#include "attribute/claim.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "attribute/work_phrase.h"
#include "detect/saturation_signals.h"
#include "feature/feature.h"
#include "feature/level.h"
#include "text/quantity.h"

namespace reveal::attribute {
namespace {

// Returns the first of the labels that follow, at a comma after which there is a name and "=".
std::size_t next_label(std::string_view instance) {
  for (auto comma = instance.find(','); comma != std::string_view::npos;
       comma = instance.find(',', comma + 1)) {
    const auto name = instance.substr(comma + 1);
    const auto end = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
    if (end != std::string_view::npos && end > 0 && name[end] == '=') return comma;
  }
  return instance.size();
}

// Returns the value of the first label, and those after it as ", state C6".
std::string instance_value(std::string_view instance) {
  const auto equals = instance.find('=');
  if (equals == std::string_view::npos) return std::string(instance);
  const auto next = next_label(instance);
  std::string out(instance.substr(equals + 1, next - equals - 1));
  if (next == instance.size()) return out;
  const auto rest = instance.substr(next + 1);
  return out + ", " + std::string(rest.substr(0, rest.find('='))) + " " + instance_value(rest);
}

std::string place(const model::ChannelTable& channels, model::ChannelId channel) {
  return place_phrase(channels.metric(channel).scope, channels.channel(channel).instance);
}

std::string possessive(std::string_view noun) {
  return std::string(noun) + (noun.ends_with('s') ? "'" : "'s");
}

// How much change a reader sees: 0 for none, 1 for from or to zero, 2 for another sign. A fault
// shows in what it adds sooner than in what it takes from others.
double effect(const Evidence& evidence) {
  constexpr double kOfFalls = 0.5;
  const double change = evidence.observed - evidence.baseline_median;
  const double size = std::max(std::abs(evidence.observed), std::abs(evidence.baseline_median));
  if (!(size > 0) || !std::isfinite(change)) return 0;
  return change >= 0 ? change / size : -change / size * kOfFalls;
}

}  // namespace

std::string evidence_unit(const model::ChannelTable& channels, feature::FeatureKey key) {
  const std::string unit(channels.metric(key.channel).unit);
  switch (feature::descriptor(key.feature).unit) {
    case feature::FeatureUnit::kSame:
      return unit;
    case feature::FeatureUnit::kSquared:
      return fmt::format("({})^2", unit);
    case feature::FeatureUnit::kCubed:
      return fmt::format("({})^3", unit);
    case feature::FeatureUnit::kPerTick:
      return unit + " per tick";
    case feature::FeatureUnit::kPerChunk:
      return unit + " per chunk";
    case feature::FeatureUnit::kNone:
    case feature::FeatureUnit::kUnscaled:
      break;
  }
  return {};
}

std::string place_phrase(model::Scope scope, std::string_view instance) {
  const auto value = instance_value(instance);
  if (value.empty()) return {};
  switch (scope) {
    case model::Scope::kCore:
      return fmt::format(" on CPU {}", value);
    case model::Scope::kNode:
      return fmt::format(" on NUMA node {}", value);
    case model::Scope::kGpu:
      return fmt::format(" on GPU {}", value);
    case model::Scope::kCgroup:
      return fmt::format(" in {}", value);
    default:
      return fmt::format(" on {}{}", instance.starts_with("cpu=") ? "CPU " : "", value);
  }
}

std::string channel_phrase(const model::ChannelTable& channels, model::ChannelId channel) {
  return std::string(channels.metric(channel).label) + place(channels, channel);
}

bool is_negligible(const model::ChannelTable& channels, const Evidence& evidence) {
  constexpr double kOfLeast = 0.1;
  const auto& metric = channels.metric(evidence.key.channel);
  const auto& feature = feature::descriptor(evidence.key.feature);
  if (metric.kind == model::Kind::kEvent || !feature.legible) return false;
  if (feature.unit != feature::FeatureUnit::kSame) return false;
  const auto* const signal = detect::find_saturation_signal(metric.name);
  return signal != nullptr &&
         std::fabs(evidence.observed - evidence.baseline_median) < kOfLeast * signal->least;
}

const Evidence* most_telling(std::span<const Evidence> evidence) {
  const auto weaker = [](const Evidence& a, const Evidence& b) {
    return a.contribution * effect(a) < b.contribution * effect(b);
  };
  const auto strongest = std::max_element(evidence.begin(), evidence.end(), weaker);
  return strongest == evidence.end() ? nullptr : &*strongest;
}

std::string claim(const model::ChannelTable& channels, const Evidence& evidence) {
  const auto& metric = channels.metric(evidence.key.channel);
  const auto where = place(channels, evidence.key.channel);
  const bool level = feature::is_level(metric, evidence.key.feature);
  // That work waited less than usual is nothing that happened to it.
  const bool rose = evidence.observed >= evidence.baseline_median;
  const auto* phrase = level && rose ? work_phrase(metric.name) : nullptr;
  const auto unit = evidence_unit(channels, evidence.key);
  if (phrase != nullptr) {
    // A clock that jitters makes a share of the time a little more than all of it.
    const bool share = !phrase->after.empty();
    return told(*phrase, share ? std::min(evidence.observed, 1.0) : evidence.observed,
                evidence.baseline_median, unit, where);
  }
  const auto what = level ? std::string(metric.label)
                          : fmt::format("{} {}", possessive(metric.label),
                                        feature::descriptor(evidence.key.feature).phrase);
  return fmt::format("{}{} {} {} (usually {})", what, where, rose ? "rose to" : "fell to",
                     text::format_quantity(evidence.observed, unit),
                     text::format_quantity(evidence.baseline_median, unit));
}

}  // namespace reveal::attribute

#include "attribute/claim.h"

#include <fmt/format.h>

#include "attribute/quantity.h"
#include "feature/feature.h"

namespace reveal::attribute {
namespace {

constexpr double kLegibleWithin = 3.0;

std::string_view instance_value(std::string_view instance) {
  const auto equals = instance.find('=');
  return equals == std::string_view::npos ? instance : instance.substr(equals + 1);
}

std::string place(const model::ChannelTable& channels, model::ChannelId channel) {
  const auto instance = instance_value(channels.channel(channel).instance);
  if (instance.empty()) return {};
  switch (channels.metric(channel).scope) {
    case model::Scope::kCore:
      return fmt::format(" on CPU {}", instance);
    case model::Scope::kNode:
      return fmt::format(" on NUMA node {}", instance);
    case model::Scope::kGpu:
      return fmt::format(" on GPU {}", instance);
    case model::Scope::kCgroup:
      return fmt::format(" in {}", instance);
    default:
      return fmt::format(" on {}", instance);
  }
}

std::string possessive(std::string_view noun) {
  return std::string(noun) + (noun.ends_with('s') ? "'" : "'s");
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

std::string channel_phrase(const model::ChannelTable& channels, model::ChannelId channel) {
  return std::string(channels.metric(channel).label) + place(channels, channel);
}

const Evidence* most_telling(const model::ChannelTable& channels,
                             std::span<const Evidence> evidence, model::Subsystem subsystem) {
  const Evidence* largest = nullptr;
  for (const auto& item : evidence) {
    if (channels.metric(item.key.channel).subsystem != subsystem) continue;
    if (largest == nullptr) largest = &item;
    if (item.contribution * kLegibleWithin < largest->contribution) break;
    if (feature::descriptor(item.key.feature).legible) return &item;
  }
  return largest;
}

std::string claim(const model::ChannelTable& channels, const Evidence& evidence) {
  const auto unit = evidence_unit(channels, evidence.key);
  return fmt::format(
      "{} {}{} {} the baseline: {} against a median of {}",
      possessive(channels.metric(evidence.key.channel).label),
      feature::descriptor(evidence.key.feature).phrase, place(channels, evidence.key.channel),
      evidence.observed >= evidence.baseline_median ? "exceeds" : "falls below",
      format_quantity(evidence.observed, unit), format_quantity(evidence.baseline_median, unit));
}

}  // namespace reveal::attribute

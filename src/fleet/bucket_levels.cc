#include "fleet/bucket_levels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/absence.h"

namespace reveal::fleet {

void BucketLevels::take(const model::ChannelTable& channels, const model::Frame& frame) {
  ++frames_;
  row_ = deriver_.step(channels, frame);
  grow(channels);
  for (std::size_t i = 0; i < row_.size(); ++i) {
    auto& slot = slots_[i];
    // A gauge of a slow source has a value in every frame, which says nothing new in most.
    const bool is_new =
        !slot.raw || (slot.raw->index() < frame.validity.size() && frame.was_read(*slot.raw));
    slot.was_read = slot.was_read || is_new;
    take(slot, row_[i]);
  }
}

void BucketLevels::grow(const model::ChannelTable& raw) {
  for (std::size_t i = slots_.size(); i < deriver_.channels().channel_count(); ++i) {
    add_slot(raw, model::ChannelId(i));
  }
}

void BucketLevels::add_slot(const model::ChannelTable& raw, model::ChannelId channel) {
  const auto& metric = deriver_.channels().metric(channel);
  const auto instance = deriver_.channels().channel(channel).instance;
  Slot slot;
  slot.raw = raw.find_channel(deriver_.channels().name(channel));
  slot.counts = metric.kind == model::Kind::kEvent;
  if (metric.scope != model::Scope::kRecorder) {
    Quantity quantity = quantity_of(deriver_.channels(), channel);
    if (metric.kind == model::Kind::kStatic) {
      slot.role = Role::kStatic;
      slot.target = statics_.size();
      quantity.instance = instance;
      quantity.fold = Fold::kNone;
      statics_.push_back({std::move(quantity)});
    } else if (is_of_core(instance)) {
      slot.role = Role::kCore;
      slot.target = place_of(quantity);
      quantity.fold = Fold::kHighestCore;
      highest_of_.emplace(slot.target, place_of(std::move(quantity)));
    } else {
      slot.role = Role::kSeries;
      slot.target = place_of(std::move(quantity));
    }
  }
  slots_.push_back(slot);
}

std::size_t BucketLevels::place_of(Quantity quantity) {
  const auto [it, is_new] = places_.emplace(quantity.key(), quantities_.size());
  if (is_new) quantities_.push_back(std::move(quantity));
  cores_.resize(quantities_.size());
  return it->second;
}

void BucketLevels::take(Slot& slot, double value) {
  if (std::isfinite(value)) {
    if (slot.role == Role::kStatic) statics_[slot.target].value = value;
    slot.sum += value;
    ++slot.samples;
  } else if (!model::is_not_due(value)) {
    slot.held_bucket = std::numeric_limits<std::int64_t>::min();
  }
}

// Returns the level of the bucket that ends, if there is one.
std::optional<Level> BucketLevels::close(Slot& slot, std::int64_t bucket) const {
  const bool was_read = std::exchange(slot.was_read, false);
  if (slot.samples > 0) {
    const double per_tick = slot.sum / slot.samples;
    const double level =
        slot.counts ? per_tick * 1e9 / static_cast<double>(interval_ns_) : per_tick;
    slot.held = static_cast<float>(level);
    slot.held_bucket = bucket;
    slot.sum = 0;
    slot.samples = 0;
    return Level{slot.held, was_read};
  }
  if (slot.held_bucket == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  if ((bucket - slot.held_bucket) * bucket_ns_ > kHold_ns) return std::nullopt;
  return Level{slot.held, false};
}

void BucketLevels::add_core(std::size_t mean, Level level) {
  auto& cores = cores_[mean];
  cores.sum += level.value;
  cores.highest = cores.count == 0 ? level.value : std::max<double>(cores.highest, level.value);
  cores.any_read = cores.any_read || level.was_read;
  ++cores.count;
}

void BucketLevels::close_cores() {
  for (const auto& [mean, highest] : highest_of_) {
    const auto cores = std::exchange(cores_[mean], {});
    if (cores.count == 0) continue;
    levels_[mean] = {static_cast<float>(cores.sum / static_cast<double>(cores.count)),
                     cores.any_read};
    levels_[highest] = {static_cast<float>(cores.highest), cores.any_read};
  }
}

std::span<const std::optional<Level>> BucketLevels::close(std::int64_t bucket) {
  frames_ = 0;
  levels_.assign(quantities_.size(), std::nullopt);
  for (auto& slot : slots_) {
    if (slot.role == Role::kIgnored || slot.role == Role::kStatic) continue;
    const auto level = close(slot, bucket);
    if (!level) continue;
    if (slot.role == Role::kSeries) {
      levels_[slot.target] = level;
    } else {
      add_core(slot.target, *level);
    }
  }
  close_cores();
  return levels_;
}

double installed_memory(std::span<const StaticLevel> statics) {
  for (const auto& fact : statics) {
    if (fact.quantity.metric == "memory_installed_bytes" && std::isfinite(fact.value)) {
      return fact.value;
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace reveal::fleet

#include "fleet/host_levels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/absence.h"
#include "stats/quantile.h"

namespace reveal::fleet {
namespace {

// The slowest poll class is read every ten seconds; between two readings a level holds.
constexpr std::int64_t kHold_ns = 15'000'000'000;

}  // namespace

double LevelSeries::buckets_a_reading() const {
  return read == 0 ? 1.0 : static_cast<double>(present) / static_cast<double>(read);
}

base::Result<void> HostLevels::begin(const model::RunFacts& facts) {
  facts_ = facts;
  return {};
}

base::Result<void> HostLevels::write(const model::ChannelTable& channels,
                                     const model::Frame& frame) {
  const std::int64_t bucket = grid_.bucket_of(frame.wall_ns);
  if (bucket >= static_cast<std::int64_t>(grid_.buckets)) return {};
  if (bucket != open_) close_bucket();
  open_ = bucket;
  ++frames_open_;
  for (const auto& note : frame.notes) notes_.apply(note);
  const auto row = deriver_.step(channels, frame);
  row_ = row;
  grow(channels);
  for (std::size_t i = 0; i < row.size(); ++i) {
    auto& slot = slots_[i];
    // A gauge of a slow source has a value in every frame, which says nothing new in most.
    const bool is_new =
        !slot.raw || (slot.raw->index() < frame.validity.size() && frame.was_read(*slot.raw));
    slot.was_read = slot.was_read || is_new;
    take(slot, row[i]);
  }
  return {};
}

base::Result<void> HostLevels::finish() {
  close_bucket();
  return {};
}

void HostLevels::grow(const model::ChannelTable& raw) {
  for (std::size_t i = slots_.size(); i < deriver_.channels().channel_count(); ++i) {
    add_slot(raw, model::ChannelId(i));
  }
}

void HostLevels::add_slot(const model::ChannelTable& raw, model::ChannelId channel) {
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
      slot.target = series_of(quantity);
      quantity.fold = Fold::kHighestCore;
      highest_of_.emplace(slot.target, series_of(std::move(quantity)));
    } else {
      slot.role = Role::kSeries;
      slot.target = series_of(std::move(quantity));
    }
  }
  slots_.push_back(slot);
}

std::size_t HostLevels::series_of(Quantity quantity) {
  const auto [it, is_new] = series_by_key_.emplace(quantity.key(), series_.size());
  if (is_new) series_.push_back({std::move(quantity), {}});
  cores_.resize(series_.size());
  return it->second;
}

void HostLevels::take(Slot& slot, double value) {
  if (std::isfinite(value)) {
    if (slot.role == Role::kStatic) statics_[slot.target].value = value;
    slot.sum += value;
    ++slot.samples;
  } else if (!model::is_not_due(value)) {
    slot.held_bucket = std::numeric_limits<std::int64_t>::min();
  }
}

// Returns the level of the bucket that ends, if there is one.
std::optional<HostLevels::Level> HostLevels::close(Slot& slot) {
  const bool was_read = std::exchange(slot.was_read, false);
  if (slot.samples > 0) {
    const double per_tick = slot.sum / slot.samples;
    const double level =
        slot.counts ? per_tick * 1e9 / static_cast<double>(facts_.interval_ns) : per_tick;
    slot.held = static_cast<float>(level);
    slot.held_bucket = open_;
    slot.sum = 0;
    slot.samples = 0;
    return Level{slot.held, was_read};
  }
  if (slot.held_bucket == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  if ((open_ - slot.held_bucket) * grid_.bucket_ns > kHold_ns) return std::nullopt;
  return Level{slot.held, false};
}

void HostLevels::store(std::size_t place, Level level) {
  if (open_ < 0) return;
  auto& series = series_[place];
  if (series.levels.empty()) {
    series.levels.assign(grid_.buckets, std::numeric_limits<float>::quiet_NaN());
  }
  series.levels[static_cast<std::size_t>(open_)] = level.value;
  ++series.present;
  if (level.was_read) ++series.read;
}

void HostLevels::close_bucket() {
  if (frames_open_ == 0) return;
  frames_open_ = 0;
  for (auto& slot : slots_) {
    if (slot.role == Role::kIgnored || slot.role == Role::kStatic) continue;
    const auto level = close(slot);
    if (!level) continue;
    if (slot.role == Role::kSeries) {
      store(slot.target, *level);
      continue;
    }
    auto& cores = cores_[slot.target];
    cores.sum += level->value;
    cores.highest = cores.count == 0 ? level->value : std::max<double>(cores.highest, level->value);
    cores.any_read = cores.any_read || level->was_read;
    ++cores.count;
  }
  for (const auto& [mean, highest] : highest_of_) {
    auto& cores = cores_[mean];
    if (cores.count == 0) continue;
    store(mean, {static_cast<float>(cores.sum / static_cast<double>(cores.count)), cores.any_read});
    store(highest, {static_cast<float>(cores.highest), cores.any_read});
    cores = {};
  }
}

double installed_memory(std::span<const HostLevels> hosts) {
  std::vector<double> found;
  for (const auto& host : hosts) {
    for (const auto& fact : host.statics()) {
      if (fact.quantity.metric == "memory_installed_bytes" && std::isfinite(fact.value)) {
        found.push_back(fact.value);
      }
    }
  }
  return found.empty() ? 0 : stats::median(std::move(found));
}

}  // namespace reveal::fleet

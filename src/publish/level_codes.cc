#include "publish/level_codes.h"

#include <cmath>
#include <utility>

#include "detect/saturation_signals.h"
#include "fleet/resolution.h"
#include "wire/fields.h"
#include "wire/limits.h"

namespace reveal::publish {
namespace {

static_assert(static_cast<int>(wire::Fold::kNone) == static_cast<int>(fleet::Fold::kNone) &&
              static_cast<int>(wire::Fold::kMeanOfCores) ==
                  static_cast<int>(fleet::Fold::kMeanOfCores) &&
              static_cast<int>(wire::Fold::kHighestCore) ==
                  static_cast<int>(fleet::Fold::kHighestCore) &&
              static_cast<int>(wire::Fold::kSum) == static_cast<int>(fleet::Fold::kSum) &&
              static_cast<int>(wire::Fold::kMean) == static_cast<int>(fleet::Fold::kMean));

// Of a level that is 0, half of what is worth a word is told from it.
constexpr double kTold = 0.5;
// A saturation signal's least rise is one in a window, where it counts events.
constexpr double kWindow_s = 3;

float least_rise_of(const fleet::Quantity& quantity) {
  const auto* signal = detect::find_saturation_signal(quantity.metric);
  if (signal == nullptr) return 0;
  const bool counts = quantity.kind == model::Kind::kEvent;
  return static_cast<float>(counts ? signal->least / kWindow_s : signal->least);
}

// Returns whether a dictionary can name it as it is: two that are cut may be alike.
bool has_sendable_name(const fleet::Quantity& quantity) {
  return wire::fitting(quantity.metric, wire::kMaxName) == quantity.metric &&
         wire::fitting(quantity.instance, wire::kMaxName) == quantity.instance;
}

}  // namespace

wire::Quantity wire_quantity(const fleet::Quantity& quantity, double memory_bytes) {
  const fleet::Surroundings around{std::isfinite(memory_bytes) ? memory_bytes : 0};
  wire::Quantity out;
  out.metric = quantity.metric;
  out.instance = quantity.instance;
  out.label = quantity.label;
  out.unit = quantity.unit;
  out.kind = quantity.kind;
  out.subsystem = quantity.subsystem;
  out.scope = quantity.scope;
  out.fold = static_cast<wire::Fold>(quantity.fold);
  out.floor = wire::floor_of(static_cast<float>(kTold * fleet::resolution(quantity, 0, around)));
  out.least_rise = least_rise_of(quantity);
  return out;
}

bool LevelCodes::is_due(std::int64_t now_ns) const {
  // A clock may be set back.
  return plain_.empty() || now_ns < chosen_ns_ || now_ns >= chosen_ns_ + kDictionaryHolds_ns;
}

base::Result<bool> LevelCodes::take(const fleet::LevelStream& stream,
                                    const fleet::LevelBucket& bucket) {
  had_ns_.resize(bucket.levels.size());
  is_told_.resize(bucket.levels.size());
  bool is_new = false;
  for (std::size_t i = 0; i < bucket.levels.size(); ++i) {
    if (!std::isfinite(bucket.levels[i])) continue;
    had_ns_[i] = bucket.begin_ns;
    is_new = is_new || (!is_told_[i] && has_sendable_name(stream.quantities()[i]));
  }
  base::Result<bool> changed = false;
  if (is_new && is_due(bucket.begin_ns)) changed = choose(stream, bucket.begin_ns);
  codes_.resize(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto place = places_[i];
    codes_[i] = place < bucket.levels.size() ? wire::code_of(bucket.levels[place], floors_[i])
                                             : wire::kAbsent;
  }
  return changed;
}

base::Result<bool> LevelCodes::choose(const fleet::LevelStream& stream, std::int64_t now_ns) {
  chosen_ns_ = now_ns;
  const double memory_bytes = fleet::installed_memory(stream.statics());
  wire::Dictionary dictionary;
  dictionary.bucket_ns = stream.bucket_ns();
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < had_ns_.size() && places.size() < wire::kMaxQuantities; ++i) {
    const auto& quantity = stream.quantities()[i];
    const bool had_one = had_ns_[i] != 0 && had_ns_[i] > now_ns - kToldWithoutLevel_ns;
    if (!had_one || !has_sendable_name(quantity)) continue;
    dictionary.quantities.push_back(wire_quantity(quantity, memory_bytes));
    places.push_back(i);
  }
  auto plain = wire::plain_of(dictionary);
  if (!plain) return base::pass(plain);
  const bool changed = *plain != plain_;
  plain_ = std::move(*plain);
  number_ = wire::number_of(plain_);
  places_ = std::move(places);
  is_told_.assign(had_ns_.size(), false);
  floors_.clear();
  keys_.clear();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    is_told_[places_[i]] = true;
    keys_.push_back(stream.quantities()[places_[i]].key());
    floors_.push_back(dictionary.quantities[i].floor);
  }
  return changed;
}

}  // namespace reveal::publish

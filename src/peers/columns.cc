#include "peers/columns.h"

#include <algorithm>
#include <utility>

#include "peers/lost_segments.h"

namespace reveal::peers {

std::optional<std::size_t> Columns::find(std::string_view key) const {
  const auto found = column_of_.find(key);
  return found == column_of_.end() ? std::nullopt : std::optional(found->second);
}

Columns Columns::copy() const {
  Columns out;
  out.columns_ = columns_;
  for (auto& column : out.columns_) column.alarm_ns = -1;
  out.column_of_ = column_of_;
  return out;
}

std::shared_ptr<const Places> Columns::places_of(const std::shared_ptr<const Meaning>& meaning) {
  if (places_.size() >= sweep_at_) forget_unused();
  auto& known = places_[meaning];
  auto out = known.lock();
  if (!out) known = out = make_places(*meaning);
  return out;
}

std::shared_ptr<Places> Columns::make_places(const Meaning& meaning) {
  auto out = std::make_shared<Places>(columns_.size(), -1);
  for (std::size_t i = 0; i < meaning.quantities.size(); ++i) {
    const auto& from = meaning.quantities[i];
    const auto [found, is_new] = column_of_.try_emplace(from.quantity.key(), columns_.size());
    if (is_new && columns_.size() == kMaxColumns) {
      column_of_.erase(found);
      continue;
    }
    if (is_new) {
      columns_.push_back({.quantity = from.quantity,
                          .least_rise = from.least_rise,
                          .is_missed = is_told_by_receiver(from.quantity)});
      out->push_back(-1);
    }
    (*out)[found->second] = static_cast<std::int32_t>(i);
  }
  return out;
}

// Twice as many may come before it is done again, so it costs a constant for each.
void Columns::forget_unused() {
  std::erase_if(places_, [](const auto& one) { return one.second.expired(); });
  sweep_at_ = 2 * places_.size() + 64;
}

std::optional<std::vector<std::int32_t>> Columns::compact() {
  std::vector<bool> is_used(columns_.size(), false);
  for (const auto& [meaning, places] : places_) {
    const auto held = places.lock();
    if (!held) continue;
    for (std::size_t i = 0; i < held->size(); ++i) is_used[i] = is_used[i] || (*held)[i] >= 0;
  }
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i]) kept.push_back(static_cast<std::int32_t>(i));
  }
  if (kept.size() == columns_.size()) return std::nullopt;
  std::vector<Column> columns;
  column_of_.clear();
  for (const auto from : kept) {
    auto& column = columns_[static_cast<std::size_t>(from)];
    column_of_.emplace(column.quantity.key(), columns.size());
    columns.push_back(std::move(column));
  }
  columns_ = std::move(columns);
  for (auto& [meaning, places] : places_) {
    const auto held = places.lock();
    if (!held) continue;
    Places moved;
    for (const auto from : kept) {
      const auto place = static_cast<std::size_t>(from);
      moved.push_back(place < held->size() ? (*held)[place] : -1);
    }
    *held = std::move(moved);
  }
  return kept;
}

}  // namespace reveal::peers

// What a group has to show.
#include <algorithm>

#include "peers/group.h"

namespace reveal::peers {

std::vector<HostView> Group::view() const {
  std::vector<HostView> out;
  out.reserve(members_.size());
  auto slow = last_.slow.begin();
  for (const auto& member : members_) {
    HostView one{.host = member->host};
    one.is_compared = last_.begin_ns >= 0 && member->seen_ns == last_.begin_ns;
    if (one.is_compared) one.distance = member->far_rise / member->far_limit;
    if (slow != last_.slow.end() && *slow == member->host) {
      one.is_slow = true;
      ++slow;
    }
    out.push_back(one);
  }
  return out;
}

QuantityView Group::view_of(std::size_t column) const {
  const auto& quantity = columns_[column].quantity;
  QuantityView out{.key = quantity.key(),
                   .phrase = quantity.phrase(),
                   .unit = quantity.unit,
                   .subsystem = quantity.subsystem,
                   .is_signal = columns_[column].least_rise > 0};
  out.is_kept = kept_ && kept_->find(out.key) != nullptr;
  return out;
}

std::vector<QuantityView> Group::quantity_views() const {
  std::vector<QuantityView> out;
  out.reserve(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) out.push_back(view_of(i));
  return out;
}

std::optional<QuantityView> Group::quantity_view(std::string_view key) const {
  const auto column = columns_.find(key);
  return column ? std::optional(view_of(*column)) : std::nullopt;
}

void Group::keep_levels() {
  if (kept_) return;
  kept_ = std::make_unique<KeptLevels>();
  for (auto& member : members_) member->slot = kept_->take_slot(newest_ns_);
}

void Group::choose_kept() {
  must_choose_kept_ = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].least_rise > 0) kept_->keep_signal(columns_[i].quantity.key());
  }
  for (auto& one : kept_->series()) {
    const auto column = columns_.find(one.key);
    one.column = column ? static_cast<std::ptrdiff_t>(*column) : -1;
  }
}

void Group::keep_second(std::int64_t begin_ns) {
  if (!kept_) return;
  const auto second_ns = begin_ns - kSecond_ns;
  if (must_choose_kept_) choose_kept();
  kept_->forget(begin_ns);
  auto& series = kept_->series();
  const auto slots = kept_->slots();
  kept_codes_.assign(series.size() * slots, kNoLevel);
  for (const auto& member : members_) {
    const auto* second = member->host->second(second_ns);
    const bool fits = second != nullptr && member->meaning && member->slot < slots &&
                      second->dictionary == member->meaning->number &&
                      second->codes.size() == member->meaning->quantities.size();
    if (!fits) continue;
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (series[i].column < 0) continue;
      const auto place = place_in(*member->places, static_cast<std::size_t>(series[i].column));
      if (place < 0) continue;
      const auto at = static_cast<std::size_t>(place);
      kept_codes_[i * slots + member->slot] =
          kept_code(second->codes[at], member->meaning->quantities[at].floor);
    }
  }
  for (std::size_t i = 0; i < series.size(); ++i) {
    kept_->add(series[i], second_ns, std::span(kept_codes_).subspan(i * slots, slots));
  }
}

bool Group::ask_levels(std::string_view quantity) {
  if (!kept_ || !columns_.find(quantity)) return false;
  // Who looks at one asks each second.
  if (kept_->find(quantity) == nullptr) must_choose_kept_ = true;
  kept_->ask(quantity, std::max<std::int64_t>(newest_ns_, 0));
  return true;
}

LevelTable Group::levels_of(std::string_view quantity, std::size_t most_seconds,
                            std::size_t most_codes, std::int64_t after_ns) const {
  LevelTable out{.hosts = members_.size()};
  const auto* series = kept_ ? kept_->find(quantity) : nullptr;
  if (series == nullptr || series->blocks.empty() || members_.empty()) return out;
  const auto& last = series->blocks.back();
  const auto end_ns = last.begin_ns() + static_cast<std::int64_t>(last.seconds()) * kSecond_ns;
  const auto from_ns = std::max(series->blocks.front().begin_ns(), after_ns + 1);
  const auto kept =
      static_cast<std::size_t>(std::max<std::int64_t>(end_ns - from_ns, 0) / kSecond_ns);
  out.seconds = std::min({kept, most_seconds, KeptLevels::kSeconds, most_codes / out.hosts});
  out.begin_ns = end_ns - static_cast<std::int64_t>(out.seconds) * kSecond_ns;
  out.codes.assign(out.seconds * out.hosts, kNoLevel);
  std::vector<KeptCode> row;
  for (const auto& block : series->blocks) {
    for (std::size_t second = 0; second < block.seconds(); ++second) {
      const auto at_ns = block.begin_ns() + static_cast<std::int64_t>(second) * kSecond_ns;
      if (at_ns < out.begin_ns) continue;
      row.assign(block.slots(), kNoLevel);
      block.copy(second, row);
      auto to = out.codes.begin() +
                static_cast<std::ptrdiff_t>(
                    static_cast<std::size_t>((at_ns - out.begin_ns) / kSecond_ns) * out.hosts);
      for (const auto& member : members_) {
        *to++ = member->slot < row.size() ? row[member->slot] : kNoLevel;
      }
    }
  }
  return out;
}

}  // namespace reveal::peers

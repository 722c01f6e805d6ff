#include "peers/kept_levels.h"

#include <algorithm>

namespace reveal::peers {
namespace {

constexpr std::int64_t kNs_in_s = 1'000'000'000;
constexpr std::int64_t kKept_ns = static_cast<std::int64_t>(KeptLevels::kSeconds) * kNs_in_s;
// A code that is not the usual one takes three numbers, and all of them one each.
constexpr std::size_t kNumbersOfOne = 3;

// Returns the code that more than half of them are, if there is one; else any. Source: R. Boyer,
// J. Moore: MJRTY - a fast majority vote algorithm, 1981.
KeptCode most_common(std::span<const KeptCode> codes) {
  KeptCode out = kNoLevel;
  std::size_t votes = 0;
  for (const auto code : codes) {
    if (votes == 0) out = code;
    votes = code == out ? votes + 1 : votes - 1;
  }
  return out;
}

}  // namespace

KeptCode kept_code(wire::Code code, std::uint16_t floor) {
  if (code == 0) return 0;
  const auto size = static_cast<std::uint32_t>(code < 0 ? -std::int32_t{code} : code);
  const std::uint32_t magnitude = size - 1 + floor;
  if (magnitude > wire::kLargestMagnitude) return kNoLevel;
  if (code > 0) return static_cast<KeptCode>(magnitude);
  const auto out = static_cast<KeptCode>(0x10000U - magnitude);
  return out == kNoLevel ? KeptCode{0} : out;
}

float level_of(KeptCode code) {
  if (code == kNoLevel) return std::numeric_limits<float>::quiet_NaN();
  return wire::level_of(static_cast<wire::Code>(code), 1);
}

void LevelBlock::add(std::span<const KeptCode> codes) {
  if (seconds_ == 0) usual_ = most_common(codes);
  if (!is_dense_) {
    const auto others = static_cast<std::size_t>(
        std::ranges::count_if(codes, [&](KeptCode code) { return code != usual_; }));
    // What comes is like what was.
    const auto sparse = data_.size() + kNumbersOfOne * others;
    if (sparse > (seconds_ + 1) * slots_) make_dense();
  }
  if (is_dense_) {
    data_.insert(data_.end(), codes.begin(), codes.end());
  } else {
    for (std::size_t slot = 0; slot < codes.size(); ++slot) {
      if (codes[slot] == usual_) continue;
      data_.insert(data_.end(),
                   {static_cast<KeptCode>(seconds_), static_cast<KeptCode>(slot), codes[slot]});
    }
  }
  ++seconds_;
}

void LevelBlock::make_dense() {
  std::vector<KeptCode> all;
  all.reserve(kMostSeconds * slots_);
  all.resize(seconds_ * slots_);
  for (std::size_t second = 0; second < seconds_; ++second) {
    copy(second, std::span(all).subspan(second * slots_, slots_));
  }
  data_ = std::move(all);
  is_dense_ = true;
}

void LevelBlock::copy(std::size_t second, std::span<KeptCode> to) const {
  if (is_dense_) {
    const auto from = data_.begin() + static_cast<std::ptrdiff_t>(second * slots_);
    std::copy_n(from, std::min(slots_, to.size()), to.begin());
    return;
  }
  std::ranges::fill(to, usual_);
  // By second, so those of one are found by halving.
  std::size_t low = 0;
  std::size_t high = data_.size() / kNumbersOfOne;
  while (low < high) {
    const auto middle = (low + high) / 2;
    if (data_[middle * kNumbersOfOne] < second) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  for (auto at = low * kNumbersOfOne; at < data_.size() && data_[at] == second;
       at += kNumbersOfOne) {
    if (data_[at + 1] < to.size()) to[data_[at + 1]] = data_[at + 2];
  }
}

std::size_t KeptLevels::take_slot(std::int64_t now_ns) {
  if (!free_.empty() && now_ns - free_.front().since_ns > kKept_ns) {
    const auto out = free_.front().slot;
    free_.pop_front();
    return out;
  }
  return slots_ == kMostSlots ? kMostSlots : slots_++;
}

void KeptLevels::free_slot(std::size_t slot, std::int64_t now_ns) {
  if (slot != kMostSlots) free_.push_back({slot, now_ns});
}

const KeptLevels::Series* KeptLevels::find(std::string_view key) const {
  const auto found = std::ranges::find(series_, key, &Series::key);
  return found == series_.end() ? nullptr : &*found;
}

void KeptLevels::keep_signal(std::string_view key) {
  const auto found = std::ranges::find(series_, key, &Series::key);
  if (found != series_.end()) {
    found->is_signal = true;
  } else {
    series_.push_back({.key = std::string(key), .is_signal = true});
  }
}

void KeptLevels::ask(std::string_view key, std::int64_t now_ns) {
  const auto found = std::ranges::find(series_, key, &Series::key);
  if (found != series_.end()) {
    found->until_ns = now_ns + kAsked_ns;
    return;
  }
  auto first = series_.end();
  std::size_t asked = 0;
  for (auto it = series_.begin(); it != series_.end(); ++it) {
    if (it->is_signal) continue;
    ++asked;
    if (first == series_.end() || it->until_ns < first->until_ns) first = it;
  }
  if (asked >= kMostAsked) {
    while (!first->blocks.empty()) pop_block(*first);
    series_.erase(first);
  }
  series_.push_back({.key = std::string(key), .until_ns = now_ns + kAsked_ns});
}

void KeptLevels::add(Series& series, std::int64_t begin_ns, std::span<const KeptCode> codes) {
  auto& blocks = series.blocks;
  if (!blocks.empty()) {
    auto& last = blocks.back();
    const auto next_ns = last.begin_ns() + static_cast<std::int64_t>(last.seconds()) * kNs_in_s;
    if (begin_ns < next_ns) return;
    if (begin_ns > next_ns || last.seconds() == LevelBlock::kMostSeconds ||
        last.slots() != codes.size()) {
      bytes_ -= last.bytes();
      last.close();
      bytes_ += last.bytes();
      blocks.emplace_back(begin_ns, codes.size());
      bytes_ += blocks.back().bytes();
    }
  } else {
    blocks.emplace_back(begin_ns, codes.size());
    bytes_ += blocks.back().bytes();
  }
  bytes_ -= blocks.back().bytes();
  blocks.back().add(codes);
  bytes_ += blocks.back().bytes();
}

void KeptLevels::pop_block(Series& series) {
  bytes_ -= series.blocks.front().bytes();
  series.blocks.pop_front();
}

void KeptLevels::forget(std::int64_t now_ns) {
  for (auto& one : series_) {
    const bool is_over = !one.is_signal && one.until_ns < now_ns;
    while (!one.blocks.empty()) {
      const auto& first = one.blocks.front();
      const auto end_ns = first.begin_ns() + static_cast<std::int64_t>(first.seconds()) * kNs_in_s;
      if (!is_over && end_ns > now_ns - kKept_ns) break;
      pop_block(one);
    }
  }
  std::erase_if(series_, [&](const Series& one) {
    return one.blocks.empty() && !one.is_signal && one.until_ns < now_ns;
  });
}

void KeptLevels::forget_block() {
  for (auto& one : series_) {
    if (one.blocks.size() > 1) pop_block(one);
  }
}

}  // namespace reveal::peers

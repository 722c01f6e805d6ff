#include "store/reference_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace reveal::store {
namespace {

// The search looks back this far only, so that a host of many channels costs no more for each.
constexpr std::size_t kMaxLookedAt = 256;
constexpr std::size_t kSlots = 1 << 14;
constexpr std::size_t kBestInTime = 2;
constexpr std::size_t kSampledTicks = 16;

std::size_t count_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t x = a[i] & b[i];
    x -= (x >> 1) & 0x5555'5555'5555'5555;
    x = (x & 0x3333'3333'3333'3333) + ((x >> 2) & 0x3333'3333'3333'3333);
    x = (x + (x >> 4)) & 0x0F0F'0F0F'0F0F'0F0F;
    total += (x * 0x0101'0101'0101'0101) >> 56;
  }
  return static_cast<std::size_t>(total);
}

int width(std::uint64_t difference) {
  const auto sign = static_cast<std::uint64_t>(static_cast<std::int64_t>(difference) >> 63);
  return static_cast<int>(std::bit_width(difference ^ sign));
}

// All ticks of a column that moves rarely are looked up; of a busy one, those with this mark.
bool marked(std::size_t tick) {
  return tick % 8 == 3;
}

}  // namespace

Moves::Moves(std::span<const std::int64_t> of) : steps(of), ticks((of.size() + 63) / 64) {
  for (std::size_t tick = 0; tick < steps.size(); ++tick) {
    const std::uint64_t moved = steps[tick] != 0 ? 1 : 0;
    ticks[tick / 64] |= moved << (tick % 64);
    count += moved;
  }
}

ReferenceSearch::ReferenceSearch(std::size_t ticks)
    : ticks_(ticks), by_step_(kSlots), n_log_n_(ticks + 1) {
  for (std::size_t n = 1; n <= ticks; ++n) {
    n_log_n_[n] = static_cast<double>(n) * std::log2(static_cast<double>(n));
  }
}

double ReferenceSearch::entropy(std::size_t part, std::size_t whole) const {
  return n_log_n_[whole] - n_log_n_[part] - n_log_n_[whole - part];
}

double ReferenceSearch::bits_alone(const Moves& moves) const {
  return entropy(moves.count, ticks_);
}

double ReferenceSearch::bits_given(const Moves& moves, const Moves& other) const {
  const std::size_t both = count_common(moves.ticks, other.ticks);
  return entropy(both, other.count) + entropy(moves.count - both, ticks_ - other.count);
}

const std::vector<std::uint32_t>& ReferenceSearch::candidates(const Moves& moves) {
  candidates_.clear();
  vote_by_equal_steps(moves);
  find_alike_in_time(moves);
  if (dense(moves)) find_alike_in_size(moves);
  return candidates_;
}

void ReferenceSearch::propose(std::uint32_t place) {
  const std::uint32_t column = known_[place].column;
  if (std::find(candidates_.begin(), candidates_.end(), column) == candidates_.end()) {
    candidates_.push_back(column);
  }
}

std::size_t ReferenceSearch::slot(std::size_t tick, std::int64_t step) const {
  std::uint64_t hash = static_cast<std::uint64_t>(step) * 0x9E37'79B9'7F4A'7C15U;
  hash = (hash ^ (hash >> 29) ^ tick) * 0xBF58'476D'1CE4'E5B9U;
  return static_cast<std::size_t>(hash >> 50);
}

void ReferenceSearch::vote_by_equal_steps(const Moves& moves) {
  std::array<std::pair<std::uint32_t, std::uint32_t>, 4> votes{};  // place + 1, how many
  const bool all = !dense(moves);
  for (std::size_t tick = 1; tick < ticks_; ++tick) {
    if (moves.steps[tick] == 0 || (!all && !marked(tick))) continue;
    const std::uint32_t voted = by_step_[slot(tick, moves.steps[tick])];
    if (voted == 0) continue;
    auto at = std::find_if(votes.begin(), votes.end(),
                           [voted](const auto& v) { return v.first == voted || v.first == 0; });
    if (at == votes.end()) continue;
    *at = {voted, at->second + 1};
  }
  std::sort(votes.begin(), votes.end(), [](auto a, auto b) { return a.second > b.second; });
  for (std::size_t i = 0; i < 2 && votes[i].first > 0; ++i) propose(votes[i].first - 1);
}

void ReferenceSearch::find_alike_in_time(const Moves& moves) {
  std::array<std::pair<double, std::uint32_t>, kBestInTime> best;
  best.fill({0.9 * bits_alone(moves), 0});
  const std::size_t from = known_.size() - std::min(known_.size(), kMaxLookedAt);
  bool any = false;
  for (std::size_t place = from; place < known_.size(); ++place) {
    const double bits = bits_given(moves, known_[place].moves);
    if (bits >= best.back().first) continue;
    any = true;
    best.back() = {bits, static_cast<std::uint32_t>(place) + 1};
    std::sort(best.begin(), best.end());
  }
  if (!any) return;
  for (const auto& [bits, place] : best) {
    if (place > 0) propose(place - 1);
  }
}

// Columns that move all the time: those whose steps differ least at some ticks.
void ReferenceSearch::find_alike_in_size(const Moves& moves) {
  int least = 0;
  for (std::size_t i = 1; i <= kSampledTicks; ++i) {
    const std::size_t tick = i * (ticks_ - 1) / kSampledTicks;
    least += width(static_cast<std::uint64_t>(moves.steps[tick]));
  }
  std::uint32_t found = 0;
  const std::size_t from = dense_.size() - std::min(dense_.size(), kMaxLookedAt / 2);
  for (std::size_t d = from; d < dense_.size(); ++d) {
    int sum = 0;
    const auto other = known_[dense_[d]].moves.steps;
    for (std::size_t i = 1; i <= kSampledTicks; ++i) {
      const std::size_t tick = i * (ticks_ - 1) / kSampledTicks;
      sum += width(static_cast<std::uint64_t>(moves.steps[tick]) -
                   static_cast<std::uint64_t>(other[tick]));
    }
    if (sum >= least) continue;
    least = sum;
    found = dense_[d] + 1;
  }
  if (found > 0) propose(found - 1);
}

void ReferenceSearch::add(std::uint32_t column, Moves moves) {
  const auto place = static_cast<std::uint32_t>(known_.size());
  const bool all = !dense(moves);
  for (std::size_t tick = 1; tick < ticks_; ++tick) {
    const std::int64_t step = moves.steps[tick];
    if (step != 0 && (all || marked(tick))) by_step_[slot(tick, step)] = place + 1;
  }
  if (dense(moves)) dense_.push_back(place);
  if (place_.size() <= column) place_.resize(column + 1);
  place_[column] = place;
  known_.push_back({column, std::move(moves)});
}

}  // namespace reveal::store

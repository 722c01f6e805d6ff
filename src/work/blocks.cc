#include "work/blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace reveal::work {
namespace {

constexpr std::int64_t kBlock_ns = 1'000'000'000;
// A longer gap is not a stretch without a rate but two runs: nothing is kept of it.
constexpr std::uint64_t kMostAbsent = 3600;

// "cg=/job1,dev=sda" is the control group "cg=/job1" at a device.
std::string group_of(const model::ChannelTable& channels, model::ChannelId id) {
  if (channels.metric(id).scope != model::Scope::kCgroup) return {};
  const std::string_view instance = channels.channel(id).instance;
  const auto end = instance.find(",dev=");
  return std::string(instance.substr(0, end));
}

// Leaves of the values those at these places, which are in order; some may lie beyond the end.
template <typename Value>
void keep_of(std::vector<Value>& values, const std::vector<std::size_t>& places) {
  std::size_t to = 0;
  for (const auto place : places) {
    if (place >= values.size()) break;
    if (to != place) values[to] = std::move(values[place]);
    ++to;
  }
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(to), values.end());
}

}  // namespace

void Blocks::grow(const model::ChannelTable& channels, std::size_t count) {
  for (; seen_ < count; ++seen_) {
    consider(channels, seen_);
  }
  sum_.resize(candidates_.size(), 0);
  samples_.resize(candidates_.size(), 0);
}

void Blocks::consider(const model::ChannelTable& channels, std::size_t place) {
  const model::ChannelId id(place);
  const auto& metric = channels.metric(id);
  if (metric.scope == model::Scope::kCore || metric.scope == model::Scope::kRecorder) return;
  const auto* const counter = find_work_counter(metric.name);
  if (counter == nullptr) return;
  // Some metrics of the host are told by core.
  const std::string_view instance = channels.channel(id).instance;
  if (instance.starts_with("cpu=")) return;
  if (candidates_.size() >= kMostCandidates) {
    waiting_.push_back(place);
    return;
  }
  candidates_.push_back(
      {id, counter->quantity, metric.scope, std::string(instance), group_of(channels, id)});
  place_.push_back(place);
  if (candidates_.back().group.empty()) in_ticks_.push_back(candidates_.size() - 1);
}

// Takes in those that wait and are there now. REQUIRES: no block is open.
void Blocks::admit(const model::ChannelTable& channels, std::span<const double> row) {
  const auto is_there = [&](std::size_t place) {
    return place < row.size() && std::isfinite(row[place]);
  };
  if (std::ranges::none_of(waiting_, is_there)) return;
  if (candidates_.size() >= kMostCandidates) drop_gone();
  for (const auto place : std::exchange(waiting_, {})) {
    if (is_there(place)) {
      consider(channels, place);
    } else {
      waiting_.push_back(place);
    }
  }
  sum_.resize(candidates_.size(), 0);
  samples_.resize(candidates_.size(), 0);
}

// Only control groups make room: they come and go.
void Blocks::drop_gone() {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (candidates_[i].group.empty() || is_known(i)) {
      kept.push_back(i);
    } else {
      waiting_.push_back(place_[i]);
    }
  }
  if (kept.size() < candidates_.size()) keep_only(kept);
}

bool Blocks::is_known(std::size_t candidate) const {
  return std::any_of(finished_.rbegin(), finished_.rend(), [&](const Block& block) {
    return candidate < block.samples.size() && block.samples[candidate] > 0;
  });
}

void Blocks::keep_only(const std::vector<std::size_t>& candidates) {
  keep_of(candidates_, candidates);
  keep_of(place_, candidates);
  keep_of(sum_, candidates);
  keep_of(samples_, candidates);
  for (auto& block : finished_) {
    keep_of(block.level, candidates);
    keep_of(block.samples, candidates);
  }
  // All of these are kept.
  for (auto& candidate : in_ticks_) {
    const auto at = std::ranges::lower_bound(candidates, candidate);
    candidate = static_cast<std::size_t>(at - candidates.begin());
  }
}

void Blocks::add(const model::ChannelTable& channels, std::uint64_t sequence, std::int64_t wall_ns,
                 std::int64_t interval_ns, std::span<const double> row) {
  if (interval_ns_ == 0) {
    interval_ns_ = std::max<std::int64_t>(interval_ns, 1);
    ticks_per_block_ = static_cast<std::size_t>(
        std::max<std::int64_t>((kBlock_ns + interval_ns_ / 2) / interval_ns_, 1));
  }
  if (seen_ < row.size()) grow(channels, row.size());
  const std::uint64_t number = sequence / ticks_per_block_;
  if (is_open_ && number != number_) {
    close();
    if (!waiting_.empty()) admit(channels, row);
  }
  if (!is_open_) open(sequence, wall_ns);
  ++ticks_;
  end_ns_ = wall_ns;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (place_[i] >= row.size()) continue;
    const double value = row[place_[i]];
    if (!std::isfinite(value)) continue;
    sum_[i] += value;
    ++samples_[i];
  }
  // Candidates that came within the block have no ticks in it.
  for (std::size_t i = 0; i < tick_width_; ++i) {
    const std::size_t place = place_[in_ticks_[i]];
    ticks_of_block_.push_back(static_cast<float>(
        place < row.size() ? row[place] : std::numeric_limits<double>::quiet_NaN()));
  }
}

std::optional<std::size_t> Blocks::tick_place(std::size_t candidate) const {
  const auto found = std::ranges::lower_bound(in_ticks_, candidate);
  if (found == in_ticks_.end() || *found != candidate) return std::nullopt;
  return static_cast<std::size_t>(found - in_ticks_.begin());
}

std::vector<double> Blocks::levels_of(std::size_t candidate, std::size_t least_samples) const {
  std::vector<double> out;
  out.reserve(finished_.size());
  for (const auto& block : finished_) {
    const bool has = block.is_whole && candidate < block.level.size() &&
                     block.samples[candidate] >= least_samples;
    out.push_back(has ? static_cast<double>(block.level[candidate])
                      : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

std::vector<double> Blocks::ticks_of(std::size_t candidate, std::size_t first,
                                     std::size_t count) const {
  std::vector<double> out(count * ticks_per_block_, std::numeric_limits<double>::quiet_NaN());
  const auto place = tick_place(candidate);
  if (!place) return out;
  for (std::size_t b = 0; b < count; ++b) {
    const Block& block = finished_[first + b];
    if (!block.is_whole || *place >= block.tick_width) continue;
    for (std::size_t i = 0; i < ticks_per_block_; ++i) {
      out[b * ticks_per_block_ + i] =
          static_cast<double>(block.ticks[i * block.tick_width + *place]);
    }
  }
  return out;
}

// A tick's rates are of the interval that ends with it. Blocks follow one another as time does: one
// that lacks ticks lasts until the next begins.
void Blocks::open(std::uint64_t sequence, std::int64_t wall_ns) {
  is_open_ = true;
  const std::uint64_t before = sequence % ticks_per_block_;
  begin_ns_ = wall_ns - interval_ns_ * static_cast<std::int64_t>(1 + before);
  const std::uint64_t number = sequence / ticks_per_block_;
  if (!finished_.empty()) {
    if (number > number_ + 1) add_absent(number - number_ - 1);
    auto& last = finished_.back();
    if (last.is_whole) {
      begin_ns_ = last.end_ns;
    } else {
      last.end_ns = std::max(begin_ns_, last.begin_ns);
      begin_ns_ = last.end_ns;
    }
  }
  number_ = number;
  ticks_ = 0;
  tick_width_ = in_ticks_.size();
  ticks_of_block_.clear();
  ticks_of_block_.reserve(tick_width_ * ticks_per_block_);
}

void Blocks::close() {
  Block block;
  block.begin_ns = begin_ns_;
  block.end_ns = end_ns_;
  block.is_whole = ticks_ == ticks_per_block_;
  block.level.resize(sum_.size());
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    block.level[i] = samples_[i] == 0 ? std::numeric_limits<float>::quiet_NaN()
                                      : static_cast<float>(sum_[i] / samples_[i]);
  }
  block.samples = samples_;
  block.ticks = std::move(ticks_of_block_);
  block.tick_width = tick_width_;
  finished_.push_back(std::move(block));
  std::ranges::fill(sum_, 0);
  std::ranges::fill(samples_, std::uint16_t{0});
  is_open_ = false;
}

// Blocks without any tick, from the last one to the one that opens.
void Blocks::add_absent(std::uint64_t count) {
  if (count > kMostAbsent) return;
  const std::int64_t begin_ns = finished_.back().end_ns;
  const auto parts = static_cast<std::int64_t>(count);
  const std::int64_t each_ns = std::max<std::int64_t>((begin_ns_ - begin_ns) / parts, 0);
  for (std::int64_t i = 0; i < parts; ++i) {
    Block block;
    block.begin_ns = begin_ns + i * each_ns;
    block.end_ns = block.begin_ns + each_ns;
    finished_.push_back(std::move(block));
  }
}

void Blocks::keep_last(std::size_t blocks) {
  while (finished_.size() > blocks) {
    finished_.pop_front();
    ++forgotten_;
  }
}

}  // namespace reveal::work

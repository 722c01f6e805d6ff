#include "attribute/patterns.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "feature/level.h"

namespace reveal::attribute {
namespace {

constexpr double kShareOfLeft = 0.25;
// The least share of blame of the subsystems of a pattern's signs. Patterns misled in findings with
// 0.10 and less, and named the right host at 0.20; chosen on recordings of the lab.
constexpr double kMinBlame = 0.15;

// Returns whether a pattern names the metric.
bool is_named(std::string_view metric) {
  const auto names = [&](const Sign& sign) { return sign.metric == metric; };
  return std::any_of(patterns().begin(), patterns().end(), [&](const Pattern& pattern) {
    return std::any_of(pattern.needs.begin(), pattern.needs.end(), names) ||
           std::any_of(pattern.against.begin(), pattern.against.end(), names) ||
           std::any_of(pattern.unmoved.begin(), pattern.unmoved.end(), names) ||
           pattern.without == metric;
  });
}

bool shows(const Sign& sign, double observed, double usual) {
  if (sign.change == Change::kRises) {
    const double rise = observed - usual;
    const bool is_much = sign.is_share && rise >= kShareOfLeft * (1 - usual);
    return rise >= sign.least && (observed >= sign.times * usual || is_much);
  }
  return usual - observed >= sign.least && observed <= usual / sign.times;
}

}  // namespace

std::string_view to_string(Cause cause) {
  return cause == Cause::kHere ? "here" : "other_end";
}

PatternReader::PatternReader(const model::ChannelTable& channels,
                             const feature::FeatureMatrix& matrix, const UsualLevel& usual)
    : channels_(channels), matrix_(matrix) {
  for (std::size_t column = 0; column < matrix.column_count(); ++column) {
    const auto key = matrix.column(column);
    const auto& metric = channels.metric(key.channel);
    if (!feature::is_level(metric, key.feature) || !is_named(metric.name)) continue;
    if (const auto level = usual(column)) levels_.push_back({metric.name, column, *level});
  }
  std::stable_sort(levels_.begin(), levels_.end(),
                   [](const Level& a, const Level& b) { return a.metric < b.metric; });
}

// By the table: the matrix leaves out what never moves, such as a disk that nobody uses.
bool PatternReader::has_channels(std::string_view metric) const {
  const auto id = channels_.find_metric(metric);
  for (std::size_t i = 0; id && i < channels_.channel_count(); ++i) {
    const model::ChannelId channel(i);
    if (!channels_.is_free(channel) && channels_.channel(channel).metric == *id) return true;
  }
  return false;
}

bool PatternReader::stays(const Pattern& pattern, const std::vector<std::size_t>& rows) const {
  if (!pattern.without.empty() && has_channels(pattern.without)) return false;
  return std::all_of(pattern.unmoved.begin(), pattern.unmoved.end(), [&](const Sign& sign) {
    return sign.metric.empty() || (has_channels(sign.metric) && !seen(sign, rows));
  });
}

std::optional<SignSeen> PatternReader::seen(const Sign& sign,
                                            const std::vector<std::size_t>& rows) const {
  std::optional<SignSeen> out;
  const auto [first, last] =
      std::equal_range(levels_.begin(), levels_.end(), Level{sign.metric, 0, 0},
                       [](const Level& a, const Level& b) { return a.metric < b.metric; });
  for (auto level = first; level != last; ++level) {
    SignSeen one{matrix_.column(level->column).channel, level->usual, level->usual};
    for (const auto row : rows) {
      const double value = matrix_.at(row, level->column);
      const bool farther =
          sign.change == Change::kRises ? value > one.observed : value < one.observed;
      if (farther) one.observed = value;
    }
    if (!shows(sign, one.observed, one.usual)) continue;
    const double moved = std::abs(one.observed - one.usual);
    if (!out || moved > std::abs(out->observed - out->usual)) out = one;
  }
  return out;
}

template <std::size_t N>
std::vector<SignSeen> PatternReader::seen_of(const std::array<Sign, N>& signs,
                                             const std::vector<std::size_t>& rows) const {
  std::vector<SignSeen> out;
  for (const Sign& sign : signs) {
    if (const auto found = seen(sign, rows)) out.push_back(*found);
  }
  return out;
}

double PatternReader::blame_of(const std::vector<SignSeen>& signs,
                               const SubsystemShares& blame) const {
  std::array<bool, model::kSubsystemCount> shown{};
  const auto at = [&](model::Subsystem one) -> bool& {
    return shown[static_cast<std::size_t>(one)];
  };
  for (const auto& sign : signs) at(channels_.metric(sign.channel).subsystem) = true;
  const bool either = at(model::Subsystem::kMemory) || at(model::Subsystem::kStorage);
  at(model::Subsystem::kMemory) = either;
  at(model::Subsystem::kStorage) = either;
  double share = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) share += shown[i] ? blame[i] : 0;
  return share;
}

std::vector<PatternMatch> PatternReader::read(const std::vector<std::size_t>& rows,
                                              const SubsystemShares& blame) const {
  std::vector<PatternMatch> out;
  const double most_blame = *std::max_element(blame.begin(), blame.end());
  for (const Pattern& pattern : patterns()) {
    auto signs = seen_of(pattern.needs, rows);
    const auto needed = std::count_if(pattern.needs.begin(), pattern.needs.end(),
                                      [](const Sign& sign) { return !sign.metric.empty(); });
    if (signs.size() < static_cast<std::size_t>(needed) || !stays(pattern, rows)) continue;
    const double share = blame_of(signs, blame);
    if (share < kMinBlame) continue;
    out.push_back({&pattern, std::move(signs), seen_of(pattern.against, rows),
                   /*beside=*/share < most_blame});
  }
  std::stable_partition(out.begin(), out.end(),
                        [](const PatternMatch& one) { return one.advises(); });
  return out;
}

}  // namespace reveal::attribute

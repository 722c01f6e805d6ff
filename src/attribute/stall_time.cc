#include "attribute/stall_time.h"

#include <algorithm>
#include <cmath>

#include "attribute/usual_before.h"
#include "attribute/work_phrase.h"
#include "feature/level.h"
#include "model/cgroup_instance.h"

namespace reveal::attribute {
namespace {

// A host's stall of which the culprit's own is so much is the culprit's. Two tasks that share a
// core wait half of the time each, and one of them always does.
constexpr double kMostOfStall = 0.75;

bool is_of(const model::ChannelTable& channels, model::ChannelId channel, std::string_view group) {
  const bool of_group = channels.metric(channel).scope == model::Scope::kCgroup;
  if (group.empty()) return !of_group;
  return of_group && model::group_of(channels.channel(channel).instance) == group;
}

// Returns the time between the begins of two windows, which are at most a window's length apart
// unless the clock was set.
double stride_s(const feature::FeatureMatrix& matrix, std::size_t row) {
  const auto& span = matrix.window(row);
  const auto length_ns = span.end_ns - span.begin_ns;
  if (matrix.row_count() < 2) return static_cast<double>(length_ns) / 1e9;
  const auto& other = matrix.window(row == 0 ? 1 : row - 1);
  const auto windows =
      static_cast<std::int64_t>(span.id.value()) - static_cast<std::int64_t>(other.id.value());
  const auto stride_ns = (span.begin_ns - other.begin_ns) / windows;
  return static_cast<double>(std::clamp<std::int64_t>(stride_ns, 0, length_ns)) / 1e9;
}

}  // namespace

StallReader::StallReader(const model::ChannelTable& channels, const feature::FeatureMatrix& matrix)
    : channels_(channels), matrix_(matrix) {
  for (std::size_t column = 0; column < matrix.column_count(); ++column) {
    const auto key = matrix.column(column);
    const auto& metric = channels.metric(key.channel);
    const auto* phrase = work_phrase(metric.name);
    // Time that tasks wait: a share of it, or of several cores', of which one is enough.
    if (phrase == nullptr || (phrase->after.empty() && phrase->unit != "cores")) continue;
    if (feature::is_level(metric, key.feature)) shares_.push_back({key.channel, column});
  }
}

double StallReader::seconds(const std::vector<std::size_t>& rows, std::size_t column,
                            double usual) const {
  double sum = 0;
  double worst = 0;
  for (const auto row : rows) {
    const double value = matrix_.at(row, column);
    if (!std::isfinite(value)) continue;
    const double share = std::clamp(value - usual, 0.0, 1.0);
    const auto& span = matrix_.window(row);
    sum += share * stride_s(matrix_, row);
    worst = std::max(worst, share * static_cast<double>(span.end_ns - span.begin_ns) / 1e9);
  }
  return std::max(sum, worst);
}

std::optional<Stall> StallReader::longest(const std::vector<std::size_t>& rows,
                                          const std::vector<Families>& families,
                                          std::string_view group) const {
  std::optional<Stall> out;
  for (const auto& share : shares_) {
    if (!is_of(channels_, share.channel, group)) continue;
    const auto told = rows_told_by(channels_.metric(share.channel).subsystem, rows, families);
    if (told.empty()) continue;
    const double stalled_s = seconds(told, share.column, usual_before(matrix_, rows, share.column));
    if (!out || stalled_s > out->seconds) out = Stall{share.channel, std::string(group), stalled_s};
  }
  return out;
}

std::optional<Stall> StallReader::read(const std::vector<std::size_t>& rows,
                                       const std::optional<GroupLevel>& culprit,
                                       const std::optional<GroupLevel>& sufferer,
                                       const std::vector<Families>& families) const {
  if (rows.empty()) return std::nullopt;
  const auto instance = [&](const GroupLevel& level) -> std::string_view {
    return model::group_of(channels_.channel(level.channel).instance);
  };
  if (sufferer) return longest(rows, families, instance(*sufferer));
  auto out = longest(rows, families, {});
  if (!out || !culprit) return out;
  const auto own = longest(rows, families, instance(*culprit));
  if (own && own->seconds >= kMostOfStall * out->seconds) out->seconds = 0;
  return out;
}

}  // namespace reveal::attribute

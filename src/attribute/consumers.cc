#include "attribute/consumers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "attribute/usual_before.h"
#include "attribute/work_phrase.h"
#include "feature/level.h"
#include "model/cgroup_instance.h"
#include "text/quantity.h"

namespace reveal::attribute {
namespace {

using model::Subsystem;

enum class Role : std::uint8_t { kUses, kWaits };

// What a group's level says; group_phrase() has the words. The least rise is what an operator would
// call something.
struct GroupMetric {
  std::string_view metric;
  Role role;
  Subsystem subsystem;
  double least;
};

constexpr double kMiB = 1024.0 * 1024.0;

constexpr auto kTable = std::to_array<GroupMetric>({
    {"cpu_cgroup_usage_seconds_total", Role::kUses, Subsystem::kCpu, 0.1},
    {"memory_cgroup_limit_hits_total", Role::kUses, Subsystem::kMemory, 30},
    {"memory_cgroup_used_bytes", Role::kUses, Subsystem::kMemory, 64 * kMiB},
    {"storage_cgroup_written_bytes_total", Role::kUses, Subsystem::kStorage, kMiB},
    {"storage_cgroup_read_bytes_total", Role::kUses, Subsystem::kStorage, kMiB},
    {"network_cgroup_traffic_bytes_per_second", Role::kUses, Subsystem::kNetwork, kMiB},
    {"gpu_cgroup_sm_busy_ratio", Role::kUses, Subsystem::kGpu, 0.1},
    {"cpu_cgroup_throttled_seconds_total", Role::kWaits, Subsystem::kCpu, 0.05},
    {"cpu_cgroup_pressure_some_seconds_total", Role::kWaits, Subsystem::kCpu, 0.1},
    {"cpu_cgroup_frozen_flag", Role::kWaits, Subsystem::kCpu, 0.5},
    {"memory_cgroup_pressure_some_seconds_total", Role::kWaits, Subsystem::kMemory, 0.05},
    {"storage_cgroup_pressure_some_seconds_total", Role::kWaits, Subsystem::kStorage, 0.1},
    {"network_cgroup_tcp_retransmit_ratio", Role::kWaits, Subsystem::kNetwork, 0.01},
});

constexpr double kTimes = 1.25;  // of the usual
// The CPU time that stands for traffic, which is counted only of groups with a network of their
// own. On a busy host some group uses a little more all the time, and whoever loses packets may be
// another host.
constexpr double kLeastForTraffic = 0.5;
constexpr double kMostOfRise = 0.75;  // of the group around it
constexpr double kCompany = 0.05;     // of a GPU: less is nobody who could be slowed
constexpr double kOfNewcomer = 0.5;   // of the largest rise

const GroupMetric* row_of(std::string_view metric) {
  const auto* found = std::find_if(kTable.begin(), kTable.end(),
                                   [&](const GroupMetric& row) { return row.metric == metric; });
  return found == kTable.end() ? nullptr : found;
}

double rise(const GroupLevel& level) {
  return level.observed - level.usual;
}

// Returns the least rise of CPU time that stands for another subsystem's resource.
double least_of_proxy(Subsystem subsystem) {
  return subsystem == Subsystem::kNetwork ? kLeastForTraffic : 0;
}

}  // namespace

bool is_group_metric(std::string_view metric) {
  return row_of(metric) != nullptr;
}

std::string phrase_of(const model::ChannelTable& channels, const GroupLevel& level) {
  const auto* phrase = group_phrase(channels.metric(level.channel).name);
  if (phrase == nullptr) return {};
  std::string place(model::gpu_of(channels.channel(level.channel).instance));
  if (!place.empty()) place.insert(0, 1, ' ');
  return told(*phrase, level.observed, level.usual, {}, place);
}

ConsumerReader::ConsumerReader(const model::ChannelTable& channels,
                               const feature::FeatureMatrix& matrix)
    : channels_(channels), matrix_(matrix) {
  for (std::size_t column = 0; column < matrix.column_count(); ++column) {
    const auto key = matrix.column(column);
    const auto& metric = channels.metric(key.channel);
    if (metric.scope != model::Scope::kCgroup || !feature::is_level(metric, key.feature)) continue;
    const auto* row = row_of(metric.name);
    if (row == nullptr) continue;
    const auto place = static_cast<std::size_t>(row - kTable.data());
    levels_.push_back({place, column, key.channel});
  }
}

double ConsumerReader::highest(const std::vector<std::size_t>& rows, const Level& level) const {
  double out = 0;
  for (const auto row : rows) out = std::max(out, matrix_.at(row, level.column));
  return out;
}

std::vector<GroupLevel> ConsumerReader::rises(const std::vector<std::size_t>& rows,
                                              std::size_t table_row, const Extent& extent) const {
  std::vector<GroupLevel> out;
  for (const auto& level : levels_) {
    if (level.row != table_row) continue;
    const double most = highest(rows, level);
    if (most < kTable[table_row].least) continue;
    const GroupLevel one{level.channel, most,
                         usual_before(matrix_, {extent.first, extent.last}, level.column)};
    if (rise(one) >= kTable[table_row].least && one.observed >= kTimes * one.usual) {
      out.push_back(one);
    }
  }
  return out;
}

std::optional<GroupLevel> ConsumerReader::largest(std::vector<GroupLevel> rises) const {
  const auto instance = [&](const GroupLevel& level) -> std::string_view {
    return model::group_of(channels_.channel(level.channel).instance);
  };
  std::stable_sort(rises.begin(), rises.end(),
                   [](const GroupLevel& a, const GroupLevel& b) { return rise(a) > rise(b); });
  if (rises.empty()) return std::nullopt;
  std::size_t at = 0;
  for (std::size_t i = 1; i < rises.size(); ++i) {
    const bool most = rise(rises[i]) >= kMostOfRise * rise(rises[at]);
    if (most && model::is_within(instance(rises[i]), instance(rises[at]))) at = i;
  }
  return rises[at];
}

// Returns whether another group uses the same GPU in these rows.
bool ConsumerReader::has_company(const std::vector<std::size_t>& rows,
                                 const GroupLevel& one) const {
  const auto metric = channels_.channel(one.channel).metric;
  const auto gpu = model::gpu_of(channels_.channel(one.channel).instance);
  return std::any_of(levels_.begin(), levels_.end(), [&](const Level& other) {
    const auto& channel = channels_.channel(other.channel);
    return other.channel != one.channel && channel.metric == metric &&
           model::gpu_of(channel.instance) == gpu && highest(rows, other) >= kCompany;
  });
}

// The driver gives groups the GPU in turns, so that the share of who launches small kernels may
// rise as well when another comes. Who came is the one that did least before.
std::optional<GroupLevel> ConsumerReader::newcomer(const std::vector<std::size_t>& rows,
                                                   std::size_t table_row,
                                                   const Extent& extent) const {
  auto candidates = rises(rows, table_row, extent);
  std::erase_if(candidates, [&](const GroupLevel& one) { return !has_company(rows, one); });
  double most = 0;
  for (const auto& one : candidates) most = std::max(most, rise(one));
  std::erase_if(candidates, [&](const GroupLevel& one) { return rise(one) < kOfNewcomer * most; });
  const auto least =
      std::min_element(candidates.begin(), candidates.end(),
                       [](const GroupLevel& a, const GroupLevel& b) { return a.usual < b.usual; });
  return least == candidates.end() ? std::nullopt : std::optional(*least);
}

std::optional<GroupLevel> ConsumerReader::culprit(const std::vector<std::size_t>& rows,
                                                  model::Subsystem subsystem,
                                                  std::size_t last) const {
  if (rows.empty()) return std::nullopt;
  const Extent extent{rows.front(), std::max(rows.back(), last)};
  // Who came to a GPU also takes processors, but nothing of a disk or a network by that.
  const bool may_be_gpu = subsystem == Subsystem::kGpu || subsystem == Subsystem::kCpu;
  for (const auto of : {subsystem, Subsystem::kGpu, Subsystem::kCpu}) {
    if (of == Subsystem::kGpu && !may_be_gpu) continue;
    for (std::size_t i = 0; i < kTable.size(); ++i) {
      if (kTable[i].role != Role::kUses || kTable[i].subsystem != of) continue;
      const bool by_gpu = of == Subsystem::kGpu;
      const auto found = by_gpu ? newcomer(rows, i, extent) : largest(rises(rows, i, extent));
      const double least = of == subsystem || by_gpu ? 0 : least_of_proxy(subsystem);
      if (found && rise(*found) >= least) return found;
    }
  }
  return std::nullopt;
}

std::optional<GroupLevel> ConsumerReader::sufferer(const std::vector<std::size_t>& rows,
                                                   const std::optional<GroupLevel>& culprit,
                                                   const std::vector<Families>& families) const {
  if (rows.empty()) return std::nullopt;
  const Extent extent{rows.front(), rows.back()};
  std::optional<GroupLevel> out;
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (kTable[i].role != Role::kWaits) continue;
    auto waiting = rises(rows_told_by(kTable[i].subsystem, rows, families), i, extent);
    std::erase_if(waiting, [&](const GroupLevel& one) {
      if (!culprit) return false;
      const auto name = model::group_of(channels_.channel(one.channel).instance);
      const auto by = model::group_of(channels_.channel(culprit->channel).instance);
      return model::are_of_one_line(name, by);
    });
    const auto most = largest(std::move(waiting));
    if (most && (!out || rise(*most) > rise(*out))) out = most;
  }
  return out;
}

}  // namespace reveal::attribute

#include "agent/users.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "feature/level.h"
#include "model/cgroup_instance.h"

namespace reveal::agent {
namespace {

struct Used {
  std::string_view metric;
  std::string_view what;
};

constexpr auto kTable = std::to_array<Used>({
    {"cpu_cgroup_usage_seconds_total", "CPU time"},
    {"gpu_cgroup_sm_busy_ratio", "GPU"},
    {"memory_cgroup_used_bytes", "Memory"},
    {"storage_cgroup_read_bytes_total", "Read from disks"},
    {"storage_cgroup_written_bytes_total", "Written to disks"},
    {"network_cgroup_traffic_bytes_per_second", "Traffic of pods and containers"},
    {"network_received_bytes_total", "Received"},
    {"network_sent_bytes_total", "Sent"},
});

// Returns the name without the key before it: "cg=/job1" is "/job1", and on a GPU
// "/job1 on 0000:17:00.0".
std::string name_of(std::string_view instance) {
  const auto gpu = model::gpu_of(instance);
  const auto whole = gpu.empty() ? instance : model::group_of(instance);
  std::string out(whole.substr(whole.find('=') + 1));
  if (!gpu.empty()) out.append(" on ").append(gpu);
  return out;
}

}  // namespace

void UserReader::find_columns(const live::History& history) {
  const auto& matrix = *history.features;
  if (matrix_ != &matrix || known_columns_ > matrix.column_count()) {
    columns_.clear();
    known_columns_ = 0;
    matrix_ = &matrix;
  }
  for (; known_columns_ < matrix.column_count(); ++known_columns_) {
    const auto key = matrix.column(known_columns_);
    const auto& metric = history.channels->metric(key.channel);
    const auto* row = std::find_if(kTable.begin(), kTable.end(),
                                   [&](const Used& one) { return one.metric == metric.name; });
    // The whole host, or the root of all groups, is nobody.
    const auto instance = history.channels->channel(key.channel).instance;
    if (row == kTable.end() || instance.empty() || instance == "cg=/") continue;
    if (!feature::is_level(metric, key.feature)) continue;
    columns_.push_back(
        {static_cast<std::size_t>(row - kTable.begin()), known_columns_, key.channel});
  }
}

std::vector<serve::Users> UserReader::read(const live::History& history) {
  std::vector<serve::Users> out;
  if (history.features == nullptr || history.channels == nullptr) return out;
  if (history.features->row_count() == 0) return out;
  find_columns(history);
  const auto latest = history.features->row_count() - 1;
  for (std::size_t row = 0; row < kTable.size(); ++row) {
    serve::Users one{.what = std::string(kTable[row].what)};
    for (const auto& column : columns_) {
      const double amount = history.features->at(latest, column.column);
      if (column.row != row || !(amount > 0) || !std::isfinite(amount)) continue;
      one.unit = history.channels->metric(column.channel).unit;
      one.users.push_back({.name = name_of(history.channels->channel(column.channel).instance),
                           .channel = history.channels->name(column.channel),
                           .amount = amount});
    }
    std::stable_sort(one.users.begin(), one.users.end(),
                     [](const auto& a, const auto& b) { return a.amount > b.amount; });
    if (one.users.size() > kMostUsers) one.users.resize(kMostUsers);
    if (!one.users.empty()) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace reveal::agent

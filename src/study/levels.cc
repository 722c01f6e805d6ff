#include "study/levels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "stats/moments.h"
#include "study/series.h"

namespace reveal::study {
namespace {

// A channel on its way: its levels, and the range of all its samples.
struct Gathered {
  ChannelLevels levels;
  double least = 0;
  double most = 0;
};

using ByName = std::map<std::string, Gathered>;

void gather(const model::ChannelTable& channels, const std::vector<std::vector<double>>& samples,
            std::size_t workload, std::size_t workloads, ByName& all) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].empty()) continue;
    const model::ChannelId id(i);
    const auto [least, most] = std::ranges::minmax(samples[i]);
    auto [place, is_new] = all.try_emplace(channels.name(id));
    auto& one = place->second;
    if (is_new) {
      one = {{place->first, channels.metric(id).subsystem, {}}, least, most};
      one.levels.workloads.resize(workloads);
    }
    one.least = std::min(one.least, least);
    one.most = std::max(one.most, most);
    const auto moments = stats::moments(samples[i]);
    one.levels.workloads[workload].push_back({moments.mean, moments.variance()});
  }
}

// Returns the finite samples by channel, and what else is known of the recording.
base::Result<RunFacts> read_columns(const std::string& directory,
                                    std::vector<store::Damage>& damage,
                                    std::vector<std::vector<double>>& columns) {
  return read_run(directory, damage, [&columns](std::uint64_t, const std::vector<double>& samples) {
    columns.resize(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (std::isfinite(samples[i])) columns[i].push_back(samples[i]);
    }
  });
}

}  // namespace

base::Result<Levels> levels_of(const Request& request, Result& out) {
  auto workloads = workloads_of(request.directories);
  if (!workloads) return base::pass(workloads);
  ByName all;
  for (std::size_t i = 0; i < workloads->size(); ++i) {
    for (const auto& directory : (*workloads)[i].runs) {
      std::vector<std::vector<double>> columns;
      const auto run = read_columns(directory, out.damage, columns);
      if (!run) return base::pass(run);
      out.runs.push_back(run->run);
      gather(run->channels, columns, i, workloads->size(), all);
    }
  }
  out.notes.push_back(workloads_note(*workloads));
  Levels levels{std::move(*workloads), {}, 0};
  for (auto& [name, one] : all) {
    if (one.least < one.most) {
      levels.channels.push_back(std::move(one.levels));
    } else {
      ++levels.constant;
    }
  }
  if (!levels.channels.empty()) return levels;
  return base::fail(base::ErrorKind::kTooLittle, "no channel varies", request.directories.front(),
                    "record longer");
}

std::vector<double> means_of(std::span<const RunLevel> runs) {
  std::vector<double> out;
  for (const auto& run : runs) out.push_back(run.mean);
  return out;
}

std::vector<std::vector<Cell>> by_subsystem(const Levels& levels, const SummaryRow& row) {
  std::vector<std::vector<Cell>> out;
  const auto add = [&](const std::string& name, const auto& is_in) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < levels.channels.size(); ++i) {
      if (is_in(levels.channels[i].subsystem)) places.push_back(i);
    }
    if (!places.empty()) out.push_back(row(name, places));
  };
  add("all", [](model::Subsystem) { return true; });
  for (int i = 0; i < model::kSubsystemCount; ++i) {
    const auto own = static_cast<model::Subsystem>(i);
    add(std::string(model::to_string(own)), [own](model::Subsystem one) { return one == own; });
  }
  return out;
}

}  // namespace reveal::study

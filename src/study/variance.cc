// Which channels vary, and between what (paper, appendix G.2): the variance of a channel over all
// runs is the sum of three parts (law of total variance), that within runs, that between the means
// of a workload's runs, and that between the means of workloads. Each run counts as much.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "stats/moments.h"
#include "study/levels.h"
#include "study/study.h"
#include "text/words.h"

namespace reveal::study {
namespace {

struct Parts {
  double runs = 0;
  double mean = 0;
  double variance = 0;
  double within_runs = 0;  // shares of it
  double between_runs = 0;
  double between_workloads = 0;
  double relative = 0;  // standard deviation over |mean|; NaN if that is 0
};

Parts parts_of(const ChannelLevels& channel) {
  std::vector<double> all;
  for (const auto& runs : channel.workloads) {
    for (const auto& run : runs) all.push_back(run.mean);
  }
  const auto total = stats::moments(all);
  double within = 0;
  double between_runs = 0;
  double between_workloads = 0;
  for (const auto& runs : channel.workloads) {
    if (runs.empty()) continue;
    for (const auto& run : runs) within += run.variance;
    const auto means = stats::moments(means_of(runs));
    between_runs += means.m2;
    const double apart = total.deviation(means.mean);
    between_workloads += static_cast<double>(runs.size()) * apart * apart;
  }
  const double sum = within + between_runs + between_workloads;
  Parts out{.runs = static_cast<double>(all.size()), .mean = total.mean};
  out.variance = sum / out.runs;
  out.within_runs = within / sum;
  out.between_runs = between_runs / sum;
  out.between_workloads = between_workloads / sum;
  out.relative = total.mean == 0 ? std::numeric_limits<double>::quiet_NaN()
                                 : std::sqrt(out.variance) / std::abs(total.mean);
  return out;
}

Table summary_table(const Levels& levels, const std::vector<Parts>& parts) {
  Table out{.name = "subsystems",
            .title = "Where the variance of channels lies, their mean",
            .columns = {{"subsystem", "subsystem", ""},
                        {"channels", "channels", ""},
                        {"within_runs", "within runs", "ratio"},
                        {"between_runs", "between runs", "ratio"},
                        {"between_workloads", "between workloads", "ratio"}},
            .rows = {}};
  out.rows = by_subsystem(levels, [&parts](const std::string& name, const auto& places) {
    std::vector<Cell> row{name, static_cast<double>(places.size())};
    for (const auto share :
         {&Parts::within_runs, &Parts::between_runs, &Parts::between_workloads}) {
      std::vector<double> shares;
      shares.reserve(places.size());
      for (const auto i : places) shares.push_back(parts[i].*share);
      row.emplace_back(summary(std::move(shares)).mean);
    }
    return row;
  });
  return out;
}

Table channel_table(const Levels& levels, const std::vector<Parts>& parts) {
  constexpr std::size_t kShown = 15;
  Table out{.name = "channels",
            .title = "Channels, those that vary most against their mean first",
            .columns = {{"channel", "channel", ""},
                        {"subsystem", "subsystem", ""},
                        {"runs", "runs", ""},
                        {"mean", "mean", ""},
                        {"variance", "variance", ""},
                        {"relative_deviation", "deviation / |mean|", ""},
                        {"within_runs", "within runs", "ratio"},
                        {"between_runs", "between runs", "ratio"},
                        {"between_workloads", "between workloads", "ratio"}},
            .rows = {},
            .shown = kShown};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < parts.size(); ++i) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&parts](std::size_t i) {
    return std::isnan(parts[i].relative) ? 1.0 : -parts[i].relative;
  });
  for (const auto i : order) {
    const auto& channel = levels.channels[i];
    const auto& of = parts[i];
    out.rows.push_back({channel.channel, std::string(model::to_string(channel.subsystem)), of.runs,
                        of.mean, of.variance, of.relative, of.within_runs, of.between_runs,
                        of.between_workloads});
  }
  return out;
}

}  // namespace

base::Result<Result> study_variance(const Request& request) {
  Result out;
  const auto levels = levels_of(request, out);
  if (!levels) return base::pass(levels);
  std::vector<Parts> parts;
  for (const auto& channel : levels->channels) parts.push_back(parts_of(channel));
  out.tables = {summary_table(*levels, parts), channel_table(*levels, parts)};
  out.notes.push_back(
      fmt::format("{} never changed.", text::plural(levels->constant, "further channel")));
  out.plots.push_back({.kind = Plot::Kind::kBars,
                       .title = "Where the variance lies",
                       .table = "subsystems",
                       .labels = {"subsystem"},
                       .values = {"within_runs", "between_runs", "between_workloads"}});
  return out;
}

}  // namespace reveal::study

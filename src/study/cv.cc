// How steady channels are from run to run of a workload (paper, appendix G.2): the coefficient of
// variation of the runs' means, their standard deviation (population formula) over their |mean|.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "stats/moments.h"
#include "study/channel_choice.h"
#include "study/levels.h"
#include "study/study.h"
#include "text/words.h"

namespace reveal::study {
namespace {

constexpr double kSteady = 0.1;

// A channel in the runs of a workload.
struct Variation {
  std::size_t workload = 0;  // places in Levels
  std::size_t channel = 0;
  std::size_t runs = 0;
  double mean = 0;
  double deviation = 0;
  double cv = 0;  // NaN if the mean is 0
};

std::vector<Variation> variations(const Levels& levels) {
  std::vector<Variation> out;
  for (std::size_t channel = 0; channel < levels.channels.size(); ++channel) {
    const auto& workloads = levels.channels[channel].workloads;
    for (std::size_t workload = 0; workload < workloads.size(); ++workload) {
      const auto means = means_of(workloads[workload]);
      if (means.size() < 2) continue;
      const auto of = stats::moments(means);
      out.push_back({workload, channel, means.size(), of.mean, of.standard_deviation(),
                     cv_of(workloads[workload])});
    }
  }
  return out;
}

Table workload_table(const Levels& levels, const std::vector<Variation>& all) {
  Table out{.name = "workloads",
            .title = "Workloads",
            .columns = {{"workload", "workload", ""},
                        {"runs", "runs", ""},
                        {"channels", "channels", ""},
                        {"median_cv", "median CV", ""},
                        {"share_steady", "CV < .1", "ratio"}},
            .rows = {}};
  for (std::size_t i = 0; i < levels.workloads.size(); ++i) {
    std::vector<double> of;
    double steady = 0;
    for (const auto& one : all) {
      if (one.workload != i) continue;
      of.push_back(one.cv);
      steady += one.cv < kSteady ? 1 : 0;
    }
    const auto known = summary(std::move(of));
    const auto count = static_cast<double>(known.count);
    out.rows.push_back({levels.workloads[i].name,
                        static_cast<double>(levels.workloads[i].runs.size()), count, known.median,
                        steady / count});
  }
  return out;
}

Table channel_table(const Levels& levels, std::vector<Variation> all) {
  constexpr std::size_t kShown = 15;
  Table out{.name = "channels",
            .title = "Channels, the least steady first",
            .columns = {{"channel", "channel", ""},
                        {"subsystem", "subsystem", ""},
                        {"workload", "workload", ""},
                        {"runs", "runs", ""},
                        {"mean", "mean", ""},
                        {"standard_deviation", "standard deviation", ""},
                        {"cv", "CV", ""}},
            .rows = {},
            .shown = kShown};
  std::ranges::stable_sort(all, {},
                           [](const Variation& one) { return std::isnan(one.cv) ? 1.0 : -one.cv; });
  for (const auto& one : all) {
    const auto& channel = levels.channels[one.channel];
    out.rows.push_back({channel.channel, std::string(model::to_string(channel.subsystem)),
                        levels.workloads[one.workload].name, static_cast<double>(one.runs),
                        one.mean, one.deviation, one.cv});
  }
  return out;
}

}  // namespace

base::Result<Result> study_cv(const Request& request) {
  Result out;
  const auto levels = levels_of(request, out);
  if (!levels) return base::pass(levels);
  if (auto enough = check_runs(*levels); !enough) return base::pass(enough);
  auto all = variations(*levels);
  out.tables.push_back(workload_table(*levels, all));
  out.tables.push_back(channel_table(*levels, std::move(all)));
  out.notes.push_back(
      fmt::format("{} never changed.", text::plural(levels->constant, "further channel")));
  out.plots.push_back({.kind = Plot::Kind::kBars,
                       .title = "Channels that are steady from run to run",
                       .table = "workloads",
                       .labels = {"workload"},
                       .values = {"share_steady"}});
  return out;
}

}  // namespace reveal::study

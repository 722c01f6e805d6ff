#include "study/channel_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stats/moments.h"

namespace reveal::study {
namespace {

double median_cv(const ChannelLevels& channel) {
  std::vector<double> out;
  out.reserve(channel.workloads.size());
  for (const auto& runs : channel.workloads) out.push_back(cv_of(runs));
  return summary(std::move(out)).median;
}

}  // namespace

double cv_of(std::span<const RunLevel> runs) {
  const auto means = means_of(runs);
  const auto of = stats::moments(means);
  if (means.size() < 2 || of.mean == 0) return std::numeric_limits<double>::quiet_NaN();
  return of.standard_deviation() / std::abs(of.mean);
}

std::vector<stats::Anova> anova_of(const Levels& levels) {
  std::vector<stats::Anova> out;
  for (const auto& channel : levels.channels) {
    std::vector<std::vector<double>> groups;
    for (const auto& runs : channel.workloads) groups.push_back(means_of(runs));
    out.push_back(stats::one_way_anova(groups));
  }
  return out;
}

base::Result<void> check_runs(const Levels& levels) {
  const auto has_several = [](const Workload& one) { return one.runs.size() > 1; };
  if (std::ranges::any_of(levels.workloads, has_several)) return {};
  return base::fail(base::ErrorKind::kTooLittle, "each workload has one run",
                    levels.workloads.front().name,
                    "name several runs of one: in one folder, or as WORKLOAD=DIR");
}

base::Result<void> check_workloads(const Levels& levels) {
  if (levels.workloads.size() > 1) return check_runs(levels);
  return base::fail(base::ErrorKind::kTooLittle, "one workload has nothing to differ from",
                    levels.workloads.front().name, "name runs of several: WORKLOAD=DIR");
}

base::Result<std::set<std::string>> left_out(const Levels& levels, const ChannelChoice& choice) {
  const auto enough = choice.most_p ? check_workloads(levels) : check_runs(levels);
  if (!enough) return base::pass(enough);
  const auto found = choice.most_p ? anova_of(levels) : std::vector<stats::Anova>();
  std::set<std::string> out;
  for (std::size_t i = 0; i < levels.channels.size(); ++i) {
    const auto& channel = levels.channels[i];
    const bool unsteady = choice.most_cv && median_cv(channel) > *choice.most_cv;
    const bool alike = choice.most_p && !(found[i].p <= *choice.most_p);
    if (unsteady || alike) out.insert(channel.channel);
  }
  return out;
}

}  // namespace reveal::study

// Which channels tell workloads apart (paper, appendix G.2): a one-way analysis of variance of the
// runs' means over the workloads.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "study/channel_choice.h"
#include "study/levels.h"
#include "study/study.h"
#include "text/words.h"

namespace reveal::study {
namespace {

constexpr double kSignificant = 0.05;

struct Counts {
  std::size_t tested = 0;
  std::size_t significant = 0;
};

Counts counts(const std::vector<stats::Anova>& found, const std::vector<std::size_t>& places) {
  Counts out;
  for (const auto i : places) {
    out.tested += std::isnan(found[i].p) ? 0U : 1U;
    out.significant += found[i].p < kSignificant ? 1U : 0U;
  }
  return out;
}

Table summary_table(const Levels& levels, const std::vector<stats::Anova>& found) {
  Table out{.name = "subsystems",
            .title = "Channels that differ between workloads",
            .columns = {{"subsystem", "subsystem", ""},
                        {"channels", "channels", ""},
                        {"tested", "tested", ""},
                        {"share_significant", "p < .05", "ratio"},
                        {"median_eta2", "median eta2", ""}},
            .rows = {}};
  out.rows = by_subsystem(levels, [&](const std::string& name, const auto& places) {
    const auto of = counts(found, places);
    std::vector<double> shares;
    shares.reserve(places.size());
    for (const auto i : places) shares.push_back(found[i].eta2);
    const auto tested = static_cast<double>(of.tested);
    return std::vector<Cell>{name, static_cast<double>(places.size()), tested,
                             static_cast<double>(of.significant) / tested,
                             summary(std::move(shares)).median};
  });
  return out;
}

// Those that tell the most first; last those of which nothing is known.
Table channel_table(const Levels& levels, const std::vector<stats::Anova>& found) {
  constexpr std::size_t kShown = 15;
  Table out{.name = "channels",
            .title = "Channels, those that tell workloads apart best first",
            .columns = {{"channel", "channel", ""},
                        {"subsystem", "subsystem", ""},
                        {"workloads", "workloads", ""},
                        {"runs", "runs", ""},
                        {"f", "F", ""},
                        {"p", "p", ""},
                        {"eta2", "eta2", ""}},
            .rows = {},
            .shown = kShown};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < found.size(); ++i) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&found](std::size_t i) {
    return std::isnan(found[i].p) ? std::pair(2.0, 0.0) : std::pair(found[i].p, -found[i].f);
  });
  for (const auto i : order) {
    const auto& channel = levels.channels[i];
    out.rows.push_back({channel.channel, std::string(model::to_string(channel.subsystem)),
                        static_cast<double>(found[i].groups), static_cast<double>(found[i].count),
                        found[i].f, found[i].p, found[i].eta2});
  }
  return out;
}

}  // namespace

base::Result<Result> study_anova(const Request& request) {
  Result out;
  const auto levels = levels_of(request, out);
  if (!levels) return base::pass(levels);
  if (auto enough = check_workloads(*levels); !enough) return base::pass(enough);
  const auto found = anova_of(*levels);
  out.tables = {summary_table(*levels, found), channel_table(*levels, found)};
  std::vector<std::size_t> all(found.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto of = counts(found, all);
  out.notes.push_back(
      fmt::format("{} of {} have p < {}; chance makes about {:.0f} if no workload differs.",
                  of.significant, text::plural(of.tested, "channel"), kSignificant,
                  kSignificant * static_cast<double>(of.tested)));
  out.plots.push_back({.kind = Plot::Kind::kBars,
                       .title = "Channels that differ between workloads",
                       .table = "subsystems",
                       .labels = {"subsystem"},
                       .values = {"share_significant", "median_eta2"}});
  return out;
}

}  // namespace reveal::study

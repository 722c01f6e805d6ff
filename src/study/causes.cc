// The causes of each anomalous window (paper, Figure 3): the metric-feature pairs that are evidence
// in it. Windows by causes are the table `windows` of the JSON; people get the causes.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "study/blame.h"
#include "text/quantity.h"
#include "text/words.h"

namespace reveal::study {
namespace {

std::string cause_of(const Blame& one) {
  return one.metric + " " + one.feature;
}

std::size_t window_count(const std::vector<Blame>& all) {
  const auto everything = grouped(all, [](const Blame&) { return std::string("all"); });
  return everything.empty() ? 0 : everything.front().windows.size();
}

Table causes(const std::vector<Blame>& all) {
  constexpr std::size_t kShown = 20;
  Table out{.name = "causes",
            .title = "Causes of anomalous windows",
            .columns = {{"metric", "metric", ""},
                        {"feature", "feature", ""},
                        {"subsystem", "subsystem", ""},
                        {"windows", "windows", ""},
                        {"share_of_windows", "of all", "ratio"},
                        {"seconds", "time", "seconds"},
                        {"mean_contribution", "mean contribution", "ratio"}},
            .rows = {},
            .shown = kShown};
  const auto windows = static_cast<double>(window_count(all));
  auto groups = grouped(all, cause_of);
  std::ranges::stable_sort(groups, std::ranges::greater(),
                           [](const BlameGroup& one) { return one.windows.size(); });
  for (const auto& group : groups) {
    const auto blank = group.name.find(' ');
    const auto in = static_cast<double>(group.windows.size());
    out.rows.push_back({group.name.substr(0, blank), group.name.substr(blank + 1),
                        std::string(model::to_string(group.subsystem)), in, in / windows,
                        group.seconds, group.contribution / static_cast<double>(group.count)});
  }
  return out;
}

Table windows(const std::vector<Blame>& all, const std::vector<Run>& runs) {
  Table out{.name = "windows",
            .title = "Causes by window",
            .columns = {{"recording", "recording", ""},
                        {"window", "window", ""},
                        {"begin_seconds", "begin", "seconds"},
                        {"end_seconds", "end", "seconds"},
                        {"channel", "channel", ""},
                        {"metric", "metric", ""},
                        {"feature", "feature", ""},
                        {"detector", "detector", ""},
                        {"contribution", "contribution", "ratio"}},
            .rows = {},
            .shown = 0};
  for (const auto& one : all) {
    const auto& run = runs[one.run];
    const auto since_begin = [&run](std::int64_t at_ns) {
      return static_cast<double>(at_ns - run.begin_ns) / 1e9;
    };
    out.rows.push_back({run.directory, static_cast<double>(one.window),
                        since_begin(one.stretch.begin_ns), since_begin(one.stretch.end_ns),
                        one.channel, one.metric, one.feature, one.detector, one.contribution});
  }
  return out;
}

// How many causes a window has.
std::string spread_note(const std::vector<Blame>& all) {
  std::map<std::pair<std::size_t, std::uint64_t>, std::set<std::string>> by_window;
  for (const auto& one : all) by_window[{one.run, one.window}].insert(cause_of(one));
  std::vector<double> counts;
  counts.reserve(by_window.size());
  for (const auto& [window, of_window] : by_window) {
    counts.push_back(static_cast<double>(of_window.size()));
  }
  if (counts.empty()) return "No window is anomalous.";
  const auto of = summary(counts);
  return fmt::format("{}, with {} causes each in the median.",
                     text::plural(of.count, "anomalous window"), text::format_number(of.median));
}

}  // namespace

base::Result<Result> study_causes(const Request& request) {
  Result out;
  const auto all = blames_of(request, out);
  if (!all) return base::pass(all);
  out.tables = {causes(*all), windows(*all, out.runs)};
  out.plots.push_back({.kind = Plot::Kind::kSpans,
                       .title = "Windows by cause",
                       .table = "windows",
                       .labels = {"metric", "feature"},
                       .values = {"begin_seconds", "end_seconds"},
                       .of = "recording"});
  out.notes.push_back(spread_note(*all));
  return out;
}

}  // namespace reveal::study

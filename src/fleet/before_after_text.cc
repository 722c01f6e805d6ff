#include "fleet/before_after_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/palette.h"
#include "text/quantity.h"
#include "text/safe_text.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::fleet {
namespace {

constexpr std::size_t kMostChanges = 10;
constexpr std::size_t kMostFacts = 6;
constexpr std::size_t kMostMetrics = 4;

using text::format_quantity;
using text::inert;
using text::plural;

std::string run_line(const char* word, const ComparedRun& run, const text::Clock& clock) {
  const auto& grid = run.grid;
  const auto& host = run.recorded.name;
  return fmt::format("{:<10}{}{}: {}\n", word, inert(run.recording),
                     host.empty() ? "" : " on " + inert(host),
                     clock.stretch(grid.begin_ns, grid.end_ns()));
}

// What makes the comparison less than it seems.
std::string cautions(const BeforeAfter& it) {
  std::string out;
  if (!it.one_host()) {
    out +=
        "Note      The runs are of different hosts: what differs may be the hosts, not the time.\n";
  }
  if (it.shared_ns() > 0) {
    out += fmt::format("Note      {} are in both runs, which are no two looks at the host then.\n",
                       text::span_text(it.shared_ns()));
  }
  if (it.runs[0].recorded.interval_ns != it.runs[1].recorded.interval_ns) {
    out += fmt::format("Note      Recorded every {} before, every {} after.\n",
                       text::span_text(it.runs[0].recorded.interval_ns),
                       text::span_text(it.runs[1].recorded.interval_ns));
  }
  return out;
}

std::string lacking(const BeforeAfter& it, std::size_t run, const char* word) {
  std::vector<std::string> names;
  for (const auto& one : it.lacking) {
    if (one.has[run]) names.push_back(inert(one.metric));
  }
  if (names.empty()) return {};
  const std::size_t told = std::min(kMostMetrics, names.size());
  return fmt::format(
      "Only {:<5}{}: {}{}\n", word, plural(names.size(), "metric"),
      fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(told), ", "),
      told < names.size() ? fmt::format(" and {} more", names.size() - told) : "");
}

std::string heading(const BeforeAfter& it, const text::Palette& palette, const text::Clock& clock) {
  std::string out = palette.bold("Reveal comparison of before and after") + "\n";
  out +=
      run_line("Before", it.runs[0], clock) + run_line("After", it.runs[1], clock) + cautions(it);
  out += fmt::format(
      "Compared  {} in buckets of {}; {} the same in both runs all the time; {}\n",
      it.quantities == 1 ? "1 quantity" : fmt::format("{} quantities", it.quantities),
      text::span_text(it.runs[0].grid.bucket_ns), it.constant, plural(it.facts_compared, "fact"));
  return out + lacking(it, 0, "then") + lacking(it, 1, "now");
}

std::string job_phrase(const WorkChange& job) {
  if (job.kind == work::JobKind::kGpus) return "The job on the GPUs";
  if (!job.name.empty()) return "The job " + inert(job.name);
  return "The job";
}

std::string work_line(const WorkChange& job, const text::Palette& palette) {
  if (!job.is_known()) {
    return fmt::format("Work      Its rate is not known, because {}.\n", job.not_known);
  }
  const auto range = fmt::format("{:.2f} to {:.2f}", job.rate.low, job.rate.high);
  const bool kept = job.rate.low <= 1 && job.rate.high >= 1;
  const auto sentence = kept ? fmt::format("{} kept its rate: {:.2f} of that before ({})",
                                           job_phrase(job), job.rate.value, range)
                             : fmt::format("{} ran at {:.2f} of its rate before ({})",
                                           job_phrase(job), job.rate.value, range);
  const bool slower = job.rate.high < 1;
  return fmt::format("Work      {}.\n", slower ? palette.alarm(sentence) : sentence);
}

std::string work_lines(const BeforeAfter& it, const text::Palette& palette) {
  std::string out = "\n";
  for (const auto& job : it.work) {
    if (job.is_known() || &job == &it.work.front()) out += work_line(job, palette);
  }
  return out;
}

std::string change_line(const LevelChange& one, const text::Palette& palette) {
  const auto& unit = one.quantity.unit;
  const bool rose = one.change.value > 0;
  const auto size = [&](double value) { return format_quantity(rose ? value : -value, unit); };
  const auto by = rose ? fmt::format("{} to {}", size(one.change.low), size(one.change.high))
                       : fmt::format("{} to {}", size(one.change.high), size(one.change.low));
  return fmt::format(
      "  {}  {} {} from {} to {} (by {})\n",
      palette.bold(fmt::format("{:<8}", text::upper(model::to_string(one.quantity.subsystem)))),
      inert(one.quantity.phrase()), rose ? "rose" : "fell", format_quantity(one.before.value, unit),
      format_quantity(one.after.value, unit), by);
}

std::string changes(const BeforeAfter& it, const TextOptions& options,
                    const text::Palette& palette) {
  if (it.changes.empty()) {
    return "\n" + palette.good("No quantity changed by more than it moves by itself.") + "\n";
  }
  const auto count = it.changes.size();
  std::string out =
      count == 1 ? "\n1 quantity changed:\n"
                 : fmt::format("\n{} quantities changed, the largest effect first:\n", count);
  const std::size_t told =
      options.all ? it.changes.size() : std::min(kMostChanges, it.changes.size());
  for (std::size_t i = 0; i < told; ++i) out += change_line(it.changes[i], palette);
  if (told < it.changes.size())
    out += fmt::format("  and {} more (--all)\n", it.changes.size() - told);
  return out;
}

std::string patterns(const BeforeAfter& it, const text::Palette& palette) {
  std::string out;
  for (const auto& one : it.patterns) {
    out += fmt::format("\nLooks like: {}\n  {}\n  Try: {}\n", palette.bold(one.pattern->title),
                       one.pattern->meaning, one.pattern->remedy);
  }
  return out;
}

std::string facts(const BeforeAfter& it, const TextOptions& options) {
  if (it.facts.empty()) return {};
  std::string out = fmt::format(
      "\n{}:\n", it.facts.size() == 1 ? "1 fact is another"
                                      : fmt::format("{} facts are others", it.facts.size()));
  const std::size_t told = options.all ? it.facts.size() : std::min(kMostFacts, it.facts.size());
  for (std::size_t i = 0; i < told; ++i) {
    const auto& fact = it.facts[i];
    out += fmt::format("  {}: {} before, {} after\n", inert(fact.subject), inert(fact.observed),
                       inert(fact.usual));
  }
  if (told < it.facts.size()) out += fmt::format("  and {} more (--all)\n", it.facts.size() - told);
  return out;
}

}  // namespace

std::string to_text(const BeforeAfter& it, const TextOptions& options) {
  const text::Palette palette(options.colors);
  return heading(it, palette, options.clock) + work_lines(it, palette) +
         changes(it, options, palette) + patterns(it, palette) + facts(it, options);
}

}  // namespace reveal::fleet

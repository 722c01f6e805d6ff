#include "report/text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/finding_text.h"
#include "text/palette.h"
#include "text/quantity.h"
#include "text/safe_text.h"
#include "text/sparkline.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::report {
namespace {

constexpr std::size_t kCurveWidth = 72;
constexpr std::size_t kEventLines = 12;
constexpr std::size_t kEventWidth = 120;
constexpr std::size_t kUnseenNamed = 4;

// Returns text from elsewhere in one line of at most `width` columns, with "..." for its middle if
// it is longer: names differ at their ends.
std::string printable(std::string_view text, std::size_t width) {
  return text::shortened(text::inert(text), width, "...");
}

std::string command_text(const std::vector<std::string>& words) {
  constexpr std::size_t kWidth = 88;
  return printable(fmt::format("{}", fmt::join(words, " ")), kWidth);
}

std::string heading(const Report& report, const text::Palette& palette) {
  const auto& facts = report.facts;
  std::string out = palette.bold(fmt::format("Reveal report for {}", text::inert(facts.host)));
  // What was imported does not say what it is of.
  if (!facts.kernel.empty()) {
    out += fmt::format(" (Linux {}, {})", text::inert(facts.kernel),
                       text::plural(facts.cpus_online, "CPU"));
  }
  out += '\n';
  if (!facts.command.empty()) out += fmt::format("Command   {}\n", command_text(facts.command));
  out += fmt::format("Recorded  {} at {}, every {}\n", text::span_text(report.length_ns),
                     text::iso_time(report.begin_ns), text::span_text(facts.interval_ns));
  return out;
}

std::string missed_ticks(const MissedTicks& missed) {
  if (missed.total() == 0) return "no tick missed";
  std::vector<std::string> parts;
  if (missed.late > 0) parts.push_back(fmt::format("{} late", missed.late));
  if (missed.storage > 0) parts.push_back(fmt::format("{} not stored", missed.storage));
  if (missed.damage > 0) parts.push_back(fmt::format("{} unreadable", missed.damage));
  return fmt::format("{} missed ({})", text::plural(missed.total(), "tick"),
                     fmt::join(parts, ", "));
}

// The saved baseline that the windows were compared with, if any.
std::string compared_with(const Report& report) {
  if (!report.saved_baseline) return {};
  const auto& saved = *report.saved_baseline;
  std::string out =
      fmt::format("Baseline  {} of {}{} from {}", text::plural(saved.windows, "window"),
                  saved.runs > 1 ? fmt::format("{} runs of ", saved.runs) : "",
                  printable(saved.host, kEventWidth), text::iso_time(saved.begin_ns));
  if (!saved.command.empty()) out += ": " + printable(saved.command, kEventWidth);
  if (!saved.absent.empty()) {
    out += fmt::format("; {} of it not in this run", text::plural(saved.absent.size(), "channel"));
  }
  if (saved.unknown_channels > 0) {
    out += fmt::format("; {} not in it", text::plural(saved.unknown_channels, "channel"));
  }
  return out + "\n";
}

std::string coverage(const Report& report) {
  const auto& spec = report.configuration.window;
  std::string out =
      fmt::format("Analyzed  {} of {} every {}", text::plural(report.windows.size(), "window"),
                  text::span_text(spec.length_ns), text::span_text(spec.stride_ns));
  if (report.windows_skipped > 0) out += fmt::format(", {} skipped", report.windows_skipped);
  out += fmt::format("; {}\n", missed_ticks(report.missed));
  out += fmt::format("          {} of {} ({} constant), {} metric-feature pairs\n",
                     text::plural(report.channels.analyzed, "channel"), report.channels.derived,
                     report.channels.constant, report.live_columns);
  return out + compared_with(report);
}

// One line: a host lacks many sources, each for its own reason. The JSON has the reasons, and
// `reveal doctor` sorts them.
std::string not_seen(const model::RunFacts& facts) {
  if (facts.unseen.empty()) return {};
  auto items = facts.unseen;
  std::stable_sort(items.begin(), items.end(),
                   [](const auto& a, const auto& b) { return a.metrics > b.metrics; });
  std::size_t metrics = 0;
  std::vector<std::string> largest;
  for (const auto& item : items) {
    metrics += item.metrics;
    if (largest.size() < kUnseenNamed) largest.push_back(item.source);
  }
  const std::size_t rest = items.size() - largest.size();
  return fmt::format("Not seen  {} with {}: {}{}; reveal doctor says why\n",
                     text::plural(items.size(), "source"), text::plural(metrics, "metric"),
                     fmt::join(largest, ", "), rest > 0 ? fmt::format(" and {} more", rest) : "");
}

// The noted events. Facts are in the JSON only.
std::string events(const Report& report) {
  std::string out;
  std::size_t count = 0;
  for (const auto& [wall_ns, note] : report.notes) {
    if (note.kind != model::Note::Kind::kEvent || ++count > kEventLines) continue;
    out += fmt::format("  {}  {}: {}\n", text::clock_time(wall_ns), text::inert(note.subject),
                       printable(note.text, kEventWidth));
  }
  if (count == 0) return out;
  if (count > kEventLines) {
    out += fmt::format("  and {} more in report.json\n", count - kEventLines);
  }
  return "\nNoted\n" + out;
}

// How many findings there would be if nothing were wrong: the others are worth a look.
std::string by_chance(const Report& report) {
  if (!report.by_chance) return {};
  return fmt::format("A healthy run of this kind has {} findings by chance.\n",
                     expected_findings(*report.by_chance));
}

std::string warm_up(const Report& report) {
  const auto windows = report.configuration.warm_up;
  if (windows == 0) return {};
  return fmt::format("The first {} raise no alarm: the start of a workload is always unusual.\n",
                     text::plural(windows, "window"));
}

// A minute of windows is little to tell the unusual from the usual (docs/detection.md).
std::string short_run(const Report& report) {
  constexpr std::size_t kShort = 60;
  if (report.windows.size() >= kShort || report.saved_baseline) return {};
  return "The run is short: only strong disturbances would show.\n";
}

std::string findings(const Report& report, const text::Palette& palette) {
  if (report.findings.empty()) {
    return "\n" + palette.good("No anomaly") +
           fmt::format(
               " in {}: at no time did the detectors reach {} votes while work was "
               "stalled{}.\n",
               text::plural(report.windows.size(), "window"), report.configuration.min_agreement,
               report.low_confidence.empty() ? "" : ", beyond what chance explains") +
           short_run(report) + by_chance(report) + warm_up(report);
  }
  std::string out = "\n" + palette.bold(text::plural(report.findings.size(), "finding")) + "\n" +
                    by_chance(report);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    out += finding_text(report, i, palette);
  }
  return out;
}

// A line for each entry that is not a finding, below the reason.
std::string listed(const Report& report, const std::vector<attribute::Finding>& list,
                   std::string_view heading) {
  constexpr std::size_t kLines = 6;
  std::string out = fmt::format("\n{}\n", heading);
  for (std::size_t i = 0; i < std::min(list.size(), kLines); ++i) {
    const auto& one = list[i];
    const auto begin = one.windows.front().span.begin_ns;
    out += fmt::format("  {}  {:>5}  {}: {}\n", text::clock_time(begin),
                       text::span_text(one.length_ns()), model::to_string(one.subsystem()),
                       text::inert(one.claim));
    if (is_not_judged(report, one.begin_ns(), one.end_ns())) {
      out += "                   a job started or ended: stalls were not judged\n";
    }
  }
  if (list.size() > kLines)
    out += fmt::format("  and {} more in report.json\n", list.size() - kLines);
  return out;
}

// Undefined is not zero: says where nobody can tell.
std::string not_judged(const Report& report) {
  std::string out;
  for (const auto& one : report.not_judged) {
    out += fmt::format(
        "Not judged: {} to {}. A job started or ended; what waited there counts only if it is far\n"
        "above what is usual before and after.\n",
        text::clock_time(one.begin_ns), text::clock_time(one.end_ns));
  }
  return out.empty() ? out : "\n" + out;
}

std::string changes(const Report& report) {
  if (report.changes.empty()) return {};
  return listed(report, report.changes,
                fmt::format("{} in which nothing was stalled: the workload's own behavior",
                            text::plural(report.changes.size(), "change")));
}

std::string low_confidence(const Report& report) {
  if (report.low_confidence.empty()) return {};
  return listed(
      report, report.low_confidence,
      fmt::format("{} of low confidence: chance makes as strong ones over {:g} times a day",
                  text::plural(report.low_confidence.size(), "disturbance"),
                  report.configuration.false_alarms_per_day.value_or(0)));
}

// Marks, below the curves, the windows of each finding with its number.
std::string finding_marks(const Report& report) {
  const auto count = report.windows.size();
  std::string marks(std::min(count, kCurveWidth), ' ');
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    for (const auto& window : report.findings[i].windows) {
      for (std::size_t row = 0; row < count; ++row) {
        if (report.windows[row].id != window.span.id) continue;
        marks[text::part_of(row, count, kCurveWidth)] = i < 9 ? static_cast<char>('1' + i) : '+';
      }
    }
  }
  return marks;
}

std::string curves(const Report& report, const text::Palette& palette) {
  std::string out = "\nScores by window\n";
  for (const auto& detector : report.detectors) {
    out +=
        fmt::format("  {:<17}{}\n", detector.label, text::sparkline(detector.scores, kCurveWidth));
  }
  if (report.findings.empty()) return out;
  return out + fmt::format("  {:<17}{}\n", "finding", palette.alarm(finding_marks(report)));
}

// A replay records nothing, so neither a share of its time nor bytes written mean anything.
std::string cost(const Cost& cost, const text::Palette& palette) {
  const auto bytes = [](std::uint64_t count) {
    return text::format_quantity(static_cast<double>(count), "bytes");
  };
  std::string out = fmt::format("Cost: {:.2f} s of CPU, {} of memory", cost.cpu_seconds,
                                bytes(cost.max_rss_bytes));
  if (cost.bytes_written > 0 && cost.wall_seconds > 0) {
    out = fmt::format(
        "Cost: {:.2f} s of CPU in {:.1f} s ({:.2f} % of one core), {} of memory, {} "
        "written",
        cost.cpu_seconds, cost.wall_seconds, cost.cpu_seconds / cost.wall_seconds * 100,
        bytes(cost.max_rss_bytes), bytes(cost.bytes_written));
  }
  return "\n" + palette.dim(out) + "\n";
}

}  // namespace

std::string to_text(const Report& report, const TextOptions& options) {
  const text::Palette palette(options.colors);
  return heading(report, palette) + coverage(report) + not_seen(report.facts) +
         findings(report, palette) + low_confidence(report) + changes(report) + not_judged(report) +
         events(report) + curves(report, palette) + cost(report.cost, palette);
}

}  // namespace reveal::report

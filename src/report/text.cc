#include "report/text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "detect/detector.h"
#include "model/lost_gpu.h"
#include "report/finding_text.h"
#include "report/report_clock.h"
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
constexpr std::size_t kUnseenReasons = 3;
constexpr std::size_t kReasonWidth = 80;

// Returns text from elsewhere in one line of at most `width` columns, with "..." for its middle if
// it is longer: names differ at their ends.
std::string printable(std::string_view text, std::size_t width) {
  return text::shortened(text::inert(text), width, "...");
}

std::string command_text(const std::vector<std::string>& words) {
  constexpr std::size_t kWidth = 88;
  return printable(fmt::format("{}", fmt::join(words, " ")), kWidth);
}

std::string heading(const Report& report, const text::Clock& clock, const text::Palette& palette) {
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
                     clock.date_time(report.begin_ns), text::span_text(facts.interval_ns));
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

// Why a saved baseline may find too little.
std::string doubts(const SavedBaseline& saved) {
  std::string out;
  if (saved.made_of_this > 0) {
    out += fmt::format(
        "          It was made of {}this run, whose own faults it takes as usual.\n",
        saved.made_of_this < 1 ? text::format_quantity(saved.made_of_this, "ratio") + " of " : "");
  }
  if (saved.accepted_findings > 0) {
    out += fmt::format("          Its runs have {}, accepted as usual when it was saved.\n",
                       text::plural(saved.accepted_findings, "finding"));
  }
  return out;
}

// The saved baseline that the windows were compared with, if any.
std::string compared_with(const Report& report, const text::Clock& clock) {
  if (!report.saved_baseline) return {};
  const auto& saved = *report.saved_baseline;
  std::string out =
      fmt::format("Baseline  {} of {}{} from {}", text::plural(saved.windows, "window"),
                  saved.runs > 1 ? fmt::format("{} runs of ", saved.runs) : "",
                  printable(saved.host, kEventWidth), clock.date_time(saved.begin_ns));
  if (!saved.command.empty()) out += ": " + printable(saved.command, kEventWidth);
  if (!saved.absent.empty()) {
    out += fmt::format("; {} of it not in this run", text::plural(saved.absent.size(), "channel"));
  }
  if (saved.unknown_channels > 0) {
    out += fmt::format("; {} not in it", text::plural(saved.unknown_channels, "channel"));
  }
  return out + "\n" + doubts(saved);
}

std::string coverage(const Report& report, const text::Clock& clock) {
  const auto& spec = report.configuration.window;
  std::string out =
      fmt::format("Analyzed  {} of {} every {}", text::plural(report.windows.size(), "window"),
                  text::span_text(spec.length_ns), text::span_text(spec.stride_ns));
  if (report.parts > 1) out += fmt::format(" in {} parts", report.parts);
  if (report.windows_skipped > 0) out += fmt::format(", {} skipped", report.windows_skipped);
  out += fmt::format("; {}\n", missed_ticks(report.missed));
  // What a baseline knows to stand still is compared with it, too.
  const std::string_view others = report.saved_baseline ? ", those that the baseline knows:"
                                                        : ". The others tell nothing more:";
  out += fmt::format("          {} of {}{} {} never moved.\n", report.channels.analyzed,
                     text::plural(report.channels.derived, "channel"), others,
                     report.channels.constant);
  out += fmt::format("          {}, such as a channel's mean in a window.\n",
                     text::plural(report.live_columns, "metric-feature pair"));
  return out + compared_with(report, clock);
}

// Returns what a reason says, without the place: "no InfiniBand or RoCE adapter".
std::string_view reason_alone(std::string_view reason) {
  const auto colon = reason.find(": ");
  return colon == std::string_view::npos ? reason : reason.substr(colon + 2);
}

// The reasons that cost most metrics; the JSON has each source with its own, and what to do.
std::string not_seen(const model::RunFacts& facts) {
  if (facts.unseen.empty()) return {};
  std::size_t metrics = 0;
  std::vector<std::pair<std::string_view, std::size_t>> reasons;
  for (const auto& item : facts.unseen) {
    metrics += item.metrics;
    const auto reason = reason_alone(item.reason);
    const auto known = std::find_if(reasons.begin(), reasons.end(),
                                    [&](const auto& one) { return one.first == reason; });
    if (known == reasons.end()) {
      reasons.emplace_back(reason, item.metrics);
    } else {
      known->second += item.metrics;
    }
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out =
      fmt::format("\nNot seen  {} of {}; reveal doctor tells what would help:\n",
                  text::plural(metrics, "metric"), text::plural(facts.unseen.size(), "source"));
  for (std::size_t i = 0; i < std::min(reasons.size(), kUnseenReasons); ++i) {
    out += fmt::format("          {:>4}  {}\n", reasons[i].second,
                       printable(reasons[i].first, kReasonWidth));
  }
  if (reasons.size() > kUnseenReasons) {
    out += fmt::format("          and {} more\n",
                       text::plural(reasons.size() - kUnseenReasons, "reason"));
  }
  return out;
}

// The noted events. Facts are in the JSON only.
std::string events(const Report& report, const text::Clock& clock) {
  std::string out;
  std::size_t count = 0;
  for (const auto& [wall_ns, note] : report.notes) {
    if (note.kind != model::Note::Kind::kEvent || ++count > kEventLines) continue;
    out += fmt::format("  {}  {}: {}\n", clock.time(wall_ns), text::inert(note.subject),
                       printable(note.text, kEventWidth));
  }
  if (count == 0) return out;
  if (count > kEventLines) {
    out += fmt::format("  and {} more in report.json\n", count - kEventLines);
  }
  return "\nNoted\n" + out;
}

// How many findings there would be if nothing were wrong: the others are worth a look. A run that
// is twice as long has twice as many.
std::string by_chance(const Report& report) {
  if (!report.by_chance) return {};
  return fmt::format("A healthy run of this kind, {} long, has {} findings by chance.\n",
                     text::span_text(report.length_ns), expected_findings(*report.by_chance));
}

// A finding takes stalled work only if a detector looks for it.
bool sees_saturation(const Report& report) {
  return std::ranges::any_of(report.detectors,
                             [](const auto& detector) { return detector.name == "saturation"; });
}

// What says how many windows are flagged, if it is neither their strength nor chance.
std::string by_rank(const Report& report) {
  if (report.configuration.threshold.mode != detect::Threshold::Mode::kOff) return {};
  return fmt::format(
      "Each detector flags the {} of the windows that score highest, in a healthy run as in any.\n",
      text::format_quantity(report.configuration.contamination, "ratio"));
}

std::string warm_up(const Report& report) {
  const auto windows = report.configuration.warm_up;
  if (windows == 0) return {};
  return fmt::format("The first {} raise no alarm: the start of a workload is always unusual.\n",
                     text::plural(windows, "window"));
}

// A minute of windows is little to tell the unusual from the usual
// (docs/evidence/detection_diary.md).
std::string short_run(const Report& report) {
  constexpr std::size_t kShort = 60;
  if (report.windows.size() >= kShort || report.saved_baseline) return {};
  return "The run is short: only strong disturbances would show.\n";
}

// A host on which nothing was stalled may have lost a GPU.
std::string noted(const Report& report) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(
      report.notes, [](const auto& one) { return one.note.kind == model::Note::Kind::kEvent; }));
  if (count == 0) return {};
  return fmt::format("But {} {} noted below.\n", text::plural(count, "event"),
                     count == 1 ? "is" : "are");
}

// The loss of a GPU is graver than any slowdown, and may have slowed nothing that was recorded.
std::string lost_gpu(const Report& report, const text::Clock& clock, const text::Palette& palette) {
  const auto first = std::ranges::find_if(
      report.notes, [](const auto& one) { return model::tells_lost_gpu(one.note); });
  if (first == report.notes.end()) return {};
  return palette.bold(fmt::format("A GPU was lost at {}", clock.time(first->wall_ns))) +
         fmt::format(" ({}), see Noted.\n", text::inert(first->note.subject));
}

std::string findings(const Report& report, const text::Clock& clock, const text::Palette& palette) {
  const std::string lost = "\n" + lost_gpu(report, clock, palette);
  if (report.findings.empty()) {
    return lost + palette.good("No anomaly") +
           fmt::format(
               " in {}: at no time did the detectors reach {}{}{}.\n",
               text::plural(report.windows.size(), "window"),
               text::plural(static_cast<std::size_t>(report.configuration.min_agreement), "vote"),
               sees_saturation(report) ? " while work was stalled" : "",
               report.low_confidence.empty() ? "" : ", beyond what chance explains") +
           noted(report) + short_run(report) + by_chance(report) + by_rank(report) +
           warm_up(report);
  }
  std::string out = lost + palette.bold(text::plural(report.findings.size(), "finding")) + "\n" +
                    by_chance(report) + by_rank(report);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    out += finding_text(report, i, clock, palette);
  }
  return out;
}

// A line for each entry that is not a finding, below the reason.
std::string listed(const Report& report, const std::vector<attribute::Finding>& list,
                   std::string_view heading, const text::Clock& clock) {
  constexpr std::size_t kLines = 6;
  std::string out = fmt::format("\n{}\n", heading);
  for (std::size_t i = 0; i < std::min(list.size(), kLines); ++i) {
    const auto& one = list[i];
    const auto begin = one.begin_ns();
    out += fmt::format("  {}  {:>5}  {}: {}\n", clock.time(begin), text::span_text(one.length_ns()),
                       model::heading_of(one.subsystem()), text::inert(one.claim));
    if (is_where_jobs_change(report, one.windows_begin_ns(), one.windows_end_ns())) {
      out += "                   a job started or ended: stalls were not judged\n";
    }
  }
  if (list.size() > kLines)
    out += fmt::format("  and {} more in report.json\n", list.size() - kLines);
  return out;
}

// Undefined is not zero: says where nobody can tell.
std::string not_judged(const Report& report, const text::Clock& clock) {
  std::string out;
  for (const auto& one : report.not_judged) {
    const std::string_view why =
        one.why == WhyNotJudged::kGap
            ? "Too little was recorded there for a window:\n"
              "the recorder was away, got no processor time, or its disk was full."
            : "A job started or ended; what waited there counts only if it is far\n"
              "above what is usual before and after.";
    out += fmt::format("Not judged: {} to {}. {}\n", clock.time(one.begin_ns),
                       clock.time(one.end_ns), why);
  }
  return out.empty() ? out : "\n" + out;
}

std::string changes(const Report& report, const text::Clock& clock) {
  if (report.changes.empty()) return {};
  return listed(report, report.changes,
                fmt::format("{} in which nothing was stalled: the workload's own behavior",
                            text::plural(report.changes.size(), "change")),
                clock);
}

std::string low_confidence(const Report& report, const text::Clock& clock) {
  if (report.low_confidence.empty()) return {};
  return listed(
      report, report.low_confidence,
      fmt::format("{} of low confidence: chance makes as strong ones over {:g} times a day",
                  text::plural(report.low_confidence.size(), "disturbance"),
                  report.configuration.false_alarms_per_day.value_or(0)),
      clock);
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

// Returns in how many findings the detector voted.
std::ptrdiff_t findings_of(const Report& report, const DetectorSummary& detector) {
  return std::count_if(report.findings.begin(), report.findings.end(), [&](const auto& finding) {
    const auto& voters = finding.detectors;
    return std::find(voters.begin(), voters.end(), detector.name) != voters.end();
  });
}

// Returns what the detector looks at, without the names that statisticians have for it.
std::string_view look_of(const DetectorSummary& detector) {
  const auto place = detect::find_detector(detector.name);
  if (!place) return {};
  const auto help = detect::registry()[*place].help;
  return help.substr(0, help.find(" ("));
}

// What the votes of the findings are: a line for each detector that has one.
std::string voters(const Report& report) {
  std::string out;
  for (const auto& detector : report.detectors) {
    if (findings_of(report, detector) == 0) continue;
    out += fmt::format("  {:<17}{}\n", detector.label, look_of(detector));
  }
  if (out.empty()) return out;
  return fmt::format(
             "\nVotes are of detectors: each looks at something else. A finding takes {}.\n",
             report.configuration.min_agreement) +
         out;
}

// Returns the detector that voted in most findings, or the first of several; null if none did.
const DetectorSummary* foremost(const Report& report) {
  const auto most = std::max_element(report.detectors.begin(), report.detectors.end(),
                                     [&](const auto& a, const auto& b) {
                                       return findings_of(report, a) < findings_of(report, b);
                                     });
  const bool none = most == report.detectors.end() || findings_of(report, *most) == 0;
  return none ? nullptr : &*most;
}

// One curve shows how a finding stands out; the page and reveal scores have those of all detectors.
std::string curve(const Report& report, const text::Palette& palette) {
  const auto* detector = foremost(report);
  if (detector == nullptr) return {};
  return fmt::format("\nScore by window\n  {:<17}{}\n  {:<17}{}\n", detector->label,
                     text::sparkline(detector->scores, kCurveWidth), "finding",
                     palette.alarm(finding_marks(report)));
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
  const auto clock = clock_of(report, options.clock);
  return heading(report, clock, palette) + coverage(report, clock) +
         findings(report, clock, palette) + low_confidence(report, clock) + changes(report, clock) +
         not_judged(report, clock) + events(report, clock) + voters(report) +
         curve(report, palette) + not_seen(report.facts) + cost(report.cost, palette);
}

}  // namespace reveal::report

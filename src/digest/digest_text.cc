#include "digest/digest_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/quantity.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::digest {
namespace {

constexpr std::size_t kMostBlind = 10;
constexpr std::size_t kMostIncidents = 50;
constexpr std::size_t kMostSources = 20;
constexpr int kDay_h = 24;
constexpr std::int64_t kDay_ns = std::int64_t{kDay_h} * 3'600'000'000'000;

// Returns "2026-11-24T09:31:02", without the fraction and the offset.
std::string moment(std::int64_t wall_ns) {
  constexpr std::size_t kToSeconds = 19;
  return text::Clock(text::Zone::kLocal).date_time(wall_ns).substr(0, kToSeconds);
}

// Returns "and 3 more" as a line, if there are.
std::string rest_text(std::size_t all, std::size_t shown) {
  return all > shown ? fmt::format("  and {} more (--json has all)\n", all - shown) : "";
}

std::string watched_text(const Digest& it) {
  std::string out = fmt::format("Windows were judged for {}", text::span_text(it.judged_ns));
  if (it.learning_ns > 0) {
    out += fmt::format("; learning took {}", text::span_text(it.learning_ns));
  }
  if (it.degraded_ns > 0) {
    out += fmt::format("; for {} the agent was degraded", text::span_text(it.degraded_ns));
  }
  if (it.unwatched_ns > 0) {
    out += fmt::format("; for {} nobody watched", text::span_text(it.unwatched_ns));
  }
  out += "\n";
  const auto shown = std::min(it.blind.size(), kMostBlind);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& one = it.blind[i];
    out += fmt::format("  {} to {}: {}\n", moment(one.begin_ns), moment(one.end_ns), one.why);
  }
  return out + rest_text(it.blind.size(), shown);
}

std::string finding_text(const Finding& one) {
  auto out = fmt::format("     {}  {}, {}{}\n        {}\n", moment(one.begin_ns), one.subsystem,
                         one.severity, one.open ? ", open" : "", one.claim);
  if (!one.culprit.empty()) out += fmt::format("        by {}\n", one.culprit);
  return out + fmt::format("        reveal explain {}\n", one.id);
}

std::string before_text(const Digest& it) {
  if (!it.findings_before) return "in as long before: not known";
  return fmt::format("in as long before {}{}", *it.findings_before,
                     it.judged_before_ns == 0 ? ", of which nothing was judged" : "");
}

std::string incidents_text(const Digest& it) {
  auto out = fmt::format("\n{}, {}; {}", text::plural(it.findings, "finding"),
                         text::plural(it.incidents.size(), "incident"), before_text(it));
  if (it.unreadable > 0) {
    out += fmt::format("; {} cannot be read", text::plural(it.unreadable, "file"));
  }
  out += "\n";
  const auto shown = std::min(it.incidents.size(), kMostIncidents);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& incident = it.incidents[i];
    out += fmt::format("  {}  {} to {}, {}, {}\n", i + 1, moment(incident.begin_ns),
                       moment(incident.end_ns),
                       text::span_text(incident.end_ns - incident.begin_ns), incident.severity);
    for (const auto& one : incident.findings) out += finding_text(one);
  }
  return out + rest_text(it.incidents.size(), shown);
}

std::string work_text(const Digest& it) {
  if (it.findings == 0) return "";
  if (!it.lost_s) return "\nWhat they cost is not known of any\n";
  const auto unknown = it.lost_unknown == 0
                           ? std::string()
                           : fmt::format("; of {} it is not known", it.lost_unknown);
  return fmt::format("\nWork lost: {}, in seconds of usual work{}\n",
                     text::format_quantity(*it.lost_s, "s"), unknown);
}

std::string recurrence_text(const Recurrence& one) {
  auto out = fmt::format("  {}", one.subsystem);
  if (!one.culprit.empty()) out += fmt::format(", by {}", one.culprit);
  if (!one.pattern.empty()) out += fmt::format(", {}", one.pattern);
  out += fmt::format(": {} times since {}", one.count, moment(one.first_ns));
  if (one.hour) {
    out +=
        fmt::format(", always between {:02}:00 and {:02}:00", *one.hour, (*one.hour + 2) % kDay_h);
  }
  return out + "\n";
}

std::string recurring_text(const Digest& it) {
  if (it.recurring.empty()) return "";
  std::string out =
      fmt::format("\nAgain and again, in the {} days to the end\n", kRecurs_ns / kDay_ns);
  for (const auto& one : it.recurring) out += recurrence_text(one);
  return out;
}

std::string open_text(const Digest& it) {
  if (it.open.empty()) return "";
  std::string out = "\nStill open\n";
  for (const auto& one : it.open) {
    out += fmt::format("  since {}, for {}: {}\n", moment(one.begin_ns),
                       text::span_text(it.to_ns - one.begin_ns), one.claim);
  }
  return out;
}

std::string cost_text(const Digest& it) {
  const auto watched_ns = it.judged_ns + it.learning_ns + it.degraded_ns;
  if (watched_ns == 0 || !it.resident_bytes) return "\nWhat the agent used is not known\n";
  return fmt::format(
      "\nThe agent used {} of processor time, {} of a core, and at most {}\n",
      text::format_quantity(it.cpu_s, "s"),
      text::format_quantity(it.cpu_s * 1e9 / static_cast<double>(watched_ns), "ratio"),
      text::format_quantity(static_cast<double>(*it.resident_bytes), "bytes"));
}

std::string sources_text(const Digest& it) {
  if (!it.missing_sources) return "Which sources it lacked is not known\n";
  const auto& all = *it.missing_sources;
  if (all.empty()) return "It lacked no source\n";
  const auto shown = std::min(all.size(), kMostSources);
  return fmt::format("It lacked {} (reveal doctor says why): {}{}\n",
                     text::plural(all.size(), "source"),
                     fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     all.size() > shown ? ", ..." : "");
}

}  // namespace

std::string to_text(const Digest& it) {
  const auto host = it.host.empty() ? std::string() : it.host + ", ";
  return fmt::format("{}{} to {} (local time, {})\n\n", host, moment(it.from_ns), moment(it.to_ns),
                     text::span_text(it.to_ns - it.from_ns)) +
         watched_text(it) + incidents_text(it) + work_text(it) + recurring_text(it) +
         open_text(it) + cost_text(it) + sources_text(it);
}

}  // namespace reveal::digest

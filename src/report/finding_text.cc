#include "report/finding_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "attribute/claim.h"
#include "feature/feature.h"
#include "report/harm_sentences.h"
#include "text/quantity.h"
#include "text/safe_text.h"
#include "text/sparkline.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::report {
namespace {

constexpr std::size_t kBarWidth = 24;
constexpr std::size_t kEvidenceLines = 6;
constexpr std::size_t kEvidenceWidth = 48;
constexpr double kSmallestShare = 0.005;

// Lines of at most 95 columns, cut between words and set in by five.
std::string wrapped(std::string_view text) {
  constexpr std::size_t kWidth = 95;
  std::string out;
  std::string line = "    ";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    const auto word = text.substr(at, space - at);
    if (line.size() + 1 + word.size() > kWidth) {
      out += line + "\n";
      line = "    ";
    }
    line += fmt::format(" {}", word);
    at = space + 1;
  }
  return out + line + "\n";
}

std::string window_ids(const attribute::Finding& finding) {
  const auto first = finding.windows.front().span.id.value();
  const auto last = finding.windows.back().span.id.value();
  return first == last ? fmt::format("window {}", first)
                       : fmt::format("windows {}-{}", first, last);
}

std::string shares(const attribute::Finding& finding, const text::Palette& palette) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < finding.subsystems.size(); ++i) {
    if (finding.subsystems[i] >= kSmallestShare) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return finding.subsystems[a] > finding.subsystems[b];
  });
  std::string out;
  for (const auto i : order) {
    out += fmt::format(
        "     {:<8} {} {:>3.0f} %\n", model::to_string(static_cast<model::Subsystem>(i)),
        palette.dim(text::bar(finding.subsystems[i], kBarWidth)), finding.subsystems[i] * 100);
  }
  return out;
}

std::size_t followers(const Report& report, model::ChannelId channel) {
  const auto leader = report.moves_with[channel.index()];
  const auto same = std::count(report.moves_with.begin(), report.moves_with.end(), leader);
  return static_cast<std::size_t>(same) - 1;
}

// A name that does not fit has a line of its own: a cut id is of no use.
std::string evidence_line(const Report& report, const attribute::Evidence& item) {
  const auto& table = *report.channel_table;
  const auto unit = attribute::evidence_unit(table, item.key);
  auto what = text::inert(fmt::format("{}, {}", attribute::channel_phrase(table, item.key.channel),
                                      feature::descriptor(item.key.feature).phrase));
  if (text::columns_of(what) > kEvidenceWidth) {
    what += "\n     " + std::string(kEvidenceWidth, ' ');
  } else {
    what = text::padded(what, kEvidenceWidth);
  }
  return fmt::format("     {} {:>18} {:>16}", what, text::format_quantity(item.observed, unit),
                     text::format_quantity(item.baseline_median, unit));
}

// Of channels that move together one line is enough: the first that is a level, which people can
// read, or else the first.
std::vector<const attribute::Evidence*> tellable(const Report& report,
                                                 const attribute::Finding& finding) {
  std::vector<model::ChannelId> groups;
  std::vector<const attribute::Evidence*> out;
  for (const auto& item : finding.evidence) {
    const auto leader = report.moves_with[item.key.channel.index()];
    const bool legible = feature::descriptor(item.key.feature).legible;
    const auto known = std::find(groups.begin(), groups.end(), leader);
    if (known == groups.end()) {
      groups.push_back(leader);
      out.push_back(&item);
      continue;
    }
    auto& told = out[static_cast<std::size_t>(known - groups.begin())];
    if (legible && !feature::descriptor(told->key.feature).legible) told = &item;
  }
  return out;
}

// The JSON has all of the evidence.
std::string evidence(const Report& report, const attribute::Finding& finding,
                     const text::Palette& palette) {
  std::string out = palette.dim(fmt::format("     {:<{}} {:>18} {:>16}", "evidence", kEvidenceWidth,
                                            "observed", "usual")) +
                    "\n";
  auto items = tellable(report, finding);
  if (items.size() > kEvidenceLines) items.resize(kEvidenceLines);
  bool followed = false;
  for (const auto* item : items) {
    out += evidence_line(report, *item);
    const auto count = followers(report, item->key.channel);
    if (count > 0) out += palette.dim(fmt::format("  +{}", count));
    out += "\n";
    followed |= count > 0;
  }
  if (!followed) return out;
  return out + palette.dim("     +N: N more channels move with it; report.json has all evidence.") +
         "\n";
}

std::string sign_text(const Report& report, const attribute::SignSeen& sign) {
  const auto& table = *report.channel_table;
  const auto unit = table.metric(sign.channel).unit;
  return fmt::format(
      "{}: {} (usually {})", text::inert(attribute::channel_phrase(table, sign.channel)),
      text::format_quantity(sign.observed, unit), text::format_quantity(sign.usual, unit));
}

std::string signs_text(const Report& report, const attribute::PatternMatch& match) {
  std::vector<std::string> told;
  for (const auto& sign : match.signs) told.push_back(sign_text(report, sign));
  return fmt::format("{}", fmt::join(told, "; "));
}

// Only the likeliest pattern; the JSON has all. If something argues against it, there is no advice.
std::string pattern_text(const Report& report, const attribute::Finding& finding,
                         const text::Palette& palette) {
  std::string out;
  if (const auto* advice = finding.advice()) {
    const auto& pattern = *advice->pattern;
    out += fmt::format("     Looks like: {}\n", palette.bold(std::string(pattern.title))) +
           wrapped(fmt::format("Signs: {}.", signs_text(report, *advice))) +
           wrapped(pattern.meaning) + wrapped(fmt::format("Try: {}", pattern.remedy));
  }
  for (const auto& match : finding.patterns) {
    if (!match.beside || !match.against.empty()) continue;
    out +=
        wrapped(fmt::format("Besides: {} ({}).", match.pattern->title, signs_text(report, match)));
  }
  return out.empty() ? out : out + "\n";
}

// Says it only if chance is a likely cause.
std::string by_chance(const attribute::Finding& finding) {
  constexpr double kWorthSaying = 0.05;
  if (finding.by_chance.value_or(0) < kWorthSaying) return {};
  return fmt::format(
      "     This may be chance: {} findings as strong are expected in a run as long.\n",
      expected_findings(*finding.by_chance));
}

// The detectors by their labels, with the votes of those that have more than one.
std::string voters(const Report& report, const attribute::Finding& finding) {
  std::vector<std::string> out;
  for (const auto name : finding.detectors) {
    out.emplace_back(name);
    for (const auto& detector : report.detectors) {
      if (detector.name != name) continue;
      out.back() = detector.label;
      if (detector.votes > 1) out.back() += fmt::format(" ({})", detector.votes);
    }
  }
  if (out.empty()) return "a job's work rate alone tells";
  return fmt::format("{}", fmt::join(out, ", "));
}

// Who did it, who had to wait, how bad it was, and what came first.
std::string harm_text(const Report& report, const attribute::Finding& finding,
                      const text::Clock& clock) {
  auto sentences = harm_sentences(names_of(report), finding, clock);
  sentences.push_back(order_sentence(finding));
  for (auto& sentence : companion_sentences(names_of(report), finding)) {
    sentences.push_back(std::move(sentence));
  }
  sentences.push_back(incident_sentence(report, finding));
  std::string out;
  for (const auto& sentence : sentences) {
    if (!sentence.empty()) out += wrapped(text::inert(sentence));
  }
  return out;
}

}  // namespace

std::string expected_findings(double findings) {
  return findings < 0.001 ? "fewer than 0.001" : fmt::format("{:.2g}", findings);
}

std::string finding_text(const Report& report, std::size_t index, const text::Clock& clock,
                         const text::Palette& palette) {
  const auto& finding = report.findings[index];
  const auto begin = finding.begin_ns();
  const auto end = finding.end_ns();
  std::string out =
      fmt::format("\n{:>3}  {}  {}  {} to {} {} ({}, {})\n", index + 1,
                  palette.alarm(text::upper(model::heading_of(finding.subsystem()))),
                  attribute::word_of(attribute::seconds_of(finding.severity)), clock.time(begin),
                  clock.time(end), clock.name(), text::span_text(finding.length_ns()),
                  window_ids(finding) + (finding.at_start ? ", the start of the run" : ""));
  out += fmt::format("     {}.\n", palette.bold(text::inert(finding.claim)));
  out += harm_text(report, finding, clock);
  out += fmt::format("     {} of {}: {}.\n{}\n", finding.agreement,
                     text::plural(static_cast<std::size_t>(all_votes(report)), "vote"),
                     voters(report, finding), by_chance(finding));
  out += pattern_text(report, finding, palette);
  out += shares(finding, palette) + "\n";
  return out + evidence(report, finding, palette);
}

}  // namespace reveal::report

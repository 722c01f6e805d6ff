#include "report/explanation.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "attribute/claim.h"
#include "attribute/usual_values.h"
#include "feature/feature.h"
#include "report/explanation_steps.h"
#include "report/harm_sentences.h"
#include "report/report_clock.h"
#include "stats/quantile.h"
#include "text/time_text.h"

namespace reveal::report {
namespace {

constexpr std::size_t kPairs = 5;

const attribute::Finding& finding_of(const ExplanationInput& it) {
  return it.report.findings[it.finding];
}
const model::ChannelTable& channels_of(const ExplanationInput& it) {
  return *it.report.channel_table;
}
const feature::FeatureDescriptor& feature_of(const ExplanationInput& it) {
  return feature::descriptor(it.place.evidence.key.feature);
}
std::string channel_of(const ExplanationInput& it) {
  return channels_of(it).name(it.place.evidence.key.channel);
}

// Returns the rows of windows that are in no finding, no change, and nothing of low confidence.
std::vector<std::size_t> rows_outside(const report::Report& report) {
  std::set<window::WindowId> inside;
  for (const auto* list : {&report.findings, &report.changes, &report.low_confidence}) {
    for (const auto& finding : *list) {
      for (const auto& window : finding.windows) inside.insert(window.span.id);
    }
  }
  std::vector<std::size_t> out;
  for (std::size_t row = 0; row < report.windows.size(); ++row) {
    if (!inside.contains(report.windows[row].id)) out.push_back(row);
  }
  return out;
}

std::string unit_of(const ExplanationInput& it) {
  return attribute::evidence_unit(channels_of(it), it.place.evidence.key);
}

std::string heading(const ExplanationInput& it) {
  const auto& finding = finding_of(it);
  const auto& first = finding.windows.front().span;
  const auto& last = finding.windows.back().span;
  return fmt::format("Finding {} of {}: {}, {}, windows {} to {}\n  {}.\n", it.number, it.count,
                     model::heading_of(finding.subsystem()),
                     span_of(first.begin_ns, last.end_ns, clock_of(it.report)), first.id.value(),
                     last.id.value(), finding.claim);
}

std::string samples_step(const ExplanationInput& it) {
  const auto& span = it.report.windows[it.place.row];
  return fmt::format(
             "\n1  The samples of {}\n   in window {}, {}, the farthest from the usual; in {}\n",
             channel_of(it), span.id.value(),
             span_of(span.begin_ns, span.end_ns, clock_of(it.report)),
             channels_of(it).metric(it.place.evidence.key.channel).unit) +
         samples_text(it.samples);
}

std::string feature_step(const ExplanationInput& it) {
  const auto& evidence = it.place.evidence;
  return feature_text(evidence.key.feature, evidence.observed, unit_of(it), it.samples);
}

// Median and MAD are those of the evidence, from which the sentence was made.
std::string usual_step(const ExplanationInput& it) {
  const auto& evidence = it.place.evidence;
  const auto unit = unit_of(it);
  const auto usual =
      fmt::format("median {}, median absolute deviation {}", figure(evidence.baseline_median, unit),
                  figure(evidence.baseline_mad, unit));
  if (it.report.saved_baseline)
    return fmt::format("\n3  The usual value, in the saved baseline\n   {}\n", usual);
  const auto values = attribute::usual_values(it.matrix, it.place.column, rows_outside(it.report));
  std::string out = fmt::format(
      "\n3  The usual value, over the {} windows that are in no finding and no change\n   {}",
      values.size(), usual);
  if (!values.empty()) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    out += fmt::format(",\n   from {} to {}", figure(*low, unit), figure(*high, unit));
  }
  return out + "\n";
}

const attribute::FlaggedWindow& window_of(const ExplanationInput& it) {
  const auto& windows = finding_of(it).windows;
  const auto id = it.report.windows[it.place.row].id;
  return *std::find_if(windows.begin(), windows.end(),
                       [&](const auto& window) { return window.span.id == id; });
}

// How many windows on either side are judged together with one (docs/scores.md).
std::size_t neighbors_of(const report::Configuration& configuration) {
  const bool by_itself =
      configuration.compared_with == "rest" || configuration.compared_with == "run";
  const bool has_threshold = configuration.threshold.mode != detect::Threshold::Mode::kOff;
  if (!by_itself || !has_threshold) return 0;
  return static_cast<std::size_t>(configuration.window.length_ns / configuration.window.stride_ns);
}

double mean_around(const std::vector<double>& scores, std::size_t row, std::size_t neighbors) {
  const std::size_t first = row - std::min(row, neighbors);
  const std::size_t last = std::min(row + neighbors, scores.size() - 1);
  double sum = 0;
  for (std::size_t i = first; i <= last; ++i) sum += scores[i];
  return sum / static_cast<double>(last - first + 1);
}

std::string detectors_step(const ExplanationInput& it) {
  const auto& window = window_of(it);
  const std::size_t neighbors = neighbors_of(it.report.configuration);
  std::vector<DetectorWord> words;
  words.reserve(it.report.detectors.size());
  for (const auto& detector : it.report.detectors) {
    const bool flagged = detector.flagged[it.place.row];
    words.push_back(
        {.label = detector.label,
         .score = detector.scores[it.place.row],
         .mean = mean_around(detector.scores, it.place.row, neighbors),
         .limit = detector.limits[it.place.row],
         .usual = stats::median(detector.scores),
         .share = flagged ? share_text(share_in(window, detector.name, it.place.evidence.key))
                          : std::string("does not flag it")});
  }
  return fmt::format("\n4  The detectors, in window {}\n", window.span.id.value()) +
         detectors_text(words, 2 * neighbors + 1) +
         fmt::format("   {} of {} votes; {} make a finding, saturation has 2\n",
                     report::agreement(it.report, it.place.row), report::all_votes(it.report),
                     it.report.configuration.min_agreement);
}

std::string pair_line(const ExplanationInput& it, const attribute::Evidence& pair) {
  return pair_text({.channel = channels_of(it).name(pair.key.channel),
                    .feature = std::string(feature::descriptor(pair.key.feature).name),
                    .unit = attribute::evidence_unit(channels_of(it), pair.key),
                    .observed = pair.observed,
                    .usual = pair.baseline_median,
                    .contribution = pair.contribution});
}

std::string blame_step(const ExplanationInput& it) {
  const auto& finding = finding_of(it);
  std::string out = fmt::format(
      "\n5  The blame, over the finding's {} windows and the detectors that flag them\n   {}\n   "
      "its "
      "largest parts:\n",
      finding.windows.size(), shares_text(finding.subsystems));
  for (std::size_t i = 0; i < std::min(kPairs, finding.evidence.size()); ++i) {
    out += pair_line(it, finding.evidence[i]);
  }
  out +=
      fmt::format("   the sentence is about {}, the part of {} with the largest relative change:\n",
                  channel_of(it), model::to_string(finding.subsystem()));
  out += pair_line(it, it.place.evidence);
  for (const auto& sentence : companion_sentences(names_of(it.report), finding)) {
    out += fmt::format("   {}\n", sentence);
  }
  return out;
}

std::string check_step(const ExplanationInput& it) {
  const auto& span = it.report.windows[it.place.row];
  return fmt::format(
      "\nTo reproduce the figures\n"
      "   1     reveal export {0} --derived --channels '{1}' --from {2} --to {3}\n"
      "   2, 3  reveal features {0} --channels '{1}' --features '{4}' --window {5} --stride {6}\n"
      "   4     reveal scores {0}\n"
      "   5     reveal scores {0} --contributions\n"
      "docs/scores.md explains how each is computed.\n",
      it.directory, channel_of(it), text::iso_time(span.begin_ns), text::iso_time(span.end_ns),
      feature_of(it).name, it.report.configuration.window.ticks(),
      it.report.configuration.window.stride_ticks());
}

}  // namespace

base::Result<attribute::ClaimedPlace> claimed_place(const report::Report& report,
                                                    const feature::FeatureMatrix& matrix,
                                                    std::size_t finding) {
  if (finding >= report.findings.size()) {
    const std::size_t count = report.findings.size();
    return base::fail(base::ErrorKind::kUsage, fmt::format("there is no finding {}", finding + 1),
                      {},
                      count == 0 ? std::string("this run has no finding to explain")
                                 : fmt::format("give a number from 1 to {}", count));
  }
  const auto place = attribute::claimed_place(report.findings[finding], matrix);
  if (!place) {
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("no single metric stands out in finding {}", finding + 1), {},
                      "reveal scores DIR --contributions lists all metrics");
  }
  return *place;
}

std::string explanation(const ExplanationInput& it) {
  return heading(it) + samples_step(it) + feature_step(it) + usual_step(it) + detectors_step(it) +
         blame_step(it) + check_step(it);
}

}  // namespace reveal::report

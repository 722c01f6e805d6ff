#include "report/explanation_steps.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "model/metric.h"
#include "text/quantity.h"
#include "text/time_text.h"

namespace reveal::report {
namespace {

constexpr std::size_t kSamplesInLine = 5;

}  // namespace

std::optional<PairShare> share_in(const attribute::FlaggedWindow& window, std::string_view detector,
                                  const feature::FeatureKey& key) {
  for (const auto& one : window.detectors) {
    if (one.detector != detector || one.evidence.empty()) continue;
    for (const auto& pair : one.evidence) {
      if (pair.key == key) return PairShare{.value = pair.contribution};
    }
    return PairShare{.value = one.evidence.back().contribution, .at_most = true};
  }
  return std::nullopt;
}

std::string share_text(const std::optional<PairShare>& share) {
  if (!share) return "-";
  return fmt::format("{}{:.2f} %", share->at_most ? "at most " : "", 100 * share->value);
}

std::string span_of(std::int64_t begin_ns, std::int64_t end_ns, const text::Clock& clock) {
  return fmt::format("{} to {} {}", clock.time(begin_ns), clock.time(end_ns), clock.name());
}

std::string figure(double value, const std::string& unit) {
  if (unit.empty()) return fmt::format("{:.6g}", value);
  return fmt::format("{:.6g} ({})", value, text::format_quantity(value, unit));
}

std::string samples_text(const std::vector<double>& samples) {
  std::string out;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i % kSamplesInLine == 0) out += i == 0 ? "   " : "\n   ";
    out += std::isnan(samples[i]) ? std::string("  -") : fmt::format("  {:.6g}", samples[i]);
  }
  const bool gaps =
      std::any_of(samples.begin(), samples.end(), [](double sample) { return std::isnan(sample); });
  return out + (gaps ? "\n   -: a tick without a new sample\n" : "\n");
}

// A feature that looks back also needs the samples of the window before, which are not shown.
std::string feature_text(feature::FeatureId feature, double observed, const std::string& unit,
                         const std::vector<double>& samples) {
  const auto& row = feature::descriptor(feature);
  std::string out = fmt::format("\n2  The feature {}\n   {}\n   of this window: {}\n", row.name,
                                row.help, figure(observed, unit));
  std::vector<double> values;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(values),
               [](double sample) { return std::isfinite(sample); });
  if (row.looks_back || values.empty()) return out;
  return out + fmt::format("   of the samples above: {}\n",
                           figure(feature::compute(feature, values), unit));
}

std::string detectors_text(const std::vector<DetectorWord>& words, std::size_t mean_of) {
  const bool has_mean =
      std::any_of(words.begin(), words.end(), [](const auto& word) { return word.mean; });
  const auto mean_heading =
      has_mean ? fmt::format("{:>14}", fmt::format("mean of {}", mean_of)) : std::string();
  std::string out = fmt::format("   {:18}{:>10}{}{:>13}{:>16}  {}\n", "", "score", mean_heading,
                                "alarm above", "usual score", "share of this pair in its rise");
  for (const auto& word : words) {
    const auto mean = word.mean ? fmt::format("{:>14.4g}", *word.mean) : std::string();
    out += fmt::format("   {:18}{:>10.4g}{}{:>13.4g}{:>16.4g}  {}\n", word.label, word.score, mean,
                       word.limit, word.usual, word.share);
  }
  return out;
}

std::string shares_text(const attribute::SubsystemShares& shares) {
  std::string out;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] <= 0) continue;
    out += fmt::format("{}{} {:.1f} %", out.empty() ? "" : " ",
                       model::to_string(static_cast<model::Subsystem>(i)), 100 * shares[i]);
  }
  return out;
}

std::string pair_text(const ExplainedPair& pair) {
  return fmt::format("   {:6.2f} %  {}, {}: {} (usually {})\n", 100 * pair.contribution,
                     pair.channel, pair.feature, text::format_quantity(pair.observed, pair.unit),
                     text::format_quantity(pair.usual, pair.unit));
}

}  // namespace reveal::report

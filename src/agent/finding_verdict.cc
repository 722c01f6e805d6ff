#include "agent/finding_verdict.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "agent/checked_json.h"
#include "attribute/claim.h"
#include "attribute/claimed_place.h"
#include "base/whole_file.h"
#include "feature/feature.h"
#include "window/window_view.h"

namespace reveal::agent {
namespace {

using base::Result;
using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "reveal.verdict";
constexpr int kSchemaVersion = 1;
constexpr std::size_t kLargest = 5;
constexpr std::size_t kMostBytes = std::size_t{256} << 10;

report::ExplainedPair pair_of(const model::ChannelTable& channels,
                              const attribute::Evidence& evidence) {
  return {.channel = channels.name(evidence.key.channel),
          .feature = std::string(feature::descriptor(evidence.key.feature).name),
          .unit = attribute::evidence_unit(channels, evidence.key),
          .observed = evidence.observed,
          .usual = evidence.baseline_median,
          .contribution = evidence.contribution};
}

const live::JudgedWindow* judged_window(const live::History& history, window::WindowId id) {
  const auto found = std::find_if(history.windows.rbegin(), history.windows.rend(),
                                  [&](const auto& window) { return window.span.id == id; });
  return found == history.windows.rend() ? nullptr : &*found;
}

const attribute::FlaggedWindow* flagged_window(const attribute::Finding& finding,
                                               window::WindowId id) {
  const auto found = std::find_if(finding.windows.begin(), finding.windows.end(),
                                  [&](const auto& window) { return window.span.id == id; });
  return found == finding.windows.end() ? nullptr : &*found;
}

void set_window(const window::WindowSpan& span, const live::Yardstick& by, FindingVerdict& out) {
  out.window = span.id.value();
  out.begin_ns = span.begin_ns;
  out.end_ns = span.end_ns;
  out.first_sequence = span.first_sequence;
  out.ticks = by.windows.ticks();
  out.stride_ticks = by.windows.stride_ticks();
  out.baseline_begin_ns = by.begin_ns;
  out.baseline_end_ns = by.end_ns;
  out.baseline_windows = by.window_count;
  out.is_saved_baseline = by.is_saved;
  out.is_earlier_run = by.is_earlier;
  out.min_agreement = by.min_agreement;
}

void set_detectors(const live::WindowWords& words, const attribute::FlaggedWindow& window,
                   const feature::FeatureKey& key, FindingVerdict& out) {
  for (std::size_t i = 0; i < words.by->detectors.size(); ++i) {
    const auto& one = words.by->detectors[i];
    out.detectors.push_back({.name = one.name,
                             .label = one.label,
                             .votes = one.votes,
                             .flagged = words.flagged[i],
                             .score = words.scores[i],
                             .limit = one.limit,
                             .usual_score = one.usual_score,
                             .share = report::share_in(window, one.name, key)});
  }
}

Json json_of(const report::ExplainedPair& pair) {
  return {{"channel", pair.channel}, {"feature", pair.feature},
          {"unit", pair.unit},       {"observed", pair.observed},
          {"usual", pair.usual},     {"contribution", pair.contribution}};
}

Json json_of(const FindingVerdict::Detector& one) {
  Json out = {{"name", one.name},
              {"label", one.label},
              {"votes", one.votes},
              {"flagged", one.flagged},
              {"score", one.score},
              {"limit", one.limit},
              {"usual_score", one.usual_score}};
  if (one.share) {
    out["share"] = one.share->value;
    out["share_is_at_most"] = one.share->at_most;
  }
  return out;
}

Json json_of(const attribute::SubsystemShares& shares) {
  Json out = Json::object();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    out[std::string(model::to_string(static_cast<model::Subsystem>(i)))] = shares[i];
  }
  return out;
}

// What follows throws what nlohmann does, if a member is absent or has another type.

template <typename Value>
void take(const Json& in, const char* key, Value& out) {
  out = in.at(key).get<Value>();
}

// What JSON has no number for was written as null.
void take(const Json& in, const char* key, double& out) {
  const auto& number = in.at(key);
  out = number.is_null() ? std::numeric_limits<double>::quiet_NaN() : number.get<double>();
}

report::ExplainedPair pair_of(const Json& in) {
  report::ExplainedPair out;
  take(in, "channel", out.channel);
  take(in, "feature", out.feature);
  take(in, "unit", out.unit);
  take(in, "observed", out.observed);
  take(in, "usual", out.usual);
  take(in, "contribution", out.contribution);
  return out;
}

FindingVerdict::Detector detector_of(const Json& in) {
  FindingVerdict::Detector out;
  take(in, "name", out.name);
  take(in, "label", out.label);
  take(in, "votes", out.votes);
  take(in, "flagged", out.flagged);
  take(in, "score", out.score);
  take(in, "limit", out.limit);
  take(in, "usual_score", out.usual_score);
  if (!in.contains("share")) return out;
  out.share.emplace();
  take(in, "share", out.share->value);
  take(in, "share_is_at_most", out.share->at_most);
  return out;
}

void take_window(const Json& in, FindingVerdict& out) {
  take(in, "id", out.window);
  take(in, "begin_ns", out.begin_ns);
  take(in, "end_ns", out.end_ns);
  take(in, "first_sequence", out.first_sequence);
  take(in, "ticks", out.ticks);
  take(in, "stride_ticks", out.stride_ticks);
}

void take_baseline(const Json& in, FindingVerdict& out) {
  take(in, "begin_ns", out.baseline_begin_ns);
  take(in, "end_ns", out.baseline_end_ns);
  take(in, "windows", out.baseline_windows);
  take(in, "saved", out.is_saved_baseline);
  // An older file does not have it.
  if (in.contains("earlier_run")) take(in, "earlier_run", out.is_earlier_run);
}

FindingVerdict verdict_in(const Json& in) {
  FindingVerdict out;
  take_window(in.at("window"), out);
  out.claim = pair_of(in.at("claim"));
  take(in, "channel_unit", out.channel_unit);
  take(in, "mad", out.mad);
  take_baseline(in.at("baseline"), out);
  take(in, "min_agreement", out.min_agreement);
  for (const auto& one : in.at("detectors")) out.detectors.push_back(detector_of(one));
  take(in, "windows", out.windows);
  for (std::size_t i = 0; i < out.shares.size(); ++i) {
    const std::string word(model::to_string(static_cast<model::Subsystem>(i)));
    const auto& shares = in.at("subsystem_shares");
    // An older file has no share of what is not known.
    const bool may_lack = i == static_cast<std::size_t>(model::Subsystem::kUnknown);
    if (!may_lack || shares.contains(word)) take(shares, word.c_str(), out.shares[i]);
  }
  for (const auto& one : in.at("largest")) out.largest.push_back(pair_of(one));
  return out;
}

// What the samples are read by: a window that nobody has would be read for ever.
bool is_sound(const FindingVerdict& verdict) {
  return verdict.begin_ns < verdict.end_ns && verdict.ticks > 0 &&
         verdict.ticks <= window::WindowSpec::kMaxTicks && verdict.stride_ticks > 0 &&
         verdict.stride_ticks <= verdict.ticks &&
         feature::find_feature(verdict.claim.feature).has_value();
}

}  // namespace

std::optional<FindingVerdict> verdict_of(const live::History& history,
                                         const attribute::Finding& finding) {
  const auto place = attribute::claimed_place(finding, *history.features);
  if (!place) return std::nullopt;
  const auto& telling = place->evidence;
  const auto& span = history.features->window(place->row);
  const auto* judged = judged_window(history, span.id);
  const auto* flagged = flagged_window(finding, span.id);
  if (judged == nullptr || judged->words == nullptr || flagged == nullptr) return std::nullopt;
  FindingVerdict out;
  set_window(span, *judged->words->by, out);
  out.claim = pair_of(*history.channels, telling);
  out.channel_unit = history.channels->metric(telling.key.channel).unit;
  out.mad = telling.baseline_mad;
  set_detectors(*judged->words, *flagged, telling.key, out);
  out.windows = finding.windows.size();
  out.shares = finding.subsystems;
  for (std::size_t i = 0; i < std::min(kLargest, finding.evidence.size()); ++i) {
    out.largest.push_back(pair_of(*history.channels, finding.evidence[i]));
  }
  return out;
}

std::string to_json(const FindingVerdict& verdict) {
  Json detectors = Json::array();
  for (const auto& one : verdict.detectors) detectors.push_back(json_of(one));
  Json largest = Json::array();
  for (const auto& one : verdict.largest) largest.push_back(json_of(one));
  const Json out = {{"schema", kSchema},
                    {"schema_version", kSchemaVersion},
                    {"window",
                     {{"id", verdict.window},
                      {"begin_ns", verdict.begin_ns},
                      {"end_ns", verdict.end_ns},
                      {"first_sequence", verdict.first_sequence},
                      {"ticks", verdict.ticks},
                      {"stride_ticks", verdict.stride_ticks}}},
                    {"claim", json_of(verdict.claim)},
                    {"channel_unit", verdict.channel_unit},
                    {"mad", verdict.mad},
                    {"baseline",
                     {{"begin_ns", verdict.baseline_begin_ns},
                      {"end_ns", verdict.baseline_end_ns},
                      {"windows", verdict.baseline_windows},
                      {"saved", verdict.is_saved_baseline},
                      {"earlier_run", verdict.is_earlier_run}}},
                    {"min_agreement", verdict.min_agreement},
                    {"detectors", std::move(detectors)},
                    {"windows", verdict.windows},
                    {"subsystem_shares", json_of(verdict.shares)},
                    {"largest", std::move(largest)}};
  return with_checksum(out.dump(2, ' ', false, Json::error_handler_t::replace));
}

Result<FindingVerdict> load_verdict(const std::filesystem::path& file) {
  auto whole = base::read_whole_file(file, "verdict", kMostBytes);
  if (!whole) return base::pass(whole);
  const auto text = without_checksum(*std::move(whole), file);
  if (!text) return base::pass(text);
  std::string why = "it names a window or a feature that cannot be";
  try {
    const auto json = Json::parse(*text);
    if (json.at("schema") != kSchema || json.at("schema_version") != kSchemaVersion) {
      why = "it has another schema version";
    } else if (auto out = verdict_in(json); is_sound(out)) {
      return out;
    }
  } catch (const Json::exception& error) {
    why = error.what();
  }
  return base::fail(base::ErrorKind::kCorrupt,
                    fmt::format("is not the verdict on a finding: {}", why), file.string());
}

}  // namespace reveal::agent

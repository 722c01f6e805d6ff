#include "report/json.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "attribute/claim.h"
#include "feature/feature.h"
#include "report/json_parts.h"

namespace reveal::report {
namespace {

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number(std::optional<double> value) {
  return value ? number(*value) : Json(nullptr);
}

Json host(const model::RunFacts& facts) {
  return {{"name", facts.host},
          {"kernel", facts.kernel},
          {"machine", facts.machine},
          {"boot_id", facts.boot_id},
          {"cpus_online", facts.cpus_online}};
}

Json not_seen(const model::RunFacts& facts) {
  Json out = Json::array();
  for (const auto& item : facts.unseen) {
    out.push_back({{"source", item.source},
                   {"reason", item.reason},
                   {"remedy", item.remedy},
                   {"metrics", item.metrics}});
  }
  return out;
}

Json run(const Report& report) {
  return {{"begin", time(report.begin_ns)},
          {"end", time(report.end_ns)},
          {"length_ns", report.length_ns},
          {"command", report.facts.command},
          {"recorded_by", "reveal " + report.facts.reveal_version},
          {"interval_ns", report.facts.interval_ns},
          {"frames", report.frames},
          {"ticks_missed",
           {{"late", report.missed.late},
            {"storage", report.missed.storage},
            {"damage", report.missed.damage}}},
          {"not_seen", not_seen(report.facts)}};
}

Json threshold(std::optional<double> multiplier) {
  if (!multiplier) return "auto";
  return *multiplier < 0 ? Json("off") : Json(*multiplier);
}

Json configuration(const Configuration& configuration) {
  return {{"method", configuration.method},
          {"window_ns", configuration.window.length_ns},
          {"stride_ns", configuration.window.stride_ns},
          {"baseline", configuration.baseline},
          {"contamination", configuration.contamination},
          {"threshold", threshold(configuration.threshold)},
          {"min_agreement", configuration.min_agreement},
          {"false_alarms_per_day", number(configuration.false_alarms_per_day)},
          {"warm_up_windows", configuration.warm_up},
          {"seed", configuration.seed},
          {"selection", configuration.selection},
          {"features", configuration.features}};
}

Json saved_baseline(const SavedBaseline& saved) {
  return {{"host", saved.host},
          {"command", saved.command},
          {"begin", time(saved.begin_ns)},
          {"end", time(saved.end_ns)},
          {"runs", saved.runs},
          {"windows", saved.windows},
          {"absent_channels", saved.absent},
          {"unknown_channels", saved.unknown_channels}};
}

Json analysed(const Report& report) {
  return {{"windows", report.windows.size()},
          {"windows_skipped", report.windows_skipped},
          {"channels_recorded", report.channels.recorded},
          {"channels_derived", report.channels.derived},
          {"channels_constant", report.channels.constant},
          {"channels_redundant", report.channels.redundant},
          {"channels_analysed", report.channels.analysed},
          {"columns", report.live_columns},
          {"findings_by_chance", number(report.by_chance)}};
}

Json detectors(const Report& report) {
  Json out = Json::array();
  for (const auto& detector : report.detectors) {
    Json scores = Json::array();
    for (const double score : detector.scores) scores.push_back(number(score));
    Json flagged = Json::array();
    for (std::size_t row = 0; row < detector.flagged.size(); ++row) {
      if (detector.flagged[row]) flagged.push_back(report.windows[row].id.value());
    }
    out.push_back({{"name", detector.name},
                   {"label", detector.label},
                   {"votes", detector.votes},
                   {"contamination_limit", number(detector.contamination_limit)},
                   {"alarm_limit", number(detector.alarm_limit)},
                   {"windows_flagged", flagged},
                   {"scores", scores}});
  }
  return out;
}

Json evidence(const Report& report, const std::vector<attribute::Evidence>& items) {
  const auto& table = *report.channel_table;
  Json out = Json::array();
  for (const auto& item : items) {
    const auto& metric = table.metric(item.key.channel);
    const auto partner = report.moves_with[item.key.channel.index()];
    out.push_back({{"channel", table.name(item.key.channel)},
                   {"feature", feature::descriptor(item.key.feature).name},
                   {"subsystem", model::to_string(metric.subsystem)},
                   {"alias", metric.alias},
                   {"unit", attribute::evidence_unit(table, item.key)},
                   {"observed", number(item.observed)},
                   {"baseline_median", number(item.baseline_median)},
                   {"baseline_mad", number(item.baseline_mad)},
                   {"contribution", number(item.contribution)},
                   {"moves_with", table.name(partner)}});
  }
  return out;
}

Json flagged_windows(const Report& report, const attribute::Finding& finding) {
  Json out = Json::array();
  for (const auto& window : finding.windows) {
    Json by_detector = Json::array();
    for (const auto& detector : window.detectors) {
      by_detector.push_back({{"name", detector.detector},
                             {"score", number(detector.score)},
                             {"evidence", evidence(report, detector.evidence)}});
    }
    out.push_back({{"id", window.span.id.value()},
                   {"begin", time(window.span.begin_ns)},
                   {"end", time(window.span.end_ns)},
                   {"detectors", by_detector}});
  }
  return out;
}

std::string claim_channel(const Report& report, const attribute::Finding& finding) {
  return finding.telling ? report.channel_table->name(finding.telling->key.channel) : std::string();
}

Json signs(const Report& report, const std::vector<attribute::SignSeen>& seen) {
  Json out = Json::array();
  for (const auto& sign : seen) {
    out.push_back({{"channel", report.channel_table->name(sign.channel)},
                   {"observed", number(sign.observed)},
                   {"usual", number(sign.usual)}});
  }
  return out;
}

Json patterns(const Report& report, const attribute::Finding& finding) {
  Json out = Json::array();
  for (const auto& one : finding.patterns) {
    Json pattern = described(*one.pattern);
    pattern["signs"] = signs(report, one.signs);
    pattern["against"] = signs(report, one.against);
    out.push_back(std::move(pattern));
  }
  return out;
}

Json findings(const Report& report, const std::vector<attribute::Finding>& list) {
  Json out = Json::array();
  for (const auto& finding : list) {
    Json shares = Json::object();
    for (std::size_t i = 0; i < finding.subsystems.size(); ++i) {
      shares[std::string(model::to_string(static_cast<model::Subsystem>(i)))] =
          finding.subsystems[i];
    }
    out.push_back({{"claim", finding.claim},
                   {"claim_channel", claim_channel(report, finding)},
                   {"subsystem", model::to_string(finding.subsystem())},
                   {"subsystem_shares", shares},
                   {"begin", time(finding.windows.front().span.begin_ns)},
                   {"end", time(finding.windows.back().span.end_ns)},
                   {"at_start", finding.at_start},
                   {"first_window", finding.windows.front().span.id.value()},
                   {"last_window", finding.windows.back().span.id.value()},
                   {"patterns", patterns(report, finding)},
                   {"detectors", finding.detectors},
                   {"agreement", finding.agreement},
                   {"severity", number(finding.severity)},
                   {"by_chance", number(finding.by_chance)},
                   {"evidence", evidence(report, finding.evidence)},
                   {"windows", flagged_windows(report, finding)}});
  }
  return out;
}

Json windows(const Report& report) {
  Json ids = Json::array();
  Json begins = Json::array();
  for (const auto& window : report.windows) {
    ids.push_back(window.id.value());
    begins.push_back(window.begin_ns);
  }
  return {{"id", ids}, {"begin_ns", begins}};
}

Json static_facts(const Report& report) {
  Json out = Json::array();
  for (const auto& fact : report.static_facts) {
    out.push_back({{"channel", fact.channel}, {"unit", fact.unit}, {"value", number(fact.value)}});
  }
  return out;
}

Json notes(const Report& report) {
  Json out = Json::array();
  for (const auto& [wall_ns, note] : report.notes) {
    out.push_back({{"time", time(wall_ns)},
                   {"kind", note.kind == model::Note::Kind::kFact ? "fact" : "event"},
                   {"source", note.source},
                   {"subject", note.subject},
                   {"text", note.text}});
  }
  return out;
}

Json cost(const Cost& cost) {
  return {{"cpu_seconds", cost.cpu_seconds},
          {"wall_seconds", cost.wall_seconds},
          {"max_rss_bytes", cost.max_rss_bytes},
          {"bytes_written", cost.bytes_written}};
}

}  // namespace

std::string to_json(const Report& report) {
  Json out = {{"schema", "reveal.report"},
              {"schema_version", kSchemaVersion},
              {"host", host(report.facts)},
              {"run", run(report)},
              {"configuration", configuration(report.configuration)},
              {"analysed", analysed(report)},
              {"findings", findings(report, report.findings)},
              {"changes", findings(report, report.changes)},
              {"faint", findings(report, report.faint)},
              {"detectors", detectors(report)},
              {"windows", windows(report)},
              {"static_facts", static_facts(report)},
              {"notes", notes(report)},
              {"notes_left_out", report.notes_left_out},
              {"cost", cost(report.cost)}};
  if (report.saved_baseline) out["saved_baseline"] = saved_baseline(*report.saved_baseline);
  // Host names, paths and commands need not be UTF-8; such bytes become U+FFFD.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace reveal::report

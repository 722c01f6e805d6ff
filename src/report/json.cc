#include "report/json.h"

#include <cmath>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "report/finding_fields.h"
#include "report/json_parts.h"
#include "settings/setting.h"

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

// The value of a setting.
struct JsonValue {
  template <typename Value>
  Json operator()(const Value* value) const {
    return *value;
  }
  Json operator()(const std::optional<double>* value) const { return number(*value); }
  Json operator()(const std::optional<window::Length>* length) const {
    return *length ? Json((*length)->amount) : Json();
  }
  Json operator()(const detect::Threshold* threshold) const {
    const bool fixed = threshold->mode == detect::Threshold::Mode::kFixed;
    return fixed ? Json(threshold->sigmas) : Json(detect::to_string(*threshold));
  }
  Json operator()(const settings::FreeSpace* space) const { return settings::to_string(*space); }
};

Json saved_baseline(const SavedBaseline& saved) {
  return {{"host", saved.host},
          {"command", saved.command},
          {"begin", time(saved.begin_ns)},
          {"end", time(saved.end_ns)},
          {"runs", saved.runs},
          {"windows", saved.windows},
          {"absent_channels", saved.absent},
          {"unknown_channels", saved.unknown_channels},
          {"accepted_findings", saved.accepted_findings},
          {"made_of_this_run", saved.made_of_this}};
}

Json analyzed(const Report& report) {
  return {{"windows", report.windows.size()},
          {"windows_skipped", report.windows_skipped},
          {"parts", report.parts},
          {"channels_recorded", report.channels.recorded},
          {"channels_derived", report.channels.derived},
          {"channels_constant", report.channels.constant},
          {"channels_redundant", report.channels.redundant},
          {"channels_analyzed", report.channels.analyzed},
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

struct JsonOfValue {
  Json operator()(std::monostate /*none*/) const { return nullptr; }
  Json operator()(bool value) const { return value; }
  Json operator()(std::uint64_t value) const { return value; }
  Json operator()(double value) const { return number(value); }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const Texts& value) const { return value; }
  Json operator()(WallTime value) const { return time(value.ns); }
  Json operator()(const attribute::SubsystemShares& value) const {
    Json out = Json::object();
    for (std::size_t i = 0; i < value.size(); ++i) {
      out[std::string(model::to_string(static_cast<model::Subsystem>(i)))] = value[i];
    }
    return out;
  }
};

// Returns the fields as JSON has them, in the order of the registry.
template <typename Subject>
Json fields_of(std::span<const Field<Subject>> fields, const Subject& subject) {
  Json out = Json::object();
  for (const auto& field : fields) {
    if (field.written == Written::kInTables) continue;
    out[std::string(field.name)] = std::visit(JsonOfValue(), field.get(subject));
  }
  return out;
}

Json evidence(const Report& report, const std::vector<attribute::Evidence>& items) {
  Json out = Json::array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    out.push_back(fields_of(evidence_fields(), EvidenceAt{report, items[i], i + 1}));
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

Json signs(const Report& report, const std::vector<attribute::SignSeen>& seen) {
  Json out = Json::array();
  for (const auto& sign : seen) {
    out.push_back({{"channel", report.channel_table->name(sign.channel)},
                   {"observed", number(sign.observed)},
                   {"usual", number(sign.usual)}});
  }
  return out;
}

Json onsets(const attribute::Finding& finding) {
  Json out = Json::array();
  for (const auto& one : finding.onsets) {
    out.push_back({{"subsystem", model::to_string(one.subsystem)},
                   {"time", time(one.edge.at_ns)},
                   {"error_seconds", static_cast<double>(one.edge.error_ns) / 1e9}});
  }
  return out;
}

Json companions(const Report& report, const attribute::Finding& finding) {
  const auto& table = *report.channel_table;
  Json out = Json::array();
  for (const auto& one : finding.companions) {
    out.push_back({{"channel", table.name(one.channel)},
                   {"subsystem", model::to_string(table.metric(one.channel).subsystem)},
                   {"moved_with", table.name(one.leader)},
                   {"correlation", number(one.correlation)},
                   {"usual_correlation", number(one.usual_correlation)},
                   {"lag_seconds", static_cast<double>(one.lag_ns) / 1e9},
                   {"observed", number(one.observed)},
                   {"usual", number(one.usual)}});
  }
  return out;
}

Json patterns(const Report& report, const attribute::Finding& finding) {
  Json out = Json::array();
  for (const auto& one : finding.patterns) {
    Json pattern = described(*one.pattern);
    pattern["signs"] = signs(report, one.signs);
    pattern["against"] = signs(report, one.against);
    pattern["beside"] = one.beside;
    out.push_back(std::move(pattern));
  }
  return out;
}

// Nested values come after the fields. Patterns replace the field of that name, which has only
// their names.
Json finding_at(const FindingAt& at) {
  Json out = fields_of(finding_fields(), at);
  out["patterns"] = patterns(at.report, at.finding);
  out["onsets"] = onsets(at.finding);
  out["companions"] = companions(at.report, at.finding);
  out["evidence"] = evidence(at.report, at.finding.evidence);
  return out;
}

Json findings(const Report& report, const std::vector<attribute::Finding>& list) {
  Json out = Json::array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    Json finding = finding_at({report, list[i], i + 1});
    finding["windows"] = flagged_windows(report, list[i]);
    out.push_back(std::move(finding));
  }
  return out;
}

// A job's rate: by second if it is known, else why it is not.
Json work_of(const Report& report, const work::JobRate& job) {
  if (!job.is_known()) return {{"job", job.job}, {"not_known", job.not_known}};
  Json members = Json::array();
  for (const auto channel : job.members) members.push_back(report.channel_table->name(channel));
  Json rates = Json::array();
  for (const double rate : job.rate) rates.push_back(number(rate));
  return {{"job", job.job},
          {"kind", work::to_string(job.kind)},
          {"block_error", number(job.block_error)},
          {"bias_error", number(job.bias_error)},
          {"period_seconds", number(job.period_s)},
          {"channels", members},
          {"begin_ns", job.begin_ns},
          {"rate", rates}};
}

Json not_judged(const Report& report) {
  Json out = Json::array();
  for (const auto& one : report.not_judged) {
    out.push_back({{"begin", time(one.begin_ns)},
                   {"end", time(one.end_ns)},
                   {"why", one.why == WhyNotJudged::kGap ? "gap" : "jobs"}});
  }
  return out;
}

Json work(const Report& report) {
  Json out = Json::array();
  for (const auto& job : report.jobs) out.push_back(work_of(report, job));
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

Json configuration_json(const Configuration& configuration) {
  settings::Settings all;
  all.analysis = static_cast<const settings::AnalysisSettings&>(configuration);
  Json out = Json::object();
  for (const auto& setting : settings::settings_of("analysis")) {
    if (setting.json.empty()) continue;
    out[std::string(setting.json)] =
        std::visit([](const auto* value) { return JsonValue{}(value); }, setting.slot(all));
  }
  return out;
}

std::string finding_json(const Report& report, const attribute::Finding& finding) {
  std::size_t place = 1;
  for (const auto& one : report.findings) {
    if (&one == &finding) break;
    ++place;
  }
  const auto out = finding_at({report, finding, place});
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_json(const Report& report) {
  Json out = {{"schema", "reveal.report"},
              {"schema_version", kSchemaVersion},
              {"host", host(report.facts)},
              {"run", run(report)},
              {"configuration", configuration_json(report.configuration)},
              {"analyzed", analyzed(report)}};
  for (const auto& list : finding_lists()) {
    out[std::string(list.name)] = findings(report, list.get(report));
  }
  out["not_judged"] = not_judged(report);
  out["work"] = work(report);
  out["detectors"] = detectors(report);
  out["windows"] = windows(report);
  out["static_facts"] = static_facts(report);
  out["notes"] = notes(report);
  out["notes_left_out"] = report.notes_left_out;
  out["cost"] = cost(report.cost);
  if (report.saved_baseline) out["saved_baseline"] = saved_baseline(*report.saved_baseline);
  // Host names, paths and commands need not be UTF-8; such bytes become U+FFFD.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace reveal::report

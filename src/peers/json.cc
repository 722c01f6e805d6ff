#include "peers/json.h"

#include <nlohmann/json.hpp>

#include "peers/job_name.h"
#include "text/time_text.h"

namespace reveal::peers {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "reveal.incident";
constexpr int kSchemaVersion = 1;

Json time_json(std::int64_t wall_ns) {
  return {{"ns", wall_ns}, {"utc", text::iso_time(wall_ns)}};
}

Json job_json(const std::string& group) {
  const auto job = job_of_group(group);
  if (!job) return {};
  return {{"kind", job->kind},
          {"id", job->id},
          {"cluster", job->cluster.empty() ? Json() : Json(job->cluster)}};
}

Json evidence_json(const Evidence& evidence) {
  const auto& quantity = evidence.quantity;
  return {{"channel", quantity.channel()},
          {"metric", quantity.metric},
          {"of", fleet::to_string(quantity.fold)},
          {"label", quantity.label},
          {"subsystem", model::to_string(quantity.subsystem)},
          {"unit", quantity.unit},
          {"observed", evidence.observed},
          {"usual", evidence.usual},
          {"rise", evidence.rise},
          {"limit", evidence.limit},
          {"least_rise", evidence.least_rise}};
}

Json fact_json(const UnlikeFact& fact) {
  return {{"subject", fact.subject}, {"observed", fact.observed}, {"usual", fact.usual}};
}

template <typename Item>
Json list(const std::vector<Item>& items, Json (*json_of_one)(const Item&)) {
  Json out = Json::array();
  for (const auto& one : items) out.push_back(json_of_one(one));
  return out;
}

Json host_json(const SlowHost& host) {
  return {{"id", host.id},
          {"name", host.name},
          {"part", to_string(host.part)},
          {"onset", time_json(host.onset_ns)},
          {"onset_error_ns", host.error_ns},
          {"slow_until", time_json(host.last_ns)},
          {"recovered", host.has_recovered()},
          {"finding", host.finding.empty() ? Json() : Json(host.finding)},
          {"pattern", host.pattern.empty() ? Json() : Json(host.pattern)},
          {"evidence", list(host.evidence, evidence_json)},
          {"facts", list(host.facts, fact_json)}};
}

Json known_as_json(const Incident& incident) {
  if (!incident.known_as) return {};
  const auto& name = *incident.known_as;
  return {{"since", time_json(name.since_ns)},
          {"scope", name.scope},
          {"host", name.host.empty() ? Json() : Json(name.host)},
          {"subsystem", name.subsystem},
          {"pattern", name.pattern.empty() ? Json() : Json(name.pattern)}};
}

}  // namespace

std::string json_of(const News& news) {
  const auto& incident = news.incident;
  const auto* host = incident.main_host();
  const auto* evidence = incident.main_evidence();
  const bool is_named = host != nullptr && host->part == Part::kCause;
  const Json out = {
      {"schema", kSchema},
      {"schema_version", kSchemaVersion},
      {"told", to_string(news.told)},
      {"id", incident.id},
      {"group", incident.group},
      {"job", job_json(incident.group)},
      {"revision", incident.revision},
      {"open", incident.is_open},
      {"of_all", incident.is_of_all},
      {"onset", time_json(incident.onset_ns)},
      {"end", time_json(incident.end_ns)},
      {"group_size", incident.group_size},
      {"lease", news.lease == 0 ? Json() : Json(news.lease)},
      {"cause", is_named ? Json(host->name) : Json()},
      {"subsystem",
       evidence == nullptr ? Json() : Json(model::to_string(evidence->quantity.subsystem))},
      {"sentence", sentence(incident)},
      {"hosts", list(incident.hosts, host_json)},
      {"evidence", list(incident.evidence, evidence_json)},
      {"alert", known_as_json(incident)}};
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace reveal::peers

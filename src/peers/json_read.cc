// An incident as json_of() wrote it.
#include <array>
#include <string>

#include <nlohmann/json.hpp>

#include "peers/json.h"

namespace reveal::peers {
namespace {

using ReadJson = nlohmann::json;

constexpr std::array kParts{Part::kCause, Part::kVictim, Part::kSlow, Part::kPair};
constexpr std::array kFolds{fleet::Fold::kNone, fleet::Fold::kMeanOfCores,
                            fleet::Fold::kHighestCore, fleet::Fold::kSum, fleet::Fold::kMean};

// Returns that one of `all` whose word it is; the first if it is none's.
template <typename Word, std::size_t Count>
Word word_of(const std::array<Word, Count>& all, const std::string& text) {
  for (const auto one : all) {
    if (to_string(one) == text) return one;
  }
  return all.front();
}

std::string text_of(const ReadJson& json) {
  return json.is_string() ? json.get<std::string>() : std::string();
}

Evidence evidence_of(const ReadJson& json) {
  Evidence out;
  auto& quantity = out.quantity;
  quantity.metric = json.at("metric").get<std::string>();
  const auto channel = json.at("channel").get<std::string>();
  // "metric{instance}"
  if (channel.size() > quantity.metric.size() + 2) {
    quantity.instance =
        channel.substr(quantity.metric.size() + 1, channel.size() - quantity.metric.size() - 2);
  }
  quantity.fold = word_of(kFolds, json.at("of").get<std::string>());
  quantity.label = json.at("label").get<std::string>();
  quantity.unit = json.at("unit").get<std::string>();
  quantity.subsystem = model::Subsystem::kUnknown;  // the word of a later version
  model::from_string(json.at("subsystem").get<std::string>(), quantity.subsystem);
  out.observed = json.at("observed").get<double>();
  out.usual = json.at("usual").get<double>();
  out.rise = json.at("rise").get<double>();
  out.limit = json.at("limit").get<double>();
  out.least_rise = json.at("least_rise").get<double>();
  return out;
}

std::vector<Evidence> all_evidence_of(const ReadJson& json) {
  std::vector<Evidence> out;
  for (const auto& one : json) {
    if (out.size() < kMaxEvidence) out.push_back(evidence_of(one));
  }
  return out;
}

SlowHost host_of(const ReadJson& json) {
  SlowHost out;
  out.id = json.at("id").get<std::string>();
  out.name = json.at("name").get<std::string>();
  out.part = word_of(kParts, json.at("part").get<std::string>());
  out.onset_ns = json.at("onset").at("ns").get<std::int64_t>();
  out.error_ns = json.at("onset_error_ns").get<std::int64_t>();
  out.last_ns = json.at("slow_until").at("ns").get<std::int64_t>();
  out.calm_s = json.value("recovered", false) ? kCalm_s : 0;
  out.finding = text_of(json.at("finding"));
  if (json.contains("pattern")) out.pattern = text_of(json.at("pattern"));
  out.has_own_cause = out.part == Part::kCause && !out.finding.empty();
  out.evidence = all_evidence_of(json.at("evidence"));
  for (const auto& fact : json.at("facts")) {
    out.facts.push_back({fact.at("subject").get<std::string>(),
                         fact.at("observed").get<std::string>(),
                         fact.at("usual").get<std::string>()});
  }
  return out;
}

KnownAs known_as_of(const ReadJson& json) {
  return {.since_ns = json.at("since").at("ns").get<std::int64_t>(),
          .scope = json.at("scope").get<std::string>(),
          .host = text_of(json.at("host")),
          .subsystem = json.at("subsystem").get<std::string>(),
          .pattern = text_of(json.at("pattern"))};
}

Incident incident_of(const ReadJson& json) {
  Incident out;
  out.id = json.at("id").get<std::string>();
  out.group = json.at("group").get<std::string>();
  out.revision = json.at("revision").get<std::uint32_t>();
  out.is_open = json.at("open").get<bool>();
  out.is_of_all = json.at("of_all").get<bool>();
  out.onset_ns = json.at("onset").at("ns").get<std::int64_t>();
  out.end_ns = json.at("end").at("ns").get<std::int64_t>();
  out.group_size = json.at("group_size").get<std::size_t>();
  for (const auto& host : json.at("hosts")) out.hosts.push_back(host_of(host));
  out.evidence = all_evidence_of(json.at("evidence"));
  // Rows of before do not have it.
  if (json.contains("alert") && json.at("alert").is_object()) {
    out.known_as = known_as_of(json.at("alert"));
  }
  return out;
}

}  // namespace

base::Result<Incident> read_incident(std::string_view json) {
  const auto malformed = [](std::string why) {
    return base::fail(base::ErrorKind::kCorrupt, "not an incident: " + std::move(why));
  };
  // The library throws; nothing of it gets out of here.
  try {
    auto out = incident_of(ReadJson::parse(json));
    if (!out.is_of_all && out.hosts.empty()) return malformed("it has no hosts");
    return out;
  } catch (const ReadJson::exception& error) {
    return malformed(error.what());
  }
}

}  // namespace reveal::peers

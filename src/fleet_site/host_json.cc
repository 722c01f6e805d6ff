#include "fleet_site/host_json.h"

#include "fleet_site/time_json.h"
#include "http/json_text.h"

namespace reveal::fleet_site {
namespace {

using http::Json;
using http::one_line;

// By source, then subject.
Json facts_json(const wire::Facts& facts) {
  Json out = {{"host",
               {{"name", facts.host},
                {"kernel", facts.kernel},
                {"machine", facts.machine},
                {"processors", std::to_string(facts.cpus_online)},
                {"Reveal", facts.reveal_version}}}};
  for (const auto& fact : facts.facts) out[fact.source][fact.subject] = fact.text;
  return out;
}

Json labels_json(const wire::Facts& facts) {
  Json out = Json::object();
  for (const auto& [name, value] : facts.labels) out[name] = value;
  return out;
}

Json findings_json(const HostDetail& host) {
  Json out = Json::array();
  for (const auto& [id, finding] : host.findings) {
    if (finding.what == wire::What::kClosed) continue;
    Json one = {{"id", id},
                {"subsystem", model::to_string(finding.subsystem)},
                {"pattern", finding.pattern},
                {"claim", finding.claim}};
    one["onset"] = time_json(finding.onset_ns);
    out.push_back(std::move(one));
  }
  return out;
}

Json counts_json(const peers::HostCounts& counts) {
  return {{"levels", counts.levels},        {"holes", counts.holes}, {"repeats", counts.repeats},
          {"waiting", counts.waiting},      {"stale", counts.stale}, {"late", counts.late},
          {"by_arrival", counts.by_arrival}};
}

}  // namespace

std::string host_json(const HostDetail& host) {
  Json out = {{"id", host.id},
              {"name", host.facts ? host.facts->host : host.id},
              {"site", host.site},
              {"standing", peers::to_string(host.standing)},
              {"group", host.group}};
  out["heard"] = time_json(host.heard_wall_ns);
  out["clock_error_seconds"] = host.clock_error_s ? Json(*host.clock_error_s) : Json();
  out["facts"] = host.facts ? facts_json(*host.facts) : Json::object();
  out["labels"] = host.facts ? labels_json(*host.facts) : Json::object();
  out["unlike"] = Json::array();
  for (const auto& one : host.unlike) {
    out["unlike"].push_back(
        {{"subject", one.subject}, {"observed", one.observed}, {"usual", one.usual}});
  }
  out["findings"] = findings_json(host);
  out["incidents"] = host.incidents;
  out["counts"] = counts_json(host.counts);
  return one_line(out) + "\n";
}

}  // namespace reveal::fleet_site

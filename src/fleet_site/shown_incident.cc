#include "fleet_site/shown_incident.h"

#include <utility>

#include "http/json_text.h"
#include "peers/json.h"

namespace reveal::fleet_site {
namespace {

ShownIncident shown_of(const peers::Incident& incident) {
  ShownIncident out{.id = incident.id,
                    .group = incident.group,
                    .onset_ns = incident.onset_ns,
                    .end_ns = incident.end_ns,
                    .revision = incident.revision,
                    .is_open = incident.is_open};
  for (const auto& host : incident.hosts) out.hosts.push_back(host.id);
  return out;
}

}  // namespace

ShownIncident shown(const peers::News& news) {
  auto out = shown_of(news.incident);
  out.told = peers::to_string(news.told);
  out.sentence = peers::sentence(news.incident);
  out.json = peers::json_of(news);
  return out;
}

// Its quantities' names for people are not all there, so the sentence is taken as it was told.
base::Result<ShownIncident> shown(std::string json, bool is_open) {
  const auto incident = peers::read_incident(json);
  if (!incident) return base::pass(incident);
  auto out = shown_of(*incident);
  auto all = http::Json::parse(json, nullptr, /*allow_exceptions=*/false);
  const auto sentence = all.find("sentence");
  if (sentence != all.end() && sentence->is_string()) out.sentence = sentence->get<std::string>();
  if (out.is_open && !is_open) {
    all["open"] = false;
    all["told"] = peers::to_string(peers::Told::kClosed);
    json = http::one_line(all);
  }
  out.is_open = is_open;
  out.json = std::move(json);
  return out;
}

}  // namespace reveal::fleet_site

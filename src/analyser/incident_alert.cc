#include "analyser/incident_alert.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "peers/json.h"
#include "text/time_text.h"

namespace reveal::analyser {
namespace {

using peers::Incident;
using peers::Part;
using peers::SlowHost;

// More names are no text for people; the incident itself has all.
constexpr std::size_t kMostNames = 50;

template <typename Holds>
std::string names_of(const Incident& incident, Holds holds) {
  std::vector<std::string> names;
  for (const auto& host : incident.hosts) {
    if (holds(host)) names.push_back(peers::on_one_line(host.name));
  }
  const auto count = names.size();
  if (count > kMostNames) names.resize(kMostNames);
  auto out = fmt::format("{}", fmt::join(names, ", "));
  if (count > kMostNames) out += fmt::format(" and {} more", count - kMostNames);
  return out;
}

void put(alert::Labels& labels, const char* name, const std::string& text) {
  if (!text.empty()) labels[name] = text;
}

alert::Labels labels_of(const Incident& incident) {
  const auto& name = *incident.known_as;
  alert::Labels out = {{"alertname", "RevealIncident"},
                       {"group", peers::on_one_line(incident.group)},
                       {"scope", name.scope},
                       {"subsystem", name.subsystem},
                       {"severity", std::string(to_string(severity_of(incident)))}};
  put(out, "host", name.host);
  put(out, "pattern", name.pattern);
  return out;
}

alert::Labels annotations_of(const Incident& incident) {
  const auto now = peers::name_of(incident, 0);
  alert::Labels out = {{"summary", peers::sentence(incident)},
                       {"incident", incident.id},
                       {"since", text::iso_time(incident.onset_ns)},
                       {"group_size", std::to_string(incident.group_size)},
                       {"subsystem", now.subsystem}};
  put(out, "hosts", names_of(incident, [](const SlowHost&) { return true; }));
  put(out, "victims",
      names_of(incident, [](const SlowHost& host) { return host.part == Part::kVictim; }));
  put(out, "pattern", now.pattern);
  const auto* host = incident.main_host();
  if (host != nullptr) put(out, "finding", host->finding);
  return out;
}

}  // namespace

alert::Severity severity_of(const Incident& incident) {
  const auto* evidence = incident.main_evidence();
  const bool is_pair = !incident.is_of_all && incident.main_host()->part == Part::kPair;
  if (is_pair) return alert::Severity::kInfo;
  const bool is_grave = incident.is_of_all || incident.hosts.size() >= peers::kFewestOfFleet ||
                        (evidence != nullptr && evidence->strength() >= kGraveStrength);
  return is_grave ? alert::Severity::kCritical : alert::Severity::kWarning;
}

alert::Alert alert_of(const Incident& incident, const std::string& page_url) {
  alert::Alert out;
  out.id = out.episode = incident.id;
  out.labels = labels_of(incident);
  out.annotations = annotations_of(incident);
  out.begin_ns = incident.onset_ns;
  if (!incident.is_open) out.end_ns = incident.end_ns;
  const auto told = incident.is_open ? peers::Told::kUpdated : peers::Told::kClosed;
  out.finding = peers::json_of({told, incident});
  if (!page_url.empty()) {
    out.url =
        fmt::format("{}{}#incident={}", page_url, page_url.ends_with('/') ? "" : "/", incident.id);
  }
  return out;
}

}  // namespace reveal::analyser

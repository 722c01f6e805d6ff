#include "fleet_site/fleet_json.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include <fmt/format.h>

#include "fleet_site/time_json.h"
#include "http/json_text.h"

namespace reveal::fleet_site {
namespace {

using http::Json;
using http::one_line;

std::size_t count_of(const FleetState& state, peers::Standing standing) {
  return state.standings.at(static_cast<std::size_t>(standing));
}

Json counts_json(const FleetState& state) {
  std::size_t open = 0;
  for (const auto& one : *state.incidents) open += one->is_open ? 1U : 0U;
  return {{"hosts", state.hosts},
          {"compared", count_of(state, peers::Standing::kCompared)},
          {"silent", count_of(state, peers::Standing::kSilent)},
          {"clock_off", count_of(state, peers::Standing::kClockOff)},
          {"two_hosts", count_of(state, peers::Standing::kDoubled)},
          {"other_bucket", count_of(state, peers::Standing::kOtherBucket)},
          {"unknown", count_of(state, peers::Standing::kUnknown)},
          {"groups", state.groups.size()},
          {"incidents_open", open},
          {"messages", state.counts.messages},
          {"refused", state.counts.refused},
          {"judged", state.counts.judged},
          {"uncertain", state.counts.uncertain}};
}

Json group_json(const GroupState& group) {
  const auto name = name_of_group(group.key);
  Json out = {{"key", group.key},
              {"name", name.name},
              {"kind", name.kind},
              {"hosts", group.hosts->size()},
              {"present", group.present}};
  out["judged_end"] = time_json(group.judged_end_wall_ns);
  out["certain"] = group.is_certain;
  out["judged_here"] = group.is_judged_here;
  out["quantities"] = group.quantities;
  out["slow"] = group.slow;
  out["incidents_open"] = group.incidents_open;
  return out;
}

constexpr peers::Standing kAllStandings[] = {
    peers::Standing::kUnknown,  peers::Standing::kCompared,    peers::Standing::kDoubled,
    peers::Standing::kClockOff, peers::Standing::kOtherBucket, peers::Standing::kSilent};
static_assert(std::size(kAllStandings) == peers::kStandings);

}  // namespace

std::vector<const GroupState*> shown_order(const FleetState& state) {
  std::vector<const GroupState*> out;
  out.reserve(state.groups.size());
  for (const auto& group : state.groups) out.push_back(&group);
  std::ranges::stable_sort(out, std::greater(), [](const GroupState* group) {
    return std::tuple(group->incidents_open > 0, group->hosts->size());
  });
  return out;
}

std::string fleet_json(const FleetState& state, std::int64_t wall_ns) {
  Json out = {{"schema", kSchema}, {"schema_version", kSchemaVersion}};
  out["time"] = time_json(wall_ns);
  out["broker_time"] = time_json(state.wall_ns);
  out["analyser"] = state.host;
  out["version"] = state.version;
  out["state"] = to_string(state.state);
  out["reason"] = state.reason;
  out["database"] = {{"kind", state.database.kind}, {"waiting", state.database.waiting}};
  out["counts"] = counts_json(state);
  out["groups"] = Json::array();
  for (const auto* group : shown_order(state)) out["groups"].push_back(group_json(*group));
  return one_line(out) + "\n";
}

std::string hosts_json(const GroupState& group) {
  const auto& hosts = *group.hosts;
  Json words = Json::array();
  for (const auto standing : kAllStandings) words.push_back(peers::to_string(standing));
  Json standings = Json::array();
  for (const auto standing : hosts.standings) standings.push_back(static_cast<int>(standing));
  const Json out = {{"group", group.key},
                    {"hosts",
                     {{"id", hosts.ids},
                      {"name", hosts.names},
                      {"standing", std::move(standings)},
                      {"standings", std::move(words)}}}};
  return one_line(out) + "\n";
}

std::string targets_json(const FleetState& state, std::uint16_t port) {
  Json out = Json::array();
  for (const auto& group : state.groups) {
    const auto& hosts = *group.hosts;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      // Those who are silent are still to be scraped: that is how Prometheus notices.
      const auto target = hosts.names[i].find(':') == std::string::npos
                              ? fmt::format("{}:{}", hosts.names[i], port)
                              : fmt::format("[{}]:{}", hosts.names[i], port);
      out.push_back({{"targets", {target}},
                     {"labels",
                      {{"__meta_reveal_host_id", hosts.ids[i]},
                       {"__meta_reveal_site", hosts.sites[i]},
                       {"__meta_reveal_group", group.key},
                       {"__meta_reveal_standing", peers::to_string(hosts.standings[i])}}}});
    }
  }
  return one_line(out) + "\n";
}

}  // namespace reveal::fleet_site

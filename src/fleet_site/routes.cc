#include "fleet_site/routes.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "fleet_site/fleet_json.h"
#include "fleet_site/front_page.h"
#include "fleet_site/metrics.h"
#include "http/samples.h"
#include "text/parse_number.h"

namespace reveal::fleet_site {
namespace {

using http::error_response;
using http::kHtmlType;
using http::kJsonType;
using http::kScriptType;
using http::kStyleType;
using http::Request;
using http::Response;
using http::tagged;
using http::values_of;

constexpr int kRetry_s = 1;
// Open incidents whose end is asked for, for one answer.
constexpr std::size_t kMostEnds = 100;
constexpr std::uint16_t kAgentPort = 7383;
constexpr std::string_view kHost = "/api/v1/hosts/";
constexpr std::string_view kHostPage = "/hosts/";
constexpr std::string_view kIncident = "/api/v1/incidents/";

Response failed(const base::Error& error) {
  switch (error.kind) {
    case base::ErrorKind::kUsage:
      return error_response(400, error.message());
    case base::ErrorKind::kAbsent:
      return error_response(404, error.message());
    case base::ErrorKind::kBusy:
    case base::ErrorKind::kAway: {
      auto out = error_response(503, error.message());
      out.retry_after_s = kRetry_s;
      return out;
    }
    default:
      return error_response(500, error.message());
  }
}

Response not_done() {
  return error_response(501, "this analyser does not do that");
}

Response page(const Request&, const Context& context) {
  const bool has_script = !context.page.script.empty();
  return {.type = kHtmlType,
          .body = front_page(*context.published.state, context.asked.wall_ns, has_script)};
}

Response script(const Request& request, const Context& context) {
  return http::carried_file(request, kScriptType, context.page.script);
}

Response style(const Request& request, const Context& context) {
  return http::carried_file(request, kStyleType, context.page.style);
}

Response metrics(const Request& request, const Context& context) {
  const auto groups =
      chosen_groups(values_of(request, "collect[]"), values_of(request, "exclude[]"));
  if (!groups) return error_response(400, groups.error().message());
  const auto format = http::accepted_exposition(request.accept);
  return {.type = http::media_type(format),
          .body = metrics_text({.state = *context.published.state, .http = context.asked.counts},
                               *groups, format)};
}

Response healthy(const Request&, const Context& context) {
  const auto age = context.published.age;
  if (age <= kMostStateAge) return {.body = "ok\n"};
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(age).count();
  return {.status = 503, .body = fmt::format("the analyser stands still for {} s\n", seconds)};
}

Response ready(const Request&, const Context& context) {
  const auto& state = *context.published.state;
  if (state.state == RunState::kJudging) return {.body = "ready\n"};
  return {.status = 503, .body = fmt::format("{}\n", to_string(state.state))};
}

Response fleet(const Request&, const Context& context) {
  return {.type = kJsonType, .body = fleet_json(*context.published.state, context.asked.wall_ns)};
}

Response stream(const Request& request, const Context& context) {
  return http::stream_answer(request, context.asked);
}

// Of 10,000 hosts it takes longer than the server's thread may.
Response hosts(const Request& request, const Context& context) {
  const auto keys = values_of(request, "group");
  if (keys.size() != 1) {
    return error_response(400, "group: is missing (name one of /api/v1/fleet by its key)");
  }
  const auto* group = find_group(*context.published.state, keys[0]);
  if (group == nullptr) return error_response(404, "there is no group with this key");
  return {.later = [request, state = context.published.state, group] {
    return tagged(request, hosts_json(*group));
  }};
}

Response host(const Request& request, const Context& context) {
  if (!context.callbacks.host) return not_done();
  return {.later = [ask = context.callbacks.host,
                    id = request.target.path.substr(kHost.size())]() -> Response {
    const auto detail = ask(id);
    if (!detail) return failed(detail.error());
    return {.type = kJsonType, .body = host_json(*detail)};
  }};
}

Response host_page(const Request& request, const Context& context) {
  if (!context.callbacks.host_page) return not_done();
  const auto rest = std::string_view(request.target.path).substr(kHostPage.size());
  return context.callbacks.host_page(rest, request);
}

Response quantities(const Request& request, const Context& context) {
  const auto keys = values_of(request, "group");
  if (keys.size() != 1) {
    return error_response(400, "group: is missing (name one of /api/v1/fleet by its key)");
  }
  if (!context.callbacks.quantities) return not_done();
  return {.later = [request, ask = context.callbacks.quantities, group = keys[0]] {
    const auto all = ask(group);
    return all ? tagged(request, quantities_json(group, *all)) : failed(all.error());
  }};
}

Response levels(const Request& request, const Context& context) {
  const auto query = parse_level_query(request.target.parameters);
  if (!query) return error_response(400, query.error().message());
  if (!context.callbacks.levels) return not_done();
  return {.later = [ask = context.callbacks.levels, query = *query]() -> Response {
    const auto kept = ask(query);
    if (!kept) return failed(kept.error());
    return {.type = kJsonType, .body = levels_json(query, *kept)};
  }};
}

Response incidents_of(const Request& request, const FleetState& state, const ShownList& past,
                      const IncidentQuery& query) {
  return tagged(request, incidents_json(chosen(*state.incidents, past, query), query));
}

// What this run takes for open may be over by what another analyser has told: that is not among the
// open ones of the database. Adds it to `past`.
base::Result<void> add_ends(const Callbacks& callbacks, const FleetState& state,
                            const IncidentQuery& query, ShownList& past) {
  std::size_t left = kMostEnds;
  for (const auto& one : *state.incidents) {
    const bool is_there =
        std::ranges::any_of(past, [&](const auto& other) { return other->id == one->id; });
    if (is_there || !is_asked_for(*one, query) || left == 0) continue;
    --left;
    const auto found = callbacks.incident(one->id);
    if (!found) return base::pass(found);
    if (*found != nullptr) past.push_back(*found);
  }
  return {};
}

Response incidents(const Request& request, const Context& context) {
  const auto query = parse_incident_query(request.target.parameters);
  if (!query) return error_response(400, query.error().message());
  const auto& state = context.published.state;
  if (!context.callbacks.incidents) return incidents_of(request, *state, {}, *query);
  // Of those that this run knows, the database may have many that are not among the chosen.
  auto wanted = *query;
  wanted.limit += state->incidents->size() + 1;
  return {.later = [request, state, callbacks = context.callbacks, query = *query, wanted] {
    auto past = callbacks.incidents(wanted);
    if (!past) return failed(past.error());
    if (query.open == true && callbacks.incident) {
      const auto added = add_ends(callbacks, *state, query, *past);
      if (!added) return failed(added.error());
    }
    return incidents_of(request, *state, *past, query);
  }};
}

Response incident_of(const Request& request, const std::shared_ptr<const ShownIncident>& one) {
  if (one == nullptr) return error_response(404, "there is no incident with this id");
  return tagged(request, one->json + "\n");
}

// What this run knows is as new as what the database has, or newer; but the end may be another
// analyser's news.
Response incident(const Request& request, const Context& context) {
  const auto id = request.target.path.substr(kIncident.size());
  std::shared_ptr<const ShownIncident> known;
  for (const auto& one : *context.published.state->incidents) {
    if (one->id == id) known = one;
  }
  const bool is_over = known != nullptr && !known->is_open;
  if (is_over || !context.callbacks.incident) return incident_of(request, known);
  return {.later = [request, known, id, ask = context.callbacks.incident] {
    const auto past = ask(id);
    if (!past) return known != nullptr ? incident_of(request, known) : failed(past.error());
    const bool is_past = *past != nullptr && (known == nullptr || !(*past)->is_open ||
                                              (*past)->revision > known->revision);
    return incident_of(request, is_past ? *past : known);
  }};
}

Response targets(const Request& request, const Context& context) {
  const auto ports = values_of(request, "port");
  const auto port = ports.empty() ? std::uint64_t{kAgentPort} : text::parse_u64(ports[0]);
  if (!port || *port == 0 || *port > 0xFFFF) {
    return error_response(400, "port: write a number from 1 to 65535");
  }
  return {.later = [request, state = context.published.state, port = *port] {
    return tagged(request, targets_json(*state, static_cast<std::uint16_t>(port)));
  }};
}

constexpr http::Route<Context> kRoutes[] = {
    {.rules = {.path = "/", .help = "state, groups and open incidents as a page"}, .answer = page},
    {.rules = {.path = "/fleet.js", .help = "the page's script"}, .answer = script},
    {.rules = {.path = "/fleet.css", .help = "the page's style"}, .answer = style},
    {.rules = {.path = "/metrics", .help = "metrics for Prometheus"}, .answer = metrics},
    {.rules = {.path = "/-/healthy",
               .for_all = true,
               .help = "200 if the analyser works, else 503"},
     .answer = healthy},
    {.rules = {.path = "/-/ready", .for_all = true, .help = "200 if it judges, else 503"},
     .answer = ready},
    {.rules = {.path = "/api/v1/fleet", .help = "the fleet's state and its groups"},
     .answer = fleet},
    {.rules = {.path = "/api/v1/stream", .help = "events as they come"}, .answer = stream},
    {.rules = {.path = "/api/v1/hosts", .help = "the hosts of a group"}, .answer = hosts},
    {.rules = {.path = kHost, .is_prefix = true, .help = "what is known of one host"},
     .answer = host},
    {.rules = {.path = kHostPage,
               .is_prefix = true,
               .help = "ID/: the host's live page, asked of the host itself"},
     .answer = host_page},
    {.rules = {.path = "/api/v1/quantities", .help = "what hosts of a group are compared by"},
     .answer = quantities},
    {.rules = {.path = "/api/v1/levels", .help = "a quantity's last minutes, of all hosts"},
     .answer = levels},
    {.rules = {.path = "/api/v1/incidents", .help = "incidents, the newest first"},
     .answer = incidents},
    {.rules = {.path = kIncident, .is_prefix = true, .help = "one incident"}, .answer = incident},
    {.rules = {.path = "/api/v1/prometheus_targets",
               .help = "the agents, for Prometheus' service discovery"},
     .answer = targets},
};

}  // namespace

std::span<const http::Route<Context>> routes() {
  return kRoutes;
}

}  // namespace reveal::fleet_site

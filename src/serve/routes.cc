#include "serve/routes.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "serve/event_stream.h"
#include "serve/findings_json.h"
#include "serve/front_page.h"
#include "serve/json_text.h"
#include "serve/metrics_text.h"
#include "serve/own_host.h"
#include "serve/shown_json.h"
#include "serve/status_json.h"
#include "text/parse_number.h"

namespace reveal::serve {
namespace {

constexpr int kRetryStream_s = 30;
constexpr int kRetrySeries_s = 1;
constexpr std::string_view kFindings = "/api/v1/findings";
constexpr std::string_view kFinding = "/api/v1/findings/";
constexpr std::string_view kRecording = "/recording";

// Returns the values of all parameters with this name.
std::vector<std::string> values_of(const Request& request, std::string_view name) {
  std::vector<std::string> out;
  for (const auto& parameter : request.target.parameters) {
    if (parameter.name == name) out.push_back(parameter.value);
  }
  return out;
}

// Returns JSON that may be asked for again with its tag.
Response tagged(const Request& request, std::string_view body, std::string etag) {
  Response out{.type = kJsonType, .etag = std::move(etag)};
  if (names_etag(request.if_none_match, out.etag)) {
    out.status = 304;
  } else {
    out.body = body;
  }
  return out;
}

Response tagged(const Request& request, std::string_view body) {
  return tagged(request, body, etag_of(body));
}

Response page(const Request&, const Context& context) {
  const bool is_live = !context.page.script.empty();
  return {.type = kHtmlType, .body = front_page(context.published, context.wall_ns, is_live)};
}

// A browser that comes back asks whether it is still the same program.
Response file(const Request& request, std::string_view type, std::string_view text) {
  if (text.empty()) return error_response(404, "this reveal was built without its page");
  auto out = tagged(request, text);
  out.type = type;
  return out;
}

Response script(const Request& request, const Context& context) {
  return file(request, kScriptType, context.page.script);
}

Response style(const Request& request, const Context& context) {
  return file(request, kStyleType, context.page.style);
}

Response metrics(const Request& request, const Context& context) {
  const auto groups =
      chosen_groups(values_of(request, "collect[]"), values_of(request, "exclude[]"));
  if (!groups) return error_response(400, groups.error().message());
  const auto format = accepted_exposition(request.accept);
  const auto& recorded = context.callbacks.recorded;
  const bool is_asked = std::find(groups->begin(), groups->end(), kRecordedGroup) != groups->end();
  return {.type = media_type(format),
          .body = metrics_text({.state = *context.published.state, .http = context.counts}, *groups,
                               format, is_asked && recorded ? recorded(format) : std::string())};
}

Response healthy(const Request&, const Context& context) {
  const auto age = context.published.tick_age;
  if (age <= kMostTickAge) return {.body = "ok\n"};
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(age).count();
  return {.status = 503, .body = fmt::format("no tick for {} s\n", seconds)};
}

Response ready(const Request&, const Context& context) {
  if (context.published.state->storage.ready) return {.body = "ready\n"};
  return {.status = 503, .body = "no frame is stored yet\n"};
}

Response told(const base::Result<std::string>& outcome) {
  if (!outcome) return error_response(400, outcome.error().message());
  return {.type = kJsonType, .body = one_line({{"status", 200}, {"told", *outcome}}) + "\n"};
}

Response hand_over(const Callbacks::Function& function, std::string_view text,
                   const Caller& caller) {
  if (!function) return error_response(501, "this agent does not do that");
  return told(function(std::string(text), caller));
}

Response reload(const Request&, const Context& context) {
  return hand_over(context.callbacks.reload, "", context.caller);
}

// Returns the body without the line's end that tools append.
std::string_view line_of(std::string_view body) {
  while (body.ends_with('\n') || body.ends_with('\r')) body.remove_suffix(1);
  return text::trimmed(body);
}

Response mark(const Request& request, const Context& context) {
  const auto text = line_of(request.body);
  if (text.empty()) return error_response(400, "a mark needs a text (send it as the body)");
  if (text.size() > kMostMarkBytes) return error_response(413, "a mark has at most 1024 bytes");
  return hand_over(context.callbacks.mark, text, context.caller);
}

Response pin(const Request& request, const Context& context) {
  return hand_over(context.callbacks.pin, line_of(request.body), context.caller);
}

Response status(const Request&, const Context& context) {
  return {.type = kJsonType, .body = status_json(context.published, context.wall_ns)};
}

// Browsers cannot set the header when a page begins a stream anew, so there is a parameter as well.
Response stream(const Request& request, const Context& context) {
  if (context.counts.streams >= kMostStreams) {
    auto out = error_response(503, "there are 32 streams already");
    out.retry_after_s = kRetryStream_s;
    return out;
  }
  const auto after = values_of(request, "after");
  const auto& id =
      request.last_event_id.empty() && !after.empty() ? after[0] : request.last_event_id;
  return {.type = kEventsType, .stream_after = id};
}

Response windows(const Request&, const Context& context) {
  return {.type = kJsonType, .body = past_json(*context.published.state)};
}

Response channels(const Request& request, const Context& context) {
  const auto& text = context.channels.of(context.published.state->channel_names);
  return tagged(request, text.body, text.etag);
}

Response users(const Request&, const Context& context) {
  return {.type = kJsonType, .body = users_json(*context.published.state)};
}

Response series_of(const base::Result<std::string>& json) {
  if (json) return {.type = kJsonType, .body = *json};
  const auto kind = json.error().kind;
  const int status = kind == base::ErrorKind::kBusy    ? 503
                     : kind == base::ErrorKind::kUsage ? 400
                                                       : 500;
  auto out = error_response(status, json.error().message());
  if (status == 503) out.retry_after_s = kRetrySeries_s;
  return out;
}

Response series(const Request& request, const Context& context) {
  const auto query = parse_series_query(request.target.parameters, context.wall_ns);
  if (!query) return error_response(400, query.error().message());
  if (!context.callbacks.series) return error_response(501, "this agent does not do that");
  return {.later = [function = context.callbacks.series, asked = *query] {
    return series_of(function(asked));
  }};
}

Response findings(const Request& request, const Context& context) {
  const auto query = parse_finding_query(request.target.parameters);
  if (!query) return error_response(400, query.error().message());
  return tagged(request, findings_json(context.published.state->findings, *query));
}

Response evidence_of(const base::Result<std::string>& tar) {
  if (tar) return {.type = kTarType, .body = *tar};
  const bool is_absent = tar.error().kind == base::ErrorKind::kAbsent;
  return error_response(is_absent ? 404 : 500, tar.error().message());
}

Response evidence(std::string_view id, const Context& context) {
  if (!context.callbacks.evidence) return error_response(501, "this agent does not do that");
  return {.later = [function = context.callbacks.evidence, id = std::string(id)] {
    return evidence_of(function(id));
  }};
}

Response finding(const Request& request, const Context& context) {
  const auto id = std::string_view(request.target.path).substr(kFinding.size());
  if (id.ends_with(kRecording)) {
    return evidence(id.substr(0, id.size() - kRecording.size()), context);
  }
  for (const auto& one : context.published.state->findings) {
    if (one.id == id) return tagged(request, finding_json(one) + "\n");
  }
  return error_response(404, "there is no finding with this id");
}

constexpr Route kRoutes[] = {
    {.path = "/", .help = "state and open findings as a page", .answer = page},
    {.path = "/metrics", .help = "metrics for Prometheus", .answer = metrics},
    {.path = "/-/healthy",
     .for_all = true,
     .help = "200 if the recorder ticks, else 503",
     .answer = healthy},
    {.path = "/-/ready",
     .for_all = true,
     .help = "200 if frames are stored, else 503",
     .answer = ready},
    {.path = "/-/reload", .changes = true, .help = "reads the configuration", .answer = reload},
    {.path = "/-/mark", .changes = true, .help = "notes the body's text", .answer = mark},
    {.path = "/-/pin", .changes = true, .help = "keeps a stretch as evidence", .answer = pin},
    {.path = "/api/v1/status", .help = "the agent's state", .answer = status},
    {.path = "/api/v1/stream", .help = "events as they come", .answer = stream},
    {.path = "/live.js", .help = "the page's script", .answer = script},
    {.path = "/live.css", .help = "the page's style", .answer = style},
    {.path = "/api/v1/windows",
     .help = "how strong the last hours' windows were",
     .answer = windows},
    {.path = "/api/v1/users", .help = "who uses what now", .answer = users},
    {.path = "/api/v1/channels", .help = "names of the channels", .answer = channels},
    {.path = "/api/v1/series", .help = "how channels moved", .answer = series},
    {.path = kFindings, .help = "findings, the newest first", .answer = findings},
    {.path = kFinding,
     .is_prefix = true,
     .help = "one finding, or ID/recording: its evidence",
     .answer = finding},
};

const Route* route_of(std::string_view path) {
  for (const auto& route : kRoutes) {
    if (route.is_prefix ? path.starts_with(route.path) : path == route.path) return &route;
  }
  return nullptr;
}

bool is_allowed(Method method, const Route& route) {
  if (route.changes) return method == Method::kPost;
  return method == Method::kGet || method == Method::kHead;
}

Response method_refused(const Route& route) {
  auto out = error_response(405, "this address does not take this method");
  out.allow = route.changes ? "POST" : "GET, HEAD";
  return out;
}

bool is_own(std::string_view host, const Context& context) {
  const auto& local = context.caller.local_address;
  return is_own_host(host, local, context.names) ||
         is_own_host(host, local, context.certificate_names);
}

bool may_change(const Caller& caller) {
  return caller.over_socket || caller.who.role == access::Role::kOperator;
}

// A browser that knows a password sends it along with what a page of any site asks for, and says
// which site that is: another than the one of the Host header. Source:
// https://fetch.spec.whatwg.org/#origin-header
bool is_foreign_page(const Request& request, const Context& context) {
  std::string_view origin = request.origin;
  if (origin.empty() || context.caller.over_socket) return false;
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (origin.starts_with(scheme)) return origin.substr(scheme.size()) != request.host;
  }
  return true;
}

}  // namespace

std::span<const Route> routes() {
  return kRoutes;
}

bool is_for_all(const Request& request) {
  const auto* route = route_of(request.target.path);
  return route != nullptr && route->for_all;
}

Response answer(const Request& request, const Context& context) {
  const auto* route = route_of(request.target.path);
  const bool hides = route == nullptr || !route->for_all;
  if (hides && !context.caller.over_socket && !is_own(request.host, context)) {
    return error_response(
        421,
        "the Host header names another host (use localhost or an address, or list "
        "the name as one of [web] names)");
  }
  if (route == nullptr) return error_response(404, "there is nothing at this address");
  if (!is_allowed(request.method, *route)) return method_refused(*route);
  if (route->changes && !may_change(context.caller)) {
    return error_response(403, "only the unix socket takes this, or a user with the role operator");
  }
  if (route->changes && is_foreign_page(request, context)) {
    return error_response(403, "a page of another site asks for this");
  }
  return route->answer(request, context);
}

}  // namespace reveal::serve

#include "serve/routes.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "http/json_text.h"
#include "serve/findings_json.h"
#include "serve/front_page.h"
#include "serve/metrics_text.h"
#include "serve/shown_json.h"
#include "serve/status_json.h"
#include "text/parse_number.h"

namespace reveal::serve {
namespace {

using http::error_response;
using http::kHtmlType;
using http::kJsonType;
using http::kScriptType;
using http::kStyleType;
using http::kTarType;
using http::one_line;
using http::Request;
using http::Response;
using http::tagged;
using http::values_of;

constexpr int kRetrySeries_s = 1;
constexpr std::string_view kFindings = "/api/v1/findings";
constexpr std::string_view kFinding = "/api/v1/findings/";
constexpr std::string_view kRecording = "/recording";
constexpr std::string_view kExplanation = "/explanation";

Response page(const Request&, const Context& context) {
  const bool is_live = !context.page.script.empty();
  return {.type = kHtmlType, .body = front_page(context.published, context.asked.wall_ns, is_live)};
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
  const auto& recorded = context.callbacks.recorded;
  const bool is_asked = std::find(groups->begin(), groups->end(), kRecordedGroup) != groups->end();
  return {.type = http::media_type(format),
          .body = metrics_text({.state = *context.published.state, .http = context.asked.counts},
                               *groups, format,
                               is_asked && recorded ? recorded(format) : std::string())};
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
                   const http::Caller& caller) {
  if (!function) return error_response(501, "this agent does not do that");
  return told(function(std::string(text), caller));
}

Response reload(const Request&, const Context& context) {
  return hand_over(context.callbacks.reload, "", context.asked.caller);
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
  return hand_over(context.callbacks.mark, text, context.asked.caller);
}

Response pin(const Request& request, const Context& context) {
  return hand_over(context.callbacks.pin, line_of(request.body), context.asked.caller);
}

Response status(const Request&, const Context& context) {
  return {.type = kJsonType, .body = status_json(context.published, context.asked.wall_ns)};
}

Response stream(const Request& request, const Context& context) {
  return http::stream_answer(request, context.asked);
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
  const auto query = parse_series_query(request.target.parameters, context.asked.wall_ns);
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

Response kept_part(const base::Result<std::string>& part, std::string_view type) {
  if (part) return {.type = type, .body = *part};
  const auto kind = part.error().kind;
  const bool is_absent = kind == base::ErrorKind::kAbsent || kind == base::ErrorKind::kTooLittle;
  return error_response(is_absent ? 404 : 500, part.error().message());
}

// Returns the answer that is made of what is kept of a finding.
Response kept_of(const std::function<base::Result<std::string>(const std::string& id)>& function,
                 std::string_view id, std::string_view type) {
  if (!function) return error_response(501, "this agent does not do that");
  return {
      .later = [function, id = std::string(id), type] { return kept_part(function(id), type); }};
}

Response finding(const Request& request, const Context& context) {
  const auto id = std::string_view(request.target.path).substr(kFinding.size());
  if (id.ends_with(kRecording)) {
    return kept_of(context.callbacks.evidence, id.substr(0, id.size() - kRecording.size()),
                   kTarType);
  }
  if (id.ends_with(kExplanation)) {
    return kept_of(context.callbacks.explanation, id.substr(0, id.size() - kExplanation.size()),
                   http::kTextType);
  }
  for (const auto& one : context.published.state->findings) {
    if (one.id == id) return tagged(request, finding_json(one) + "\n");
  }
  return error_response(404, "there is no finding with this id");
}

constexpr http::Route<Context> kRoutes[] = {
    {.rules = {.path = "/", .help = "state and open findings as a page"}, .answer = page},
    {.rules = {.path = "/metrics", .help = "metrics for Prometheus"}, .answer = metrics},
    {.rules = {.path = "/-/healthy",
               .for_all = true,
               .help = "200 if the recorder ticks, else 503"},
     .answer = healthy},
    {.rules = {.path = "/-/ready", .for_all = true, .help = "200 if frames are stored, else 503"},
     .answer = ready},
    {.rules = {.path = "/-/reload", .changes = true, .help = "reads the configuration"},
     .answer = reload},
    {.rules = {.path = "/-/mark", .changes = true, .help = "notes the body's text"},
     .answer = mark},
    {.rules = {.path = "/-/pin", .changes = true, .help = "keeps a stretch as evidence"},
     .answer = pin},
    {.rules = {.path = "/api/v1/status", .help = "the agent's state"}, .answer = status},
    {.rules = {.path = "/api/v1/stream", .help = "events as they come"}, .answer = stream},
    {.rules = {.path = "/live.js", .help = "the page's script"}, .answer = script},
    {.rules = {.path = "/live.css", .help = "the page's style"}, .answer = style},
    {.rules = {.path = "/api/v1/windows", .help = "how strong the last hours' windows were"},
     .answer = windows},
    {.rules = {.path = "/api/v1/users", .help = "who uses what now"}, .answer = users},
    {.rules = {.path = "/api/v1/channels", .help = "names of the channels"}, .answer = channels},
    {.rules = {.path = "/api/v1/series", .help = "how channels moved"}, .answer = series},
    {.rules = {.path = kFindings, .help = "findings, the newest first"}, .answer = findings},
    {.rules = {.path = kFinding,
               .is_prefix = true,
               .help = "one finding; ID/recording: its evidence; ID/explanation"},
     .answer = finding},
};

}  // namespace

std::span<const http::Route<Context>> routes() {
  return kRoutes;
}

}  // namespace reveal::serve

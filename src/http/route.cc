#include "http/route.h"

#include <utility>

#include "http/event_stream.h"
#include "http/own_host.h"

namespace reveal::http {
namespace {

constexpr int kRetryStream_s = 30;

bool is_allowed(Method method, const RouteRules& rules) {
  if (rules.changes) return method == Method::kPost;
  return method == Method::kGet || method == Method::kHead;
}

Response method_refused(const RouteRules& rules) {
  auto out = error_response(405, "this address does not take this method");
  out.allow = rules.changes ? "POST" : "GET, HEAD";
  return out;
}

bool is_own(std::string_view host, const Asked& asked) {
  const auto& local = asked.caller.local_address;
  return is_own_host(host, local, asked.names) || is_own_host(host, local, asked.certificate_names);
}

bool may_change(const Caller& caller) {
  return caller.over_socket || caller.who.role == access::Role::kOperator;
}

// A browser that knows a password sends it along with what a page of any site asks for, and says
// which site that is: another than the one of the Host header. Source:
// https://fetch.spec.whatwg.org/#origin-header
bool is_foreign_page(const Request& request, const Caller& caller) {
  std::string_view origin = request.origin;
  if (origin.empty() || caller.over_socket) return false;
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (origin.starts_with(scheme)) return origin.substr(scheme.size()) != request.host;
  }
  return true;
}

}  // namespace

bool is_at(const RouteRules& rules, std::string_view path) {
  return rules.is_prefix ? path.starts_with(rules.path) : path == rules.path;
}

std::optional<Response> refusal(const Request& request, const Asked& asked,
                                const RouteRules* rules) {
  const bool hides = rules == nullptr || !rules->for_all;
  if (hides && !asked.caller.over_socket && !is_own(request.host, asked)) {
    return error_response(
        421,
        "the Host header names another host (use localhost or an address, or list "
        "the name as one of [web] names)");
  }
  if (rules == nullptr) return error_response(404, "there is nothing at this address");
  if (!is_allowed(request.method, *rules)) return method_refused(*rules);
  if (rules->changes && !may_change(asked.caller)) {
    return error_response(403, "only the unix socket takes this, or a user with the role operator");
  }
  if (rules->changes && is_foreign_page(request, asked.caller)) {
    return error_response(403, "a page of another site asks for this");
  }
  return {};
}

std::vector<std::string> values_of(const Request& request, std::string_view name) {
  std::vector<std::string> out;
  for (const auto& parameter : request.target.parameters) {
    if (parameter.name == name) out.push_back(parameter.value);
  }
  return out;
}

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

Response carried_file(const Request& request, std::string_view type, std::string_view text) {
  if (text.empty()) return error_response(404, "this reveal was built without its page");
  auto out = tagged(request, text);
  out.type = type;
  return out;
}

Response stream_answer(const Request& request, const Asked& asked) {
  if (asked.counts.streams >= kMostStreams) {
    auto out = error_response(503, "there are 32 streams already");
    out.retry_after_s = kRetryStream_s;
    return out;
  }
  const auto after = values_of(request, "after");
  const auto& id =
      request.last_event_id.empty() && !after.empty() ? after[0] : request.last_event_id;
  return {.type = kEventsType, .stream_after = id};
}

}  // namespace reveal::http

// What a site has at which address: one row a path, and the function that answers it. The functions
// get plain values and return plain values: no test of theirs needs a socket.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/request.h"
#include "http/response.h"
#include "http/site.h"

namespace reveal::http {

struct RouteRules {
  std::string_view path;  // of a prefix: what follows it is the route's own matter
  bool is_prefix = false;
  // Only a POST, and only over the unix socket or by an operator; else only GET and HEAD.
  bool changes = false;
  bool for_all = false;   // says nothing that a foreign page, or somebody unknown, must not know
  std::string_view help;  // a noun phrase
};

// `Context` is what the answers of a site are made of.
template <typename Context>
struct Route {
  RouteRules rules;
  Response (*answer)(const Request& request, const Context& context) = nullptr;
};

bool is_at(const RouteRules& rules, std::string_view path);

// Returns why a request is not answered by the route at its address; `rules` are null if there is
// none. Nothing: it is answered.
std::optional<Response> refusal(const Request& request, const Asked& asked,
                                const RouteRules* rules);

// Returns the first route at a path; null if there is none.
template <typename Context>
const Route<Context>* route_at(std::span<const Route<Context>> routes, std::string_view path) {
  for (const auto& route : routes) {
    if (is_at(route.rules, path)) return &route;
  }
  return nullptr;
}

// Returns whether a request is answered whoever sends it.
template <typename Context>
bool is_for_all(std::span<const Route<Context>> routes, const Request& request) {
  const auto* route = route_at(routes, request.target.path);
  return route != nullptr && route->rules.for_all;
}

// Returns the answer to a request, or a refusal. REQUIRES: if the caller is asked who it is, and
// the request is not for all, it is known.
template <typename Context>
Response answer_by(std::span<const Route<Context>> routes, const Request& request,
                   const Asked& asked, const Context& context) {
  const auto* route = route_at(routes, request.target.path);
  if (auto no = refusal(request, asked, route != nullptr ? &route->rules : nullptr)) return *no;
  return route->answer(request, context);
}

// Returns the values of all parameters with this name.
std::vector<std::string> values_of(const Request& request, std::string_view name);

// Return JSON that may be asked for again with its tag.
Response tagged(const Request& request, std::string_view body, std::string etag);
Response tagged(const Request& request, std::string_view body);

// Returns a script or style that the program carries. A browser that comes back asks whether it is
// still the same program.
Response carried_file(const Request& request, std::string_view type, std::string_view text);

// Returns a stream for a reader that names the last event that it has, in a header or, since
// browsers cannot set that when a page begins a stream anew, as the parameter "after".
Response stream_answer(const Request& request, const Asked& asked);

}  // namespace reveal::http

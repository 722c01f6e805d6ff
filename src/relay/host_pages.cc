#include "relay/host_pages.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "http/http_counts.h"
#include "http/route.h"
#include "http/target.h"
#include "relay/asked_host.h"
#include "text/html.h"
#include "wire/subject.h"

namespace reveal::relay {
namespace {

using http::error_response;
using http::Response;

// What browsers show or keep, but do not run.
constexpr std::array<std::string_view, 4> kPassedOn{http::kJsonType, http::kTextType,
                                                    http::kEventsType, http::kTarType};
constexpr std::string_view kApi = "/api/v1/";

std::string target_of(std::string_view path, const http::Request& request) {
  std::string out;
  while (path.starts_with('/')) {
    const auto end = std::min(path.find('/', 1), path.size());
    out += "/" + http::encoded(path.substr(1, end - 1));
    path.remove_prefix(end);
  }
  char before = '?';
  for (const auto& one : request.target.parameters) {
    out += before + http::encoded(one.name) + "=" + http::encoded(one.value);
    before = '&';
  }
  return out;
}

Response failed(const base::Error& error) {
  const bool is_wrong = error.kind == base::ErrorKind::kUsage;
  return is_wrong ? error_response(400, error.message()) : http::later_again(503, error.message());
}

bool is_status(int status) {
  return std::any_of(std::begin(http::kStatuses), std::end(http::kStatuses),
                     [&](const auto& one) { return one.code == status; });
}

// Returns null if an answer of this type is not passed on.
const std::string_view* passed_type(const HostAnswer& answer) {
  const auto* type = std::find(kPassedOn.begin(), kPassedOn.end(), answer.type);
  return type == kPassedOn.end() || !is_status(answer.status) ? nullptr : type;
}

// As front_page.cc of the agent has it, without what it says to who runs no scripts.
std::string page_of(std::string_view host) {
  const auto title = text::html(host);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Reveal on {0}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"live.css\">\n"
      "<script src=\"live.js\" defer></script>\n</head>\n<body>\n"
      "<noscript>\n<h1>Reveal on {0}</h1>\n<p><a href=\"api/v1/status\">status</a>, "
      "<a href=\"api/v1/findings\">findings</a></p>\n</noscript>\n</body>\n</html>\n",
      title);
}

}  // namespace

Response HostPages::answer(std::string_view rest, const http::Request& request,
                           std::string_view name) const {
  const auto slash = std::min(rest.find('/'), rest.size());
  const std::string host(rest.substr(0, slash));
  const auto path = rest.substr(slash);
  if (!wire::is_host_id(host)) return error_response(404, "there is no host with this id");
  if (path == "/") {
    return {.type = http::kHtmlType, .body = page_of(name.empty() ? std::string_view(host) : name)};
  }
  if (path == "/live.js") return http::carried_file(request, http::kScriptType, page_.script);
  if (path == "/live.css") return http::carried_file(request, http::kStyleType, page_.style);
  if (!path.starts_with(kApi)) return error_response(404, "there is nothing at this address");
  wire::Question question{.target = target_of(path, request), .last_event = request.last_event_id};
  return {.later = [this, host, question = std::move(question)] { return ask(host, question); }};
}

Response HostPages::ask(const std::string& host, const wire::Question& question) const {
  const auto answer = ask_host(requester_, host, question);
  if (!answer) {
    ++(answer.error().kind == base::ErrorKind::kAway ? away_ : failed_);
    return failed(answer.error());
  }
  const auto* type = passed_type(*answer);
  if (type == nullptr) {
    ++failed_;
    return error_response(500, "the host answers what is not passed on");
  }
  ++answered_;
  bytes_ += answer->body.size();
  return {.status = answer->status,
          .type = *type,
          .body = answer->body,
          .retry_after_s = answer->retry_after_s};
}

AskedCounts HostPages::counts() const {
  return {.answered = answered_, .away = away_, .failed = failed_, .bytes = bytes_};
}

}  // namespace reveal::relay

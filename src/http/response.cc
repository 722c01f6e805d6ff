#include "http/response.h"

#include <array>
#include <ctime>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/fnv.h"
#include "http/http_counts.h"
#include "text/parse_number.h"

namespace reveal::http {
namespace {

// The page may use what this server gives it and nothing else; no other page may show it in a
// frame, load its answers, or learn its address from a link.
constexpr std::string_view kSecurityHeaders =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n";

// Returns "Thu, 26 Nov 2026 05:22:45 GMT". Source: RFC 9110, section 5.6.7. Not strftime, whose
// names follow the locale.
std::string http_date(std::int64_t wall_ns) {
  constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t seconds = wall_ns / 1'000'000'000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kDays[static_cast<std::size_t>(parts.tm_wday)], parts.tm_mday,
                     kMonths[static_cast<std::size_t>(parts.tm_mon)], parts.tm_year + 1900,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace

Response error_response(int status, std::string_view what) {
  const nlohmann::ordered_json json = {{"status", status}, {"error", what}};
  return {
      .status = status,
      .type = kJsonType,
      .body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"};
}

Response later_again(int status, std::string_view why) {
  auto out = error_response(status, why);
  out.retry_after_s = 1;
  return out;
}

Response made(const std::function<Response()>& make) {
  try {
    return make();
  } catch (const std::exception& failure) {
    return error_response(500, failure.what());
  }
}

std::string etag_of(std::string_view body) {
  // Nobody gains by two bodies with the same tag but the one who made them.
  return fmt::format("\"{:016x}-{:x}\"", base::fnv1a(body), body.size());
}

bool names_etag(std::string_view if_none_match, std::string_view etag) {
  while (!if_none_match.empty()) {
    const auto end = if_none_match.find(',');
    auto one = text::trimmed(if_none_match.substr(0, end));
    if_none_match.remove_prefix(end == std::string_view::npos ? if_none_match.size() : end + 1);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == etag || one == "*") return true;
  }
  return false;
}

std::string to_bytes(const Response& response, const Framing& framing) {
  const auto& status = kStatuses[status_place(response.status)];
  auto out = fmt::format("HTTP/1.1 {} {}\r\nDate: {}\r\n", status.code, status.phrase,
                         http_date(framing.wall_ns));
  // A 304 has the head of the answer that it stands for, but no length of its own.
  if (response.status != 304) out += fmt::format("Content-Type: {}\r\n", response.type);
  // A stream ends with its connection.
  if (response.status != 304 && !response.stream_after) {
    out += fmt::format("Content-Length: {}\r\n", response.body.size());
  }
  out += response.etag.empty() ? "Cache-Control: no-store\r\n"
                               : "Cache-Control: no-cache\r\nETag: " + response.etag + "\r\n";
  if (!response.allow.empty()) out += fmt::format("Allow: {}\r\n", response.allow);
  if (!response.challenge.empty()) {
    out += fmt::format("WWW-Authenticate: {}\r\n", response.challenge);
  }
  if (response.retry_after_s > 0) out += fmt::format("Retry-After: {}\r\n", response.retry_after_s);
  out += kSecurityHeaders;
  out += framing.keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  if (framing.with_body) out += response.body;
  return out;
}

}  // namespace reveal::http

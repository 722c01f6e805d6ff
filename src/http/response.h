// What a request is answered with, and its bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace reveal::http {

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kTarType = "application/x-tar";
inline constexpr std::string_view kTextType = "text/plain; charset=utf-8";
inline constexpr std::string_view kEventsType = "text/event-stream";
inline constexpr std::string_view kScriptType = "text/javascript; charset=utf-8";
inline constexpr std::string_view kStyleType = "text/css; charset=utf-8";
inline constexpr std::string_view kHtmlType = "text/html; charset=utf-8";

struct Response {
  int status = 200;  // of kStatuses
  std::string_view type = kTextType;
  std::string body = {};
  std::string etag = {};        // with its quotes; empty: the answer may not be kept
  std::string_view allow = {};  // the methods that a 405 names
  int retry_after_s = 0;        // that a 429 or a 503 names; 0: none
  std::string challenge = {};   // the WWW-Authenticate of a 401
  // A stream instead of a body: its reader has all up to the event with this id, which may be empty
  // (event_stream.h).
  std::optional<std::string> stream_after = {};
  // Makes the answer, all of it, on another thread (slow_work.h), because it takes long.
  std::function<Response()> later = {};
  // It is no answer: whether there is one for who asks is being found out.
  bool is_pending = false;
};

// Returns an error as JSON: {"status": 404, "error": "..."}.
Response error_response(int status, std::string_view what);

// Returns one for what may work a second later.
Response later_again(int status, std::string_view why);

// Returns what `make` returns, or an error if it throws: memory can be refused anywhere in it. That
// is one answer lost, not the server.
Response made(const std::function<Response()>& make);

// Returns the tag of a body: the same body has the same tag.
std::string etag_of(std::string_view body);

// Returns whether an If-None-Match header names the tag. Source: RFC 9110, section 13.1.2.
bool names_etag(std::string_view if_none_match, std::string_view etag);

// What the bytes of an answer depend on besides the answer.
struct Framing {
  bool with_body = true;  // not to a HEAD
  bool keep_alive = false;
  std::int64_t wall_ns = 0;  // now
};

// Returns head and body. Each head has what keeps a browser from running, framing or guessing at
// what it gets.
std::string to_bytes(const Response& response, const Framing& framing);

}  // namespace reveal::http

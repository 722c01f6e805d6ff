// The head of a request: first line and headers, as HTTP/1.0 and 1.1 have them.
//
// The reader is strict, because each liberty is something that two programs can understand in two
// ways: lines end with CR LF, a name touches its colon, no line goes on in the next, Host and
// Content-Length are there at most once, and a body has a known length. Everything is bounded.
//
// Source: RFC 9112; names and meaning of the headers: RFC 9110.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "http/target.h"

namespace reveal::http {

enum class Method : std::uint8_t { kGet, kHead, kPost, kOther };

struct Request {
  Method method = Method::kOther;
  Target target = {};
  std::string host = {};           // empty if there is none
  std::string accept = {};         // several are joined by commas
  std::string if_none_match = {};  // likewise
  std::string last_event_id = {};  // that a reader of a stream has; empty if it names none
  std::string authorization = {};  // what says who asks; empty if nothing does
  std::string origin = {};         // of the page that a browser asks for; empty if it names none
  bool keep_alive = false;         // the connection may stay open afterwards
  std::string body = {};
};

inline constexpr std::size_t kMostLineBytes = 2048;  // of the first line
inline constexpr std::size_t kMostHeadBytes = 8192;
inline constexpr std::size_t kMostHeaders = 64;
inline constexpr std::size_t kMostBodyBytes = std::size_t{64} << 10;
// Over TCP, from somebody who may yet be refused.
inline constexpr std::size_t kMostAskedBodyBytes = std::size_t{4} << 10;

// The head has not ended yet.
struct NeedsMore {};

// A head that is complete. The body is not in `request` yet.
struct Head {
  Request request;
  std::size_t head_bytes = 0;
  std::size_t body_bytes = 0;  // that follow
};

// A request that gets no other answer than this, and after which the connection ends: where the
// next one begins is not known.
struct Refusal {
  int status = 400;
  std::string why;
};

// Reads the head at the beginning of what has arrived so far.
std::variant<NeedsMore, Head, Refusal> parse_head(std::string_view arrived);

}  // namespace reveal::http

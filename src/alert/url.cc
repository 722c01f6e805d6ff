#include "alert/url.h"

#include <algorithm>
#include <charconv>

namespace reveal::alert {
namespace {

using base::Result;

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;
constexpr std::size_t kLongest = 2000;

base::Unexpected refuse(std::string what) {
  return base::fail(base::ErrorKind::kUsage, std::move(what), {},
                    "write it as http://HOST:PORT/PATH or https://HOST:PORT/PATH");
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool parse_port(std::string_view text, std::uint16_t& port) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  return failed == std::errc() && end == text.data() + text.size() && port != 0;
}

// Takes "host", "host:port" or "[address]:port" apart.
Result<void> split_authority(std::string_view authority, Url& out) {
  std::string_view rest;
  if (authority.starts_with('[')) {
    const auto close = authority.find(']');
    if (close == std::string_view::npos) return refuse("the address has no closing bracket");
    out.host = authority.substr(1, close - 1);
    rest = authority.substr(close + 1);
  } else {
    const auto colon = authority.find(':');
    out.host = authority.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : authority.substr(colon);
  }
  if (out.host.empty()) return refuse("the address names no host");
  if (rest.empty()) return {};
  if (!rest.starts_with(':') || !parse_port(rest.substr(1), out.port)) {
    return refuse("the port is not a number from 1 to 65535");
  }
  return {};
}

}  // namespace

std::string Url::shown() const {
  return (tls ? "https://" : "http://") + authority;
}

Result<Url> parse_url(std::string_view text) {
  Url out;
  if (text.size() > kLongest) return refuse("the address is too long");
  if (!is_printable(text)) return refuse("the address has a character that is not allowed there");
  if (text.starts_with("https://")) {
    out.tls = true;
    text.remove_prefix(8);
  } else if (text.starts_with("http://")) {
    text.remove_prefix(7);
  } else {
    return refuse("the address begins neither with http:// nor with https://");
  }
  out.port = out.tls ? kHttpsPort : kHttpPort;
  const auto end = text.find_first_of("/?#");
  out.authority = text.substr(0, end);
  out.target = end == std::string_view::npos ? "" : text.substr(end);
  if (out.authority.find('@') != std::string::npos) {
    return base::fail(base::ErrorKind::kUsage, "the address holds a user name", {},
                      "put a token into a file, and name it as token_file");
  }
  if (out.target.find('#') != std::string::npos) return refuse("the address has a fragment (#)");
  if (!out.target.starts_with('/')) out.target = "/" + out.target;
  if (auto split = split_authority(out.authority, out); !split) return base::pass(split);
  return out;
}

}  // namespace reveal::alert

#include "http/request.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "text/parse_number.h"

namespace reveal::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

// Source: RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
  const auto is_token_char = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

Method method_of(std::string_view word) {
  if (word == "GET") return Method::kGet;
  if (word == "HEAD") return Method::kHead;
  if (word == "POST") return Method::kPost;
  return Method::kOther;
}

// Reads one head, line by line; each function returns what is wrong, or nothing.
class HeadReader {
 public:
  std::optional<Refusal> read_first_line(std::string_view line);
  std::optional<Refusal> read_header(std::string_view line);
  std::optional<Refusal> finish();

  Head take(std::size_t head_bytes) {
    out_.head_bytes = head_bytes;
    return std::move(out_);
  }

 private:
  std::optional<Refusal> read_version(std::string_view version);
  std::optional<Refusal> read_host(std::string_view value);
  std::optional<Refusal> read_length(std::string_view value);
  std::optional<Refusal> read_authorization(std::string_view value);
  void read_connection(std::string_view value);

  Head out_;
  bool newest_version_ = false;  // HTTP/1.1
  std::size_t headers_ = 0;
  bool has_host_ = false;
  bool has_length_ = false;
  bool has_authorization_ = false;
};

std::optional<Refusal> HeadReader::read_first_line(std::string_view line) {
  if (line.size() > kMostLineBytes) return Refusal{414, "the address is too long"};
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return Refusal{400, "the first line is not METHOD ADDRESS VERSION"};
  }
  const auto method = line.substr(0, first);
  if (!is_token(method)) return Refusal{400, "the method is not a word"};
  out_.request.method = method_of(method);
  if (auto refused = read_version(line.substr(last + 1))) return refused;
  const auto text = line.substr(first + 1, last - first - 1);
  if (text.find(' ') != std::string_view::npos) return Refusal{400, "a blank in the address"};
  auto target = parse_target(text);
  if (!target) return Refusal{400, target.error().message()};
  out_.request.target = std::move(*target);
  return {};
}

std::optional<Refusal> HeadReader::read_version(std::string_view version) {
  newest_version_ = version == "HTTP/1.1";
  out_.request.keep_alive = newest_version_;
  if (newest_version_ || version == "HTTP/1.0") return {};
  if (version.starts_with("HTTP/")) return Refusal{505, "only HTTP/1.0 and HTTP/1.1"};
  return Refusal{400, "the first line does not end with a version of HTTP"};
}

std::optional<Refusal> HeadReader::read_header(std::string_view line) {
  if (++headers_ > kMostHeaders) return Refusal{431, "more than 64 headers"};
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return Refusal{400, "a header is not NAME: VALUE"};
  }
  const auto name = lower(line.substr(0, colon));
  const auto value = text::trimmed(line.substr(colon + 1));
  if (has_control(value)) return Refusal{400, "a control character in a header"};
  const auto join = [&](std::string& all) {
    if (!all.empty()) all += ',';
    all += value;
  };
  if (name == "host") return read_host(value);
  if (name == "content-length") return read_length(value);
  if (name == "authorization") return read_authorization(value);
  if (name == "transfer-encoding") return Refusal{501, "a body needs a Content-Length"};
  if (name == "expect") return Refusal{417, "nothing is promised before the body is here"};
  if (name == "connection") read_connection(value);
  if (name == "accept") join(out_.request.accept);
  if (name == "if-none-match") join(out_.request.if_none_match);
  if (name == "origin") out_.request.origin = value;
  if (name == "last-event-id") out_.request.last_event_id = value;
  return {};
}

std::optional<Refusal> HeadReader::read_host(std::string_view value) {
  if (std::exchange(has_host_, true)) return Refusal{400, "more than one Host"};
  out_.request.host = value;
  return {};
}

std::optional<Refusal> HeadReader::read_length(std::string_view value) {
  if (std::exchange(has_length_, true)) return Refusal{400, "more than one Content-Length"};
  const bool digits = value.find_first_not_of("0123456789") == std::string_view::npos;
  if (value.empty() || !digits) return Refusal{400, "the Content-Length is not a number"};
  const auto length = text::parse_u64(value);
  if (!length || *length > kMostBodyBytes) return Refusal{413, "more than 64 KiB"};
  out_.body_bytes = static_cast<std::size_t>(*length);
  return {};
}

std::optional<Refusal> HeadReader::read_authorization(std::string_view value) {
  if (std::exchange(has_authorization_, true)) return Refusal{400, "more than one Authorization"};
  out_.request.authorization = value;
  return {};
}

void HeadReader::read_connection(std::string_view value) {
  const auto words = lower(value);
  if (words.find("close") != std::string::npos) {
    out_.request.keep_alive = false;
  } else if (words.find("keep-alive") != std::string::npos) {
    out_.request.keep_alive = true;
  }
}

std::optional<Refusal> HeadReader::finish() {
  if (newest_version_ && !has_host_) return Refusal{400, "HTTP/1.1 needs a Host"};
  if (out_.body_bytes > 0 && out_.request.method != Method::kPost) {
    return Refusal{400, "only a POST has a body"};
  }
  return {};
}

// Returns what is wrong with a head of which the end has not come.
std::variant<NeedsMore, Head, Refusal> unfinished(std::string_view arrived) {
  if (!arrived.empty() && !is_token(arrived.substr(0, 1))) return Refusal{400, "this is not HTTP"};
  const bool has_line = arrived.substr(0, kMostLineBytes + 2).find(kLineEnd) != std::string::npos;
  if (!has_line && arrived.size() > kMostLineBytes) return Refusal{414, "the address is too long"};
  if (arrived.size() > kMostHeadBytes) return Refusal{431, "the headers are too long"};
  return NeedsMore{};
}

}  // namespace

std::variant<NeedsMore, Head, Refusal> parse_head(std::string_view arrived) {
  const auto end = arrived.substr(0, kMostHeadBytes).find("\r\n\r\n");
  if (end == std::string_view::npos) return unfinished(arrived);
  HeadReader reader;
  auto rest = arrived.substr(0, end);
  for (bool first = true; first || !rest.empty(); first = false) {
    const auto line = rest.substr(0, rest.find(kLineEnd));
    rest.remove_prefix(std::min(rest.size(), line.size() + kLineEnd.size()));
    auto refused = first ? reader.read_first_line(line) : reader.read_header(line);
    if (refused) return std::move(*refused);
  }
  if (auto refused = reader.finish()) return std::move(*refused);
  return reader.take(end + 4);
}

}  // namespace reveal::http

#include "alert/http.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "alert/connection.h"
#include "base/sigpipe.h"
#include "text/safe_text.h"

namespace reveal::alert {
namespace {

constexpr std::size_t kLongestHead = 16384;
constexpr std::size_t kLongestText = 500;
constexpr std::string_view kHeadEnd = "\r\n\r\n";

// What says of the request itself that it is wrong. All others may have another answer later: a
// gateway whose service restarts says 404 as well as 503.
constexpr std::array kFinalStatuses = {400, 410, 413, 414, 415, 422, 431};

std::string text_of(const HttpPost& request) {
  std::string out = fmt::format(
      "POST {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: reveal/{}\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\nConnection: close\r\n",
      request.url.target, request.url.authority, REVEAL_VERSION, request.body.size());
  for (const auto& [name, value] : request.headers) out += fmt::format("{}: {}\r\n", name, value);
  return out + "\r\n" + request.body;
}

struct Answer {
  int status = 0;
  std::string location;
  std::string text;
};

// Returns the status of "HTTP/1.1 200 OK", or nothing.
std::optional<int> status_of(std::string_view head) {
  if (!head.starts_with("HTTP/1.") || head.size() < 12 || head[8] != ' ') return std::nullopt;
  int out = 0;
  for (const char digit : head.substr(9, 3)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    out = out * 10 + (digit - '0');
  }
  return out;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

// Returns a header's value, without the blanks around it.
std::string header_of(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const auto end = head.find("\r\n");
    const auto line = head.substr(0, end);
    head = end == std::string_view::npos ? std::string_view() : head.substr(end + 2);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !same_ignoring_case(line.substr(0, colon), name))
      continue;
    auto value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    return std::string(value);
  }
  return {};
}

// Appends what comes next; returns whether anything did.
base::Result<bool> read_more(Connection& connection, std::string& into, Deadline deadline) {
  std::array<char, 4096> block{};
  const auto count = connection.read(block, deadline);
  if (!count) return base::pass(count);
  into.append(block.data(), *count);
  return *count != 0;
}

// Reads as much of the answer's text as an error shows; that it ends early is no error.
std::string read_text(Connection& connection, std::string begin, Deadline deadline) {
  while (begin.size() < kLongestText) {
    const auto more = read_more(connection, begin, deadline);
    if (!more || !*more) break;
  }
  return begin.substr(0, kLongestText);
}

base::Result<Answer> read_answer(Connection& connection, Deadline deadline) {
  std::string bytes;
  for (;;) {
    const auto end = bytes.find(kHeadEnd);
    if (end == std::string::npos) {
      if (bytes.size() > kLongestHead) {
        return base::fail(base::ErrorKind::kCorrupt, "the answer's head has no end");
      }
      const auto more = read_more(connection, bytes, deadline);
      if (!more) return base::pass(more);
      if (!*more) {
        return base::fail(base::ErrorKind::kIo, "the connection was closed without an answer");
      }
      continue;
    }
    const auto head = std::string_view(bytes).substr(0, end);
    const auto status = status_of(head);
    if (!status) return base::fail(base::ErrorKind::kCorrupt, "the answer is not HTTP");
    if (*status >= 100 && *status < 200) {  // the real answer follows
      bytes.erase(0, end + kHeadEnd.size());
      continue;
    }
    Answer out{*status, header_of(head, "Location"), {}};
    if (*status >= 300) {
      out.text = read_text(connection, bytes.substr(end + kHeadEnd.size()), deadline);
    }
    return out;
  }
}

Delivery failed(Outcome outcome, const base::Error& error) {
  return {outcome, text::inert(error.message())};
}

}  // namespace

Delivery delivery_of(int status, const std::string& location, const std::string& text) {
  if (status >= 200 && status < 300) return {};
  std::string error = fmt::format("answers {}", status);
  if (status >= 300 && status < 400) {
    error += location.empty() ? " (a redirect" : fmt::format(" (a redirect to {}", location);
    return {Outcome::kNotTaken,
            text::inert(error + "): redirects are not followed; configure the final address")};
  }
  if (!text.empty()) error += ": " + text;
  const bool is_final =
      std::find(kFinalStatuses.begin(), kFinalStatuses.end(), status) != kFinalStatuses.end();
  return {is_final ? Outcome::kRefused : Outcome::kNotTaken, text::inert(error)};
}

Delivery post(const HttpPost& request, const Stop& stop, const BeforeSending& before_sending) {
  const base::NoSigpipe quiet;
  Deadline deadline = std::chrono::steady_clock::now() + request.timeout;
  auto connection = Connection::open(request.url, request.ca_file, deadline, stop);
  if (!connection) return failed(Outcome::kNotTaken, connection.error());
  const auto ready = std::chrono::steady_clock::now();
  before_sending();
  deadline += std::chrono::steady_clock::now() - ready;
  const auto sent = connection->write(text_of(request), deadline);
  // One that refuses a request may say so before it has read all of it.
  const auto answer = read_answer(*connection, deadline);
  if (answer) return delivery_of(answer->status, answer->location, answer->text);
  // Without its last byte nobody takes a request of a stated length.
  if (!sent) return failed(Outcome::kNotTaken, sent.error());
  return failed(Outcome::kUnknown, answer.error());
}

}  // namespace reveal::alert

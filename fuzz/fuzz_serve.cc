// Feeds any text to the readers of what comes over HTTP; the first byte chooses one of them: a
// request, an address, an Accept header, a Host header, an Authorization header, an answer, the
// status of an agent, and, which come from files, users and tokens. What a request asks for is then
// answered, by an agent about which nothing is known.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "access/credentials.h"
#include "access/lists.h"
#include "http/accept.h"
#include "http/own_host.h"
#include "http/request.h"
#include "http/samples.h"
#include "http/socket_client.h"
#include "http/target.h"
#include "serve/findings_json.h"
#include "serve/health.h"
#include "serve/routes.h"

namespace {

using namespace reveal::http;
using namespace reveal::serve;

void check(bool holds) {
  if (!holds) std::abort();
}

// The answer fits into a head that a client can read back.
void answer_request(const Request& request) {
  static const Published kNothing{std::make_shared<const AgentState>()};
  static const HttpCounts kCounts;
  static const Callbacks kCallbacks;
  static const PageFiles kPage;
  static ChannelsJson channels;
  const Caller caller{.over_socket = true};
  const Asked asked{.caller = caller, .counts = kCounts};
  const auto response = answer_by(routes(), request, asked,
                                  Context{.published = kNothing,
                                          .callbacks = kCallbacks,
                                          .page = kPage,
                                          .channels = channels,
                                          .asked = asked});
  const auto bytes = to_bytes(response, {});
  if (response.status == 304) return;
  const auto read = parse_answer(bytes, true);
  check(read && *read && (*read)->status == response.status && (*read)->body == response.body);
}

void read_request(const std::string& text) {
  auto parsed = parse_head(text);
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) check(refusal->status >= 400);
  auto* head = std::get_if<Head>(&parsed);
  if (head == nullptr) return;
  check(head->head_bytes <= text.size() && head->head_bytes <= kMostHeadBytes);
  check(head->body_bytes <= kMostBodyBytes);
  // What follows a head does not change it, and no part of it is one.
  check(std::holds_alternative<Head>(parse_head(text + "x")));
  check(!std::holds_alternative<Head>(parse_head(text.substr(0, head->head_bytes - 1))));
  answer_request(head->request);
}

void read_target(const std::string& text) {
  const auto target = parse_target(text);
  if (!target) return;
  check(target->path.starts_with('/') && target->path.find('\0') == std::string::npos);
  check(target->parameters.size() <= kMostParameters);
  for (const auto& parameter : target->parameters) {
    const auto again =
        parse_target("/?" + encoded(parameter.name) + "=" + encoded(parameter.value));
    check(again && again->parameters.size() == 1);
    check(again->parameters[0].name == parameter.name);
    check(again->parameters[0].value == parameter.value);
  }
  const auto query = parse_finding_query(target->parameters);
  if (query) check(!findings_json({}, *query).empty());
}

void read_accept(const std::string& text) {
  for_each_accepted(text, [](const Accepted& one) { check(one.quality >= 0 && one.quality <= 1); });
  static_cast<void>(accepted_exposition(text));
}

void read_answer(const std::string& text) {
  const auto answer = parse_answer(text, true);
  if (answer && *answer) check((*answer)->status >= 100 && (*answer)->body.size() < text.size());
}

void read_status(const std::string& text) {
  const auto line = judge_health(text).line;
  check(line.starts_with("REVEAL ") && line.find('\n') == std::string::npos);
}

void read_credentials(const std::string& text) {
  using namespace reveal::access;
  const auto credentials = parse_credentials(text);
  if (const auto* password = std::get_if<Password>(&credentials)) {
    check(password->name.find(':') == std::string::npos);
    check((password->name + password->secret).find('\0') == std::string::npos);
  }
  if (const auto* token = std::get_if<Token>(&credentials)) check(!token->secret.empty());
}

void read_lists(const std::string& text) {
  using namespace reveal::access;
  if (const auto users = parse_users(text, "users")) {
    for (const auto& user : *users) check(!user.who.name.empty() && user.hash.size() == 60);
  }
  if (const auto tokens = parse_tokens(text, "tokens")) {
    for (const auto& token : *tokens) check(token.who.role != Role::kNobody);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'r':
      read_request(text);
      break;
    case 't':
      read_target(text);
      break;
    case 'a':
      read_accept(text);
      break;
    case 'h':
      static_cast<void>(is_own_host(text, "10.0.0.5", {}));
      break;
    case 'c':
      read_credentials(text);
      break;
    case 'l':
      read_lists(text);
      break;
    case 'w':
      read_answer(text);
      break;
    case 's':
      read_status(text);
      break;
    default:
      break;
  }
  return 0;
}

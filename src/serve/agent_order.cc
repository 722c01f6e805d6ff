#include "serve/agent_order.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reveal::serve {
namespace {

using http::ask_over_socket;

// Returns the text under the key of an answer, or nothing if it is no such object.
std::string text_of(const std::string& body, const char* key) {
  const auto json = nlohmann::json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return {};
  const auto text = json.find(key);
  return text != json.end() && text->is_string() ? text->get<std::string>() : std::string();
}

}  // namespace

base::Result<std::string> order_over_socket(const std::string& path, const Order& order,
                                            std::chrono::milliseconds patience) {
  const auto answer = ask_over_socket(
      path, {.method = "POST", .target = order.target, .body = order.body}, patience);
  if (!answer) return base::pass(answer);
  if (answer->status == 200) return text_of(answer->body, "told");
  const auto why = text_of(answer->body, "error");
  return base::fail(base::ErrorKind::kIo,
                    why.empty() ? fmt::format("the agent answered with status {}", answer->status)
                                : "the agent refused: " + why,
                    path);
}

}  // namespace reveal::serve

// Asks an agent over its unix socket to do something: to note a mark, to keep a stretch.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "http/socket_client.h"

namespace reveal::serve {

struct Order {
  std::string target = {};  // such as /-/mark
  std::string body = {};
};

// Returns what the agent answers, for people. Fails as ask_over_socket() does, and with kIo and the
// agent's own words if it refuses.
base::Result<std::string> order_over_socket(
    const std::string& path, const Order& order,
    std::chrono::milliseconds patience = http::kUsualPatience);

}  // namespace reveal::serve

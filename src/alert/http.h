// One POST of JSON to a receiver, and whether it took it.
//
// Redirects are not followed: what an alert says must not go where nobody configured it to. Proxies
// of the environment are not used. Of an answer only its head and the begin of its text are read.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "alert/delivery.h"
#include "alert/stop.h"
#include "alert/url.h"

namespace reveal::alert {

struct HttpPost {
  Url url;
  std::filesystem::path ca_file;                             // empty: the system's authorities
  std::vector<std::pair<std::string, std::string>> headers;  // in addition to the usual ones
  std::string body;
  std::chrono::milliseconds timeout{5000};  // of all of it, from the look-up to the answer
};

// Sends it on this thread. `stop` ends it only before the request is sent: after that the receiver
// may take it, and the answer tells.
Delivery post(const HttpPost& request, const Stop& stop, const BeforeSending& before_sending);

// Returns what an answer with this status means; `text` is the begin of what came with it, and
// `location` where it redirects to.
Delivery delivery_of(int status, const std::string& location, const std::string& text);

}  // namespace reveal::alert

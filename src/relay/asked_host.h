// A question to a host of the fleet, and its answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "base/result.h"
#include "bus/requester.h"
#include "wire/question.h"

namespace reveal::relay {

struct HostAnswer {
  int status = 0;         // of HTTP
  int retry_after_s = 0;  // after which it may work; 0: nothing is said
  std::string type;       // as the host says
  std::string body;
};

// Asks a host, by its id. Waits for up to `patience` for each part of the answer, or sign that it
// is being made, and for up to kLongestAnswer for all of it. Fails, besides as Requester::ask():
// with kAway, and at once, if the host is not there; with kCorrupt if the answer is malformed; with
// kIo if a part of it was lost; with kUsage if `host` is no id or the question cannot be sent.
inline constexpr std::chrono::milliseconds kPatience{5000};
inline constexpr std::chrono::seconds kLongestAnswer{60};
base::Result<HostAnswer> ask_host(bus::Requester& requester, const std::string& host,
                                  const wire::Question& question,
                                  std::chrono::milliseconds patience = kPatience);

// Returns what an answer that is an error says, on one line.
std::string error_text(const HostAnswer& answer);

}  // namespace reveal::relay

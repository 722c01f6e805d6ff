// Asks an agent on this host over its unix socket. Whoever calls is a prolog or a health check that
// must not be kept waiting: everything together ends by a deadline, and the answer is bounded.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reveal::http {

inline constexpr std::chrono::milliseconds kUsualPatience{50};
inline constexpr std::size_t kMostAnswerBytes = std::size_t{1} << 20;

struct SocketRequest {
  std::string method = "GET";
  std::string target = {};  // encoded; begins with a slash
  std::string body = {};
};

struct SocketAnswer {
  int status = 0;
  std::string body = {};
};

// Returns the answer, whatever its status. Fails with kAbsent if nobody answers at the path, with
// kIo if the answer is not complete in time, with kCorrupt if it is not one or too large, else as
// the system does.
base::Result<SocketAnswer> ask_over_socket(const std::string& path, const SocketRequest& request,
                                           std::chrono::milliseconds patience = kUsualPatience);

// The same for a GET. Fails also, with kIo, if the status is not 200.
base::Result<std::string> fetch_over_socket(const std::string& path, const std::string& target,
                                            std::chrono::milliseconds patience = kUsualPatience);

// Returns the answer in what has arrived, or nothing if more is needed. Fails with kCorrupt if it
// is not an answer. REQUIRES: the request asked for the connection to be closed. `ended` says
// whether it is.
base::Result<std::optional<SocketAnswer>> parse_answer(std::string_view arrived, bool ended);

}  // namespace reveal::http

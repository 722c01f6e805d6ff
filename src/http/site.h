// What a server serves: answers, and a stream of events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "http/caller.h"
#include "http/event_board.h"
#include "http/http_counts.h"
#include "http/request.h"
#include "http/response.h"

namespace reveal::http {

// What a server knows of a request besides its bytes.
struct Asked {
  const Caller& caller;
  const HttpCounts& counts;
  std::span<const std::string> names = {};  // of this host, besides localhost and addresses
  std::span<const std::string> certificate_names = {};  // of its certificate
  std::int64_t wall_ns = 0;                             // now
};

class Site {
 public:
  Site() = default;
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  virtual ~Site() = default;

  // Returns whether a request is answered whoever sends it. From any thread.
  virtual bool is_for_all(const Request& request) const = 0;
  // Returns the answer to a request, within a few milliseconds. That to a HEAD has the body that a
  // GET would get. From the server's thread.
  virtual Response answer(const Request& request, const Asked& asked) = 0;
  // Returns how many answers may be made at a time on other threads, at least 1: who asks for one
  // more is asked to come again.
  virtual std::size_t most_made() const { return 1; }

  // Returns the events that its streams tell. It may be called from any thread.
  virtual EventBoard& events() = 0;
  // Returns the name of the host that it tells of, for the begin of a stream.
  virtual std::string host() const = 0;
};

}  // namespace reveal::http

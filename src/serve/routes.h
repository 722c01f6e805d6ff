// What the server has at which address: one row a path, and the function that answers it. The
// functions get plain values and return plain values: no test of theirs needs a socket.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "access/who.h"
#include "base/result.h"
#include "serve/channels_json.h"
#include "serve/http_counts.h"
#include "serve/request.h"
#include "serve/response.h"
#include "serve/samples.h"
#include "serve/series_query.h"
#include "serve/state_board.h"

namespace reveal::serve {

// Who sent a request.
struct Caller {
  bool over_socket = false;        // the unix socket; its file's mode decides who may use it
  std::uint32_t user = 0;          // the user id at the other end of the unix socket
  std::string local_address = {};  // of this end of a TCP connection
  bool is_asked = false;           // who it is
  access::Who who = {};            // if that is known
};

// What requests that change something are handed to. A callback runs on the server's thread, so it
// hands the work on and does not wait; it throws nothing. It returns a line to tell the caller, or
// an error, which the caller gets with status 400. One that is empty is answered with 501.
struct Callbacks {
  using Function = std::function<base::Result<std::string>(const std::string& text, const Caller&)>;

  Function reload = {};  // the text is empty
  Function mark = {};    // the text is not empty
  Function pin = {};

  // Returns the JSON of what /api/v1/series is asked for. It runs on another thread, one call at a
  // time for each server, and may take seconds. Fails with kBusy if it cannot be had at the moment,
  // with kUsage if there is no such channel.
  std::function<base::Result<std::string>(const SeriesQuery&)> series = {};

  // Returns the recording that is kept of a finding, as a tar. It runs as `series` does. Fails with
  // kAbsent if there is none.
  std::function<base::Result<std::string>(const std::string& id)> evidence = {};

  // Returns what is recorded, as metrics (the group kRecordedGroup). For a few milliseconds.
  std::function<std::string(Exposition)> recorded = {};
};

// A mark is a note in the recording.
inline constexpr std::size_t kMostMarkBytes = 1024;

// The live page's own script and style; empty if the program was built without them.
struct PageFiles {
  std::string_view script = {};
  std::string_view style = {};
};

// What answers are made of.
struct Context {
  const Published& published;
  const HttpCounts& counts;
  const Callbacks& callbacks;
  const Caller& caller;
  std::span<const std::string> names;  // of this host, besides localhost and addresses
  std::span<const std::string> certificate_names = {};  // of its certificate
  const PageFiles& page;
  ChannelsJson& channels;    // what the answer before this one has left there
  std::int64_t wall_ns = 0;  // now
};

struct Route {
  std::string_view path;  // of a prefix: what follows it is the route's own matter
  bool is_prefix = false;
  // Only a POST, and only over the unix socket or by an operator; else only GET and HEAD.
  bool changes = false;
  bool for_all = false;   // says nothing that a foreign page, or somebody unknown, must not know
  std::string_view help;  // a noun phrase
  Response (*answer)(const Request& request, const Context& context) = nullptr;
};
std::span<const Route> routes();

// Returns whether a request is answered whoever sends it.
bool is_for_all(const Request& request);

// Returns the answer to a request. REQUIRES: if the caller is asked who it is, and the request is
// not for all, it is known. That to a HEAD has the body that a GET would get.
Response answer(const Request& request, const Context& context);

}  // namespace reveal::serve

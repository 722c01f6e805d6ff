// What the agent has at which address (http/route.h).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/route.h"
#include "http/samples.h"
#include "serve/channels_json.h"
#include "serve/series_query.h"
#include "serve/state_board.h"

namespace reveal::serve {

// What requests that change something are handed to. A callback runs on the server's thread, so it
// hands the work on and does not wait; it throws nothing. It returns a line to tell the caller, or
// an error, which the caller gets with status 400. One that is empty is answered with 501.
struct Callbacks {
  using Function =
      std::function<base::Result<std::string>(const std::string& text, const http::Caller&)>;

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

  // Returns how a finding came about, as `reveal explain` prints it. It runs as `series` does.
  // Fails with kAbsent if there is no such finding, with kTooLittle if nothing was kept that
  // explains it.
  std::function<base::Result<std::string>(const std::string& id)> explanation = {};

  // Returns what is recorded, as metrics (the group kRecordedGroup). For a few milliseconds.
  std::function<std::string(http::Exposition)> recorded = {};
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
  const Callbacks& callbacks;
  const PageFiles& page;
  ChannelsJson& channels;  // what the answer before this one has left there
  const http::Asked& asked;
};

std::span<const http::Route<Context>> routes();

}  // namespace reveal::serve

// The web side: what the HTTP servers show, and whom their requests go to.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "agent/mark_desk.h"
#include "agent/paths.h"
#include "agent/pins.h"
#include "base/result.h"
#include "serve/server.h"
#include "serve/state_board.h"
#include "settings/settings.h"

namespace reveal::agent {

class WebSide {
 public:
  // Starts a server for each address, so that one that cannot be had costs only itself: the log
  // says why. `marks` and `pins` outlive it.
  WebSide(const settings::WebSettings& settings, const std::string& host, const Paths& paths,
          MarkDesk& marks, Pins& pins);

  void publish(std::shared_ptr<const serve::AgentState> state) { board_.publish(std::move(state)); }

 private:
  void open(const std::string& address, bool insecure, const std::string& host);
  serve::Callbacks callbacks();
  base::Result<std::string> series(const serve::SeriesQuery& query);

  MarkDesk& marks_;
  Pins& pins_;
  std::filesystem::path recording_;
  std::mutex series_mutex_;
  serve::StateBoard board_;
  std::vector<std::unique_ptr<serve::Server>> servers_;  // they end before the board
};

}  // namespace reveal::agent

// The web side: what the HTTP servers show, and whom their requests go to.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "agent/mark_desk.h"
#include "agent/options.h"
#include "agent/pins.h"
#include "agent/recorded_metrics.h"
#include "base/result.h"
#include "serve/agent_site.h"
#include "serve/state_board.h"
#include "service/web_servers.h"
#include "settings/settings.h"

namespace reveal::agent {

class WebSide {
 public:
  // As service::WebServers. `recorded`, `marks` and `pins` outlive it.
  WebSide(const settings::WebSettings& settings, const std::string& host, const AgentOptions& agent,
          const RecordedMetrics& recorded, MarkDesk& marks, Pins& pins);

  // Reads certificates, users and tokens anew if their files have changed; the log says so. To be
  // called every second or so.
  void refresh() { servers_->refresh(); }

  // Returns why what the files hold now is not in force; empty if it is.
  std::string trouble() const { return servers_->trouble(); }

  // Returns what the host shows, for one who is not at an address of it.
  http::Site& site_for_fleet() { return fleet_site_; }

  void publish(std::shared_ptr<const serve::AgentState> state) { board_.publish(std::move(state)); }

 private:
  serve::Callbacks callbacks();
  base::Result<std::string> series(const serve::SeriesQuery& query);
  base::Result<std::string> explanation(const std::string& id) const;

  const RecordedMetrics& recorded_;
  MarkDesk& marks_;
  Pins& pins_;
  std::filesystem::path config_file_;  // empty: the system's
  std::filesystem::path findings_;
  std::filesystem::path recording_;
  std::function<std::string(const std::string&)> with_documents_;
  std::mutex series_mutex_;
  serve::StateBoard board_;
  serve::AgentSite fleet_site_;
  std::optional<service::WebServers> servers_;  // they end before the board
};

}  // namespace reveal::agent

// The web side: what the HTTP servers show, and whom their requests go to.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "agent/mark_desk.h"
#include "agent/options.h"
#include "agent/pins.h"
#include "agent/recorded_metrics.h"
#include "agent/web_options.h"
#include "base/result.h"
#include "http/server.h"
#include "serve/agent_site.h"
#include "serve/state_board.h"
#include "settings/settings.h"

namespace reveal::agent {

class WebSide {
 public:
  // Starts a server for each address, so that one that cannot be had costs only itself: the log
  // says why. If TLS or the files of users cannot be had, only unix sockets are served. `recorded`,
  // `marks` and `pins` outlive it.
  WebSide(const settings::WebSettings& settings, const std::string& host, const AgentOptions& agent,
          const RecordedMetrics& recorded, MarkDesk& marks, Pins& pins);

  // Reads certificates, users and tokens anew if their files have changed; the log says so. To be
  // called every second or so.
  void refresh();

  // Returns why what the files hold now is not in force; empty if it is.
  std::string trouble() const;

  void publish(std::shared_ptr<const serve::AgentState> state) { board_.publish(std::move(state)); }

 private:
  void open(const std::string& address, const settings::WebSettings& settings,
            const std::string& host);
  static void keep_trouble(const base::Result<bool>& outcome, const char* what,
                           std::string& trouble);
  serve::Callbacks callbacks();
  base::Result<std::string> series(const serve::SeriesQuery& query);

  const RecordedMetrics& recorded_;
  MarkDesk& marks_;
  Pins& pins_;
  std::filesystem::path config_file_;  // empty: the system's
  std::filesystem::path findings_;
  std::filesystem::path recording_;
  std::mutex series_mutex_;
  WebGuard guard_;
  std::string guard_trouble_;  // why there is none
  std::string tls_trouble_;
  std::string gate_trouble_;
  serve::StateBoard board_;
  std::vector<std::unique_ptr<serve::AgentSite>> sites_;
  std::vector<std::unique_ptr<http::Server>> servers_;  // they end before board and sites
};

}  // namespace reveal::agent

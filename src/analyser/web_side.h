// The web side: what an analyser's HTTP servers show, and how they ask what is not in the state.
//
// The loop's thread publishes a state a second and answers questions between its rounds. The
// database is read on the servers' threads, over a connection of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "analyser/analyser.h"
#include "analyser/loop.h"
#include "analyser/published_fleet.h"
#include "analyser/questions.h"
#include "analyser/receivers.h"
#include "base/result.h"
#include "bus/requester.h"
#include "fleet_site/site.h"
#include "ledger/past_incidents.h"
#include "relay/host_pages.h"
#include "service/web_servers.h"

namespace reveal::analyser {

// Fails with kUsage if an address is none or may not be served, and as service::open_guard().
base::Result<void> check_web(const settings::WebSettings& web);

class WebSide {
 public:
  // Memory of the last minutes' levels.
  static constexpr std::size_t kMostKeptBytes = std::size_t{192} << 20;

  // Starts the servers; `notice` gets a line of what comes of that. `host` is this machine's name.
  WebSide(const AnalyserOptions& options, const std::string& host,
          std::function<void(std::string_view)> notice);
  ~WebSide();
  WebSide(const WebSide&) = delete;
  WebSide& operator=(const WebSide&) = delete;

  // Takes what is new of an incident.
  void take(const peers::News& news) { published_.take(news); }

  // Answers what is asked, and publishes if it is time. To be called after each round of the loop,
  // with the steady clock. `receivers` may be null.
  void round(Loop& loop, const Receivers* receivers, std::int64_t steady_ns);

 private:
  // What is read from the database, and written by the loop elsewhere.
  class Past;

  fleet_site::Callbacks callbacks();
  http::Response host_page(std::string_view rest, const http::Request& request);
  base::Result<fleet_site::HostDetail> host_of(const std::string& id);
  base::Result<std::vector<peers::QuantityView>> quantities_of(const std::string& group);
  base::Result<fleet_site::KeptQuantity> levels_of(const fleet_site::LevelQuery& query);

  std::unique_ptr<Past> past_;  // null: there is no database
  std::unique_ptr<bus::Requester> requester_;
  std::optional<relay::HostPages> host_pages_;  // nothing: no host can be asked
  PublishedFleet published_;
  Questions questions_;
  fleet_site::FleetBoard board_;
  std::int64_t published_ns_ = 0;
  std::int64_t refreshed_ns_ = 0;
  std::optional<service::WebServers> servers_;  // they end before all that they use
};

}  // namespace reveal::analyser

// What the analyser has at which address (http/route.h). All of it is read only.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet_site/fleet_board.h"
#include "fleet_site/host_json.h"
#include "fleet_site/incidents_json.h"
#include "fleet_site/levels_json.h"
#include "http/route.h"

namespace reveal::fleet_site {

// What is not in the state, because few ask for it. Each runs on another thread than the server's,
// and may take a second. They fail with kAbsent if there is no such thing, with kBusy if it cannot
// be had at the moment, and with kAway if the database does not answer. One that is empty is
// answered with 501, except `incidents`.
struct Callbacks {
  std::function<base::Result<HostDetail>(const std::string& id)> host = {};
  std::function<base::Result<std::vector<peers::QuantityView>>(const std::string& group)>
      quantities = {};
  // What it has of a quantity is kept from then on.
  std::function<base::Result<KeptQuantity>(const LevelQuery&)> levels = {};
  // Of the last days; empty: there is no database.
  std::function<base::Result<ShownList>(const IncidentQuery&)> incidents = {};
  // Returns the answer to a GET of what is at `rest` below "/hosts/": the live page of the host
  // with the id that it begins with, and what that asks for. It does not wait.
  std::function<http::Response(std::string_view rest, const http::Request&)> host_page = {};
  // Returns null if there is none with that id.
  std::function<base::Result<std::shared_ptr<const ShownIncident>>(const std::string& id)>
      incident = {};
};

// The page's own script and style; empty if the program was built without them.
struct PageFiles {
  std::string_view script = {};
  std::string_view style = {};
};

// What answers are made of.
struct Context {
  const Published& published;
  const Callbacks& callbacks;
  const PageFiles& page;
  const http::Asked& asked;
};

// A state that is older says nothing of now.
inline constexpr std::chrono::seconds kMostStateAge{10};

std::span<const http::Route<Context>> routes();

}  // namespace reveal::fleet_site

// The fleet as a server's site: its routes (routes.h) and its events, from a board.
#pragma once

#include <string>
#include <utility>

#include "fleet_site/fleet_board.h"
#include "fleet_site/routes.h"
#include "http/site.h"

namespace reveal::fleet_site {

class FleetSite final : public http::Site {
 public:
  // REQUIRES: `board` and what the callbacks use outlive it.
  FleetSite(FleetBoard& board, Callbacks callbacks, PageFiles page)
      : board_(board), callbacks_(std::move(callbacks)), page_(page) {}

  bool is_for_all(const http::Request& request) const override {
    return http::is_for_all(routes(), request);
  }
  http::Response answer(const http::Request& request, const http::Asked& asked) override {
    const auto published = board_.read();
    return http::answer_by(
        routes(), request, asked,
        Context{.published = published, .callbacks = callbacks_, .page = page_, .asked = asked});
  }
  // The pages of hosts wait for these, and each asks for some things at once.
  std::size_t most_made() const override { return 16; }
  http::EventBoard& events() override { return board_.events(); }
  std::string host() const override { return board_.read().state->host; }

 private:
  FleetBoard& board_;
  Callbacks callbacks_;
  PageFiles page_;
};

}  // namespace reveal::fleet_site

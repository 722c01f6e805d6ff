// Asks the analyser's page for any target: of a made fleet, with a database that has its incidents,
// too. Answers fit into a head that a client can read back, and pages of incidents end.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "fleet_site/routes.h"
#include "fleet_site/testing/made_fleet_state.h"
#include "http/socket_client.h"
#include "http/target.h"

namespace {

using namespace reveal;
using namespace reveal::fleet_site;

void check(bool holds) {
  if (!holds) std::abort();
}

Callbacks made_callbacks() {
  Callbacks out;
  out.host = [](const std::string& id) -> base::Result<HostDetail> { return HostDetail{.id = id}; };
  out.quantities = [](const std::string&) {
    return base::Result<std::vector<peers::QuantityView>>(std::vector<peers::QuantityView>(2));
  };
  out.levels = [](const LevelQuery& query) -> base::Result<KeptQuantity> {
    check(query.seconds > 0 && query.seconds <= peers::KeptLevels::kSeconds);
    return KeptQuantity{.table = {.seconds = 1, .hosts = 2, .codes = {0, peers::kNoLevel}}};
  };
  out.incidents = [](const IncidentQuery& query) {
    check(query.limit > 0);
    return base::Result<ShownList>({made_incident(5, peers::Told::kPast)});
  };
  out.incident = [](const std::string&) {
    return base::Result<std::shared_ptr<const ShownIncident>>(nullptr);
  };
  return out;
}

http::Response answer_to(const http::Target& target) {
  static const Published kFleet{std::make_shared<const FleetState>(made_fleet_state())};
  static const http::HttpCounts kCounts;
  static const Callbacks kCallbacks = made_callbacks();
  static const PageFiles kPage;
  const http::Caller caller{.over_socket = true};
  const http::Asked asked{.caller = caller, .counts = kCounts, .wall_ns = kMadeWall_ns};
  const http::Request request{.method = http::Method::kGet, .target = target};
  const auto response = http::answer_by(
      routes(), request, asked,
      Context{.published = kFleet, .callbacks = kCallbacks, .page = kPage, .asked = asked});
  return response.later ? response.later() : response;
}

// Each further page has fewer to come, as there are three in all.
void follow_pages(http::Response response) {
  for (int pages = 0; response.status == 200; ++pages) {
    check(pages < 4);
    const auto next = nlohmann::json::parse(response.body).at("next");
    if (next.is_null()) return;
    const auto target = http::parse_target(next.get<std::string>());
    check(target.has_value());
    response = answer_to(*target);
    check(response.status == 200);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto target = http::parse_target({reinterpret_cast<const char*>(data), size});
  if (!target) return 0;
  const auto response = answer_to(*target);
  if (response.stream_after) return 0;
  const auto read = http::parse_answer(http::to_bytes(response, {}), true);
  check(read && *read && (*read)->status == response.status && (*read)->body == response.body);
  if (target->path == "/api/v1/incidents") follow_pages(response);
  return 0;
}

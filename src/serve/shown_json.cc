#include "serve/shown_json.h"

#include <algorithm>
#include <cmath>

#include "http/json_text.h"

namespace reveal::serve {
namespace {

using http::Json;
using http::one_line;

// Three decimals are more than a chart shows.
double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

Json stretch_json(const PastStretch& stretch, std::size_t subsystems) {
  Json out = {static_cast<double>(stretch.begin_wall_ns) / 1e9,
              rounded(std::min(stretch.strength, 1e6))};
  for (std::size_t i = 0; i < std::min(subsystems, kMostSubsystems); ++i) {
    out.push_back(rounded(stretch.shares[i]));
  }
  return out;
}

}  // namespace

std::string past_json(const AgentState& state) {
  Json out = {{"stretch_seconds", 0}, {"subsystems", Json::array()}, {"stretches", Json::array()}};
  if (state.past) {
    out["stretch_seconds"] = static_cast<double>(state.past->stretch_ns) / 1e9;
    out["subsystems"] = state.past->subsystems;
    for (const auto& one : state.past->stretches) {
      out["stretches"].push_back(stretch_json(one, state.past->subsystems.size()));
    }
  }
  return one_line(out) + "\n";
}

std::string users_json(const AgentState& state) {
  Json out = {{"users", Json::array()}};
  for (const auto& one : state.users) {
    Json users = Json::array();
    for (const auto& user : one.users) {
      users.push_back({{"name", user.name}, {"channel", user.channel}, {"amount", user.amount}});
    }
    out["users"].push_back({{"what", one.what}, {"unit", one.unit}, {"users", std::move(users)}});
  }
  return one_line(out) + "\n";
}

}  // namespace reveal::serve

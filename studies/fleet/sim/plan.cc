#include "plan.h"

#include <nlohmann/json.hpp>

#include "base/whole_file.h"

namespace reveal::sim {
namespace {

using nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

Plan plan_of(const json& all) {
  Plan out{.port = all.at("port"),
           .ca_file = all.at("ca_file").get<std::string>(),
           .seconds = all.at("seconds"),
           .seed = all.at("seed"),
           .noise = all.at("noise"),
           .host_factor = all.at("host_factor"),
           .own_offset = all.at("own_offset"),
           .shift_s = all.at("shift_s"),
           .connects = all.at("connects"),
           .tapes = {},
           .groups = {},
           .faults = {}};
  for (const auto& one : all.at("tapes")) {
    out.tapes.push_back({one.at("recording").get<std::string>(), one.at("avoid")});
  }
  for (const auto& one : all.at("groups")) {
    out.groups.push_back({one.at("role"), one.at("tape"), one.at("hosts")});
    if (out.groups.back().tape >= out.tapes.size()) throw std::out_of_range("a group's tape");
  }
  for (const auto& one : all.at("faults")) {
    out.faults.push_back(
        {one.at("host"), one.at("from_s"), one.at("tape_from_ns"), one.at("tape_to_ns")});
  }
  return out;
}

}  // namespace

base::Result<Plan> read_plan(const std::filesystem::path& file) {
  const auto text = base::read_whole_file(file, "plan", kMostBytes);
  if (!text) return base::pass(text);
  try {
    return plan_of(json::parse(*text));
  } catch (const std::exception& error) {
    return base::fail(base::ErrorKind::kUsage, error.what(), file.string());
  }
}

}  // namespace reveal::sim

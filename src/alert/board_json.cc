#include "alert/board_json.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/bounded_json.h"
#include "base/new_file.h"
#include "base/whole_file.h"

namespace reveal::alert {
namespace {

using base::Result;
using Json = nlohmann::json;

constexpr const char* kFormat = "reveal alerts";
constexpr int kVersion = 1;
constexpr int kDeepest = 16;                                    // a state file has 6 levels
constexpr std::size_t kMostStateBytes = std::size_t{16} << 20;  // kMostBytes, escaped, and more
constexpr mode_t kOwnerOnly = 0600;

template <typename T>
void put(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

// Files of before have only the id of the latest sight.
std::vector<std::string> ids_in(const Json& json, const std::string& id) {
  if (!json.contains("ids")) return id.empty() ? std::vector<std::string>{} : std::vector{id};
  auto out = json.at("ids").get<std::vector<std::string>>();
  if (out.size() > kMostIds) {
    out.erase(out.begin(), out.end() - static_cast<std::ptrdiff_t>(kMostIds));
  }
  return out;
}

// Within bounds whose difference is a number still: a foreign file may state any.
std::int64_t time_in(const Json& json, const char* name) {
  constexpr std::int64_t kLatestNs = std::int64_t{1} << 62;
  return std::clamp(json.at(name).get<std::int64_t>(), std::int64_t{0}, kLatestNs);
}

std::optional<std::int64_t> time_if_in(const Json& json, const char* name) {
  if (!json.contains(name)) return std::nullopt;
  return time_in(json, name);
}

Severity severity_in(const Json& json, const char* name) {
  return severity_from(json.at(name).get<std::string>()).value_or(Severity::kWarning);
}

Json json_of(const Told& told) {
  Json out = {{"closed", told.closed}};
  if (told.open) out["open"] = to_string(*told.open);
  return out;
}

Told told_from(const Json& json) {
  Told out;
  out.closed = json.at("closed").get<bool>();
  if (json.contains("open")) out.open = severity_in(json, "open");
  return out;
}

Json json_of(const Episode& episode) {
  const Alert& alert = episode.alert;
  Json out = {{"id", alert.id},
              {"ids", episode.ids},
              {"labels", alert.labels},
              {"annotations", alert.annotations},
              {"finding", alert.finding},
              {"url", alert.url},
              {"begin_ns", alert.begin_ns},
              {"severity", to_string(episode.severity)},
              {"fired", episode.fired},
              {"opened_ns", episode.opened_ns},
              {"last_open_ns", episode.last_open_ns},
              {"unseen", episode.unseen}};
  if (!alert.episode.empty()) out["episode"] = alert.episode;
  put(out, "end_ns", alert.end_ns);
  put(out, "ended_ns", episode.ended_ns);
  put(out, "closed_ns", episode.closed_ns);
  out["former"] = Json::array();
  for (const FormerSeverity& former : episode.former) {
    out["former"].push_back({{"severity", to_string(former.severity)}, {"end_ns", former.end_ns}});
  }
  out["told"] = Json::object();
  for (const auto& [receiver, told] : episode.told) out["told"][receiver] = json_of(told);
  return out;
}

Episode episode_from(const Json& json) {
  Episode out;
  out.alert.id = json.at("id").get<std::string>();
  out.ids = ids_in(json, out.alert.id);
  out.alert.labels = json.at("labels").get<Labels>();
  out.alert.annotations = json.at("annotations").get<Labels>();
  out.alert.finding = json.at("finding").get<std::string>();
  out.alert.url = json.at("url").get<std::string>();
  out.alert.episode = json.value("episode", std::string());
  out.alert.begin_ns = time_in(json, "begin_ns");
  out.alert.end_ns = time_if_in(json, "end_ns");
  out.identity = identity_of(out.alert.labels);
  out.severity = severity_in(json, "severity");
  out.fired = json.at("fired").get<bool>();
  out.opened_ns = time_in(json, "opened_ns");
  out.last_open_ns = time_in(json, "last_open_ns");
  out.unseen = json.value("unseen", false);
  out.ended_ns = time_if_in(json, "ended_ns");
  out.closed_ns = time_if_in(json, "closed_ns");
  // A closed episode has an end: everything else relies on that.
  if (out.closed_ns && !out.alert.end_ns) out.alert.end_ns = out.closed_ns;
  for (const Json& former : json.at("former")) {
    out.former.push_back({severity_in(former, "severity"), time_in(former, "end_ns")});
  }
  for (const auto& [receiver, told] : json.at("told").items()) out.told[receiver] = told_from(told);
  return out;
}

base::Unexpected not_a_state(std::string what) {
  return base::fail(base::ErrorKind::kCorrupt, std::move(what));
}

}  // namespace

std::string state_text(const std::vector<Episode>& episodes) {
  Json out = {{"format", kFormat}, {"version", kVersion}, {"episodes", Json::array()}};
  for (const Episode& episode : episodes) out["episodes"].push_back(json_of(episode));
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::vector<Episode>> episodes_from(std::string_view text) {
  const auto json = base::parse_bounded<Json>(text, kDeepest);
  if (json.is_discarded() || !json.is_object()) return not_a_state("is not a JSON object");
  try {
    if (json.at("format") != kFormat) return not_a_state("is not a state of alerts");
    if (json.at("version") != kVersion) return not_a_state("is of another version of Reveal");
    std::vector<Episode> out;
    for (const Json& episode : json.at("episodes")) out.push_back(episode_from(episode));
    return out;
  } catch (const Json::exception& wrong) {
    return not_a_state(std::string("has a wrong member: ") + wrong.what());
  }
}

SavedState read_state(const std::filesystem::path& file) {
  auto text = base::read_whole_file(file, "state of alerts", kMostStateBytes);
  if (!text && text.error().kind == base::ErrorKind::kAbsent) return {};
  auto episodes = text ? episodes_from(*text) : Result<std::vector<Episode>>(base::pass(text));
  if (episodes) return {std::move(*episodes), std::nullopt};
  base::Error damage = episodes.error();
  damage.where = file.string();
  const std::string aside = file.string() + ".damaged";
  if (std::rename(file.c_str(), aside.c_str()) == 0) {
    damage.what += "; it is now " + aside + ", and alerts begin anew";
    damage.remedy = "remove it, unless you want to look into it";
  } else {
    damage.what += "; alerts begin anew";
    damage.remedy = "remove it, and let its folder belong to the user that Reveal runs as";
  }
  return {{}, std::move(damage)};
}

Result<void> write_state(const std::filesystem::path& file, std::string_view text) {
  auto made = base::NewFile::create(file);
  if (!made) return base::pass(made);
  if (::fchmod(made->fd(), kOwnerOnly) != 0) {
    return base::fail_errno(errno, "cannot restrict to its owner", file.string());
  }
  if (auto written = made->write(text); !written) return written;
  return made->keep();
}

}  // namespace reveal::alert

#include "serve/status_json.h"

#include <algorithm>
#include <chrono>

#include "http/json_text.h"

namespace reveal::serve {
namespace {

using http::Json;
using http::one_line;
using http::put;
using http::put_time;

Json counts_json(const std::vector<NamedCount>& counts) {
  Json out = Json::object();
  for (const auto& one : counts) out[one.name] = one.count;
  return out;
}

Json recorder_json(const Published& published) {
  const auto& recorder = published.state->recorder;
  Json out = Json::object();
  put(out, "ticks", recorder.ticks);
  out["missed"] = counts_json(recorder.missed);
  put_time(out, "last_frame", recorder.last_frame_wall_ns);
  if (recorder.ticks) {
    out["tick_age_seconds"] = std::chrono::duration<double>(published.tick_age).count();
  }
  out["fresh"] = recorder.ticks && published.tick_age <= kMostTickAge;
  return out;
}

Json channels_json(const ChannelCounts& channels) {
  return {{"fresh", channels.fresh},
          {"stale", channels.stale},
          {"missing", channels.missing},
          {"constant", channels.constant}};
}

Json sources_json(const std::vector<SourceState>& sources) {
  Json out = Json::array();
  for (const auto& source : sources) {
    Json one = {{"name", source.name}, {"up", source.up}};
    if (!source.why_not.empty()) one["why_not"] = source.why_not;
    put(one, "read_seconds", source.read_s);
    out.push_back(std::move(one));
  }
  return out;
}

Json storage_json(const StorageState& storage) {
  Json out = {{"ready", storage.ready}};
  put(out, "recording_bytes", storage.recording_bytes);
  put(out, "written_bytes", storage.written_bytes);
  put(out, "free_bytes", storage.free_bytes);
  if (!storage.last_error.empty()) out["last_error"] = storage.last_error;
  return out;
}

Json windows_json(const WindowState& windows) {
  Json out = Json::object();
  put(out, "judged", windows.judged);
  out["skipped"] = counts_json(windows.skipped);
  put(out, "strength", windows.strength);
  put(out, "votes", windows.votes);
  for (const auto& one : windows.subsystem_share) out["subsystem_shares"][one.name] = one.value;
  put_time(out, "baseline_learnt", windows.baseline_learnt_wall_ns);
  put_time(out, "looks_like", windows.looks_like_wall_ns);
  for (const auto& one : windows.detectors) {
    out["detectors"].push_back({{"name", one.name}, {"label", one.label}});
  }
  return out;
}

Json open_findings_json(const AgentState& state) {
  Json out = {{"open", 0}, {"open_by_severity", Json::object()}, {"named", Json::array()}};
  std::uint64_t open = 0;
  auto& by_severity = out["open_by_severity"];
  for (const auto& finding : state.findings) {
    if (!finding.open) continue;
    ++open;
    auto& count = by_severity[finding.severity];
    count = count.is_null() ? 1 : count.get<std::uint64_t>() + 1;
    if (out["named"].size() == kMostNamedFindings) continue;
    out["named"].push_back({{"id", finding.id},
                            {"severity", finding.severity},
                            {"subsystem", finding.subsystem},
                            {"begin", text::iso_time(finding.begin_wall_ns)},
                            {"claim", finding.claim}});
  }
  out["open"] = open;
  return out;
}

Json receivers_json(const std::vector<ReceiverState>& receivers) {
  Json out = Json::array();
  for (const auto& receiver : receivers) {
    Json one = {{"name", receiver.name},
                {"sent", receiver.sent},
                {"failed", receiver.failed},
                {"queued", receiver.queued}};
    put_time(one, "last_success", receiver.last_success_wall_ns);
    if (!receiver.last_error.empty()) one["last_error"] = receiver.last_error;
    out.push_back(std::move(one));
  }
  return out;
}

Json fleet_json(const FleetState& fleet) {
  Json out = {{"site", fleet.site}, {"host_id", fleet.host_id}, {"published", fleet.published},
              {"lost", fleet.lost}, {"waiting", fleet.waiting}, {"owed_seconds", fleet.owed_s}};
  if (!fleet.trouble.empty()) out["trouble"] = fleet.trouble;
  out["answers"] = fleet.answers;
  if (fleet.answers) out["answered"] = fleet.answered;
  if (!fleet.answers_trouble.empty()) out["answers_trouble"] = fleet.answers_trouble;
  return out;
}

Json config_json(const ConfigState& config) {
  Json out = {{"hash", config.hash}};
  put(out, "last_reload_ok", config.last_reload_ok);
  put_time(out, "last_success", config.last_success_wall_ns);
  if (!config.last_error.empty()) out["last_error"] = config.last_error;
  put(out, "not_in_force", config.not_in_force);
  return out;
}

Json processes_json(const std::vector<ProcessUsage>& processes) {
  Json out = Json::array();
  for (const auto& process : processes) {
    Json one = {{"name", process.name}};
    put(one, "cpu_seconds", process.cpu_s);
    put(one, "resident_bytes", process.resident_bytes);
    put(one, "open_files", process.open_files);
    put(one, "most_files", process.most_files);
    put_time(one, "start", process.start_wall_ns);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::string status_json(const Published& published, std::int64_t wall_ns) {
  const auto& state = *published.state;
  Json out = {{"schema", "reveal.status"},       {"version", kStatusVersion},
              {"time", text::iso_time(wall_ns)}, {"host", state.host},
              {"reveal_version", state.version}, {"commit", state.commit},
              {"state", to_string(state.state)}, {"reason", state.reason}};
  put_time(out, "state_since", state.state_since_wall_ns);
  out["recorder"] = recorder_json(published);
  if (state.channels) out["channels"] = channels_json(*state.channels);
  out["storage"] = storage_json(state.storage);
  out["windows"] = windows_json(state.windows);
  out["findings"] = open_findings_json(state);
  out["sources"] = sources_json(state.sources);
  out["receivers"] = receivers_json(state.receivers);
  if (state.fleet) out["fleet"] = fleet_json(*state.fleet);
  out["config"] = config_json(state.config);
  out["processes"] = processes_json(state.processes);
  return one_line(out) + "\n";
}

}  // namespace reveal::serve

// A state in which everything is known, for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "serve/agent_state.h"

namespace reveal::serve {

inline constexpr std::int64_t kMadeWall_ns = 1'790'000'000'250'000'000;  // 2026-09-21T14:13:20.250Z

inline Finding made_finding(std::size_t number, bool open, std::string severity) {
  const auto begin = kMadeWall_ns + static_cast<std::int64_t>(number) * 1'000'000'000;
  return {.id = "F" + std::to_string(number),
          .open = open,
          .revision = 2,
          .subsystem = "network",
          .severity = std::move(severity),
          .begin_wall_ns = begin,
          .end_wall_ns = begin + 3'000'000'000,
          .claim = "TCP segments out of order rose to 36 619/s",
          .json = R"({"claim":"TCP segments out of order rose to 36 619/s","severity":12.5})"};
}

inline AgentState made_state() {
  AgentState out;
  out.version = "0.1.0";
  out.commit = "5b95e08";
  out.host = "n017";
  out.state = RunState::kJudging;
  out.state_since_wall_ns = kMadeWall_ns - 60'000'000'000;
  out.recorder = {.ticks = 18'446'744'073'709'551'615U,
                  .missed = {{"late", 3}, {"storage", 0}},
                  .last_frame_wall_ns = kMadeWall_ns,
                  .lateness_s = http::Histogram(kTickBounds_s),
                  .tick_s = http::Histogram(kTickBounds_s)};
  out.channels = ChannelCounts{.fresh = 500, .stale = 200, .missing = 16, .constant = 300};
  out.sources = {{.name = "stat", .up = true, .read_s = 1.5},
                 {.name = "kmsg", .up = false, .why_not = "needs CAP_SYSLOG"}};
  out.storage = {.ready = true,
                 .recording_bytes = 1'000'000,
                 .written_bytes = 2'000'000,
                 .free_bytes = 3'000'000'000};
  out.windows = {.judged = 57,
                 .skipped = {{"gap", 2}},
                 .latency_s = http::Histogram(kVerdictBounds_s),
                 .strength = 0.25,
                 .subsystem_share = {{"cpu", 0.75}, {"network", 0.25}},
                 .baseline_learnt_wall_ns = kMadeWall_ns - 60'000'000'000,
                 .detectors = {{"saturation", "Saturation"}, {"pca_residual", "PCA residual"}}};
  out.finding_counts = {{.subsystem = "network", .severity = "major", .open = 1, .total = 4}};
  out.findings = {made_finding(1, false, "minor"), made_finding(2, true, "major")};
  out.receivers = {
      {.name = "am", .sent = 4, .failed = 1, .queued = 0, .last_success_wall_ns = kMadeWall_ns}};
  out.fleet = FleetState{.site = "main",
                         .host_id = "abcdefghijklmnopqrstuvwxyz",
                         .published = 120,
                         .lost = 3,
                         .waiting = 1,
                         .owed_s = 7};
  out.config = {.hash = "f00d",
                .last_reload_ok = true,
                .last_success_wall_ns = kMadeWall_ns,
                .not_in_force = std::vector<std::string>()};
  out.processes = {{.name = "agent",
                    .cpu_s = 10.5,
                    .resident_bytes = 30'000'000,
                    .open_files = 20,
                    .most_files = 1024,
                    .start_wall_ns = kMadeWall_ns - 60'000'000'000},
                   {.name = "recorder",
                    .cpu_s = 5,
                    .resident_bytes = 10'000'000,
                    .open_files = 200,
                    .most_files = 1024,
                    .start_wall_ns = kMadeWall_ns - 59'000'000'000}};
  return out;
}

// As much as a large host with a long list of findings has.
inline AgentState crowded_state() {
  auto out = made_state();
  for (std::size_t i = 0; i < 60; ++i) {
    auto source = out.sources.front();
    source.name = "source" + std::to_string(i);
    out.sources.push_back(std::move(source));
  }
  out.finding_counts.clear();
  out.windows.subsystem_share.clear();
  for (const char* subsystem : {"cpu", "gpu", "memory", "network", "storage"}) {
    out.windows.subsystem_share.push_back({subsystem, 0.2});
    for (const char* severity : {"minor", "moderate", "major", "unknown"}) {
      out.finding_counts.push_back({.subsystem = subsystem, .severity = severity, .total = 1});
    }
  }
  out.windows.skipped = {{"gap", 1}, {"warm_up", 1}, {"overload", 1}, {"no_baseline", 1}};
  out.receivers.push_back(out.receivers.front());
  out.receivers.back().name = "webhook";
  out.processes.push_back(out.processes.back());
  out.processes.back().name = "gpu-reader";
  return out;
}

}  // namespace reveal::serve

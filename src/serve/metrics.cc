#include "serve/metrics.h"

#include <algorithm>
#include <cstddef>

#include "serve/process_sums.h"

namespace reveal::serve {
namespace {

using http::kStatuses;
using http::MetricGroup;
using http::MetricType;
using http::Samples;

constexpr MetricGroup kGroups[] = {
    {.name = "agent", .help = "version, state and configuration"},
    {.name = "recorder", .help = "ticks, channels and the recording"},
    {.name = "windows", .help = "verdicts, the baseline and what the last window was like"},
    {.name = "findings", .help = "findings by subsystem and severity"},
    {.name = "alerts", .help = "what was sent to each receiver"},
    {.name = "fleet", .help = "what was sent to the fleet's broker"},
    {.name = "process", .help = "processor time, memory and files of the agent"},
    {.name = "http", .help = "requests by status"},
    {.name = "sources", .by_default = false, .help = "each source by itself"},
    {.name = kRecordedGroup,
     .by_default = false,
     .help = "all that is recorded, as [metrics.md](metrics.md) names it"},
};

constexpr RunState kStates[] = {RunState::kLearning, RunState::kJudging, RunState::kDegraded};

void add_counts(const std::vector<NamedCount>& counts, std::string_view label, Samples& out) {
  for (const auto& one : counts) out.add(one.count, {{label, one.name}});
}

// One row after the other is one metric after the other in the answer.
constexpr MetricRow kRows[] = {
    {.name = "reveal_build_info",
     .type = MetricType::kInfo,
     .group = "agent",
     .labels = "version, revision",
     .help = "The version of the agent and the commit it was built from.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           out.add(std::uint64_t{1},
                   {{"version", scrape.state.version}, {"revision", scrape.state.commit}});
         }},
    {.name = "reveal_agent_state",
     .group = "agent",
     .labels = "state",
     .help = "1 for the state that the agent is in, 0 for the others.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto state : kStates) {
             out.add(std::uint64_t{state == scrape.state.state}, {{"state", to_string(state)}});
           }
         }},
    {.name = "reveal_config_last_reload_successful",
     .group = "agent",
     .help = "1 if the last reload of the configuration succeeded, 0 if the old one is in force.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           const auto& ok = scrape.state.config.last_reload_ok;
           if (ok) out.add(std::uint64_t{*ok});
         }},
    {.name = "reveal_config_last_reload_success_timestamp_seconds",
     .unit = "seconds",
     .group = "agent",
     .help = "When the configuration that is in force was read.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add_time(scrape.state.config.last_success_wall_ns); }},
    {.name = "reveal_config_keys_not_in_force",
     .group = "agent",
     .help = "Keys of the configuration that were changed but need a restart.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           const auto& keys = scrape.state.config.not_in_force;
           if (keys) out.add(std::uint64_t{keys->size()});
         }},

    {.name = "reveal_recorder_ticks_total",
     .type = MetricType::kCounter,
     .group = "recorder",
     .help = "Ticks of which a frame was recorded.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.recorder.ticks); }},
    {.name = "reveal_recorder_ticks_missed_total",
     .type = MetricType::kCounter,
     .group = "recorder",
     .labels = "reason",
     .help = "Ticks without a frame: the recorder came too late, or the disk took none.",
     .append = [](const Scrape& scrape,
                  Samples& out) { add_counts(scrape.state.recorder.missed, "reason", out); }},
    {.name = "reveal_recorder_last_frame_timestamp_seconds",
     .unit = "seconds",
     .group = "recorder",
     .help = "The time of the last frame.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add_time(scrape.state.recorder.last_frame_wall_ns); }},
    {.name = "reveal_recorder_lateness_seconds",
     .type = MetricType::kHistogram,
     .unit = "seconds",
     .group = "recorder",
     .help = "From when a tick was due to when it began.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(scrape.state.recorder.lateness_s); }},
    {.name = "reveal_recorder_tick_seconds",
     .type = MetricType::kHistogram,
     .unit = "seconds",
     .group = "recorder",
     .help = "The processor time that a tick took.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.recorder.tick_s); }},
    {.name = "reveal_channels",
     .group = "recorder",
     .labels = "state",
     .help = "Channels of the last frame, by the state of their sample; constant ones never "
             "changed.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           const auto& channels = scrape.state.channels;
           if (!channels) return;
           out.add(channels->fresh, {{"state", "fresh"}});
           out.add(channels->stale, {{"state", "stale"}});
           out.add(channels->missing, {{"state", "missing"}});
           out.add(channels->constant, {{"state", "constant"}});
         }},
    {.name = "reveal_sources",
     .group = "recorder",
     .labels = "state",
     .help = "Sources that are down (absent: none is); collect[]=sources names them.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           // The agent names those that are down, and does not know how many are up.
           const auto& sources = scrape.state.sources;
           const auto down = static_cast<std::uint64_t>(
               std::count_if(sources.begin(), sources.end(), [](const auto& s) { return !s.up; }));
           if (down > 0) out.add(down, {{"state", "down"}});
         }},
    {.name = "reveal_recording_bytes",
     .unit = "bytes",
     .group = "recorder",
     .help = "Size of the recording on the disk.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(scrape.state.storage.recording_bytes); }},
    {.name = "reveal_recording_written_bytes_total",
     .type = MetricType::kCounter,
     .unit = "bytes",
     .group = "recorder",
     .help = "Bytes that were written for the recording.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(scrape.state.storage.written_bytes); }},
    {.name = "reveal_storage_free_bytes",
     .unit = "bytes",
     .group = "recorder",
     .help = "Free space of the file system with the recording.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(scrape.state.storage.free_bytes); }},

    {.name = "reveal_windows_judged_total",
     .type = MetricType::kCounter,
     .group = "windows",
     .help = "Windows that got a verdict.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.windows.judged); }},
    {.name = "reveal_windows_skipped_total",
     .type = MetricType::kCounter,
     .group = "windows",
     .labels = "reason",
     .help = "Windows without a verdict, because what is usual was still learned, or of trouble.",
     .append = [](const Scrape& scrape,
                  Samples& out) { add_counts(scrape.state.windows.skipped, "reason", out); }},
    {.name = "reveal_verdict_latency_seconds",
     .type = MetricType::kHistogram,
     .unit = "seconds",
     .group = "windows",
     .help = "From the end of a window to its verdict.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.windows.latency_s); }},
    {.name = "reveal_window_strength",
     .group = "windows",
     .help = "How far the last window is from usual; from 1 on it would alarm.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.windows.strength); }},
    {.name = "reveal_subsystem_share",
     .group = "windows",
     .labels = "subsystem",
     .help = "Each subsystem's part in that, 0 to 1.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.windows.subsystem_share) {
             out.add(one.value, {{"subsystem", one.name}});
           }
         }},
    {.name = "reveal_baseline_learnt_timestamp_seconds",
     .unit = "seconds",
     .group = "windows",
     .help = "When the baseline that is in use was learned.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add_time(scrape.state.windows.baseline_learnt_wall_ns); }},

    {.name = "reveal_findings_total",
     .type = MetricType::kCounter,
     .group = "findings",
     .labels = "subsystem, severity",
     .help =
         "Findings that are over, by the severity that they had in the end, since the judge began.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.finding_counts) {
             out.add(one.total, {{"subsystem", one.subsystem}, {"severity", one.severity}});
           }
         }},
    {.name = "reveal_findings_open",
     .group = "findings",
     .labels = "subsystem, severity",
     .help = "Findings that go on.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.finding_counts) {
             out.add(one.open, {{"subsystem", one.subsystem}, {"severity", one.severity}});
           }
         }},

    {.name = "reveal_alerts_sent_total",
     .type = MetricType::kCounter,
     .group = "alerts",
     .labels = "receiver",
     .help = "Alerts that the receiver took.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.receivers)
             out.add(one.sent, {{"receiver", one.name}});
         }},
    {.name = "reveal_alerts_failed_total",
     .type = MetricType::kCounter,
     .group = "alerts",
     .labels = "receiver",
     .help = "Attempts to send alerts that failed.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.receivers)
             out.add(one.failed, {{"receiver", one.name}});
         }},
    {.name = "reveal_alerts_queue",
     .group = "alerts",
     .labels = "receiver",
     .help = "Alerts that wait to be sent.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.receivers)
             out.add(one.queued, {{"receiver", one.name}});
         }},
    {.name = "reveal_alerts_last_success_timestamp_seconds",
     .unit = "seconds",
     .group = "alerts",
     .labels = "receiver",
     .help = "When the receiver last took an alert.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.receivers)
             out.add_time(one.last_success_wall_ns, {{"receiver", one.name}});
         }},

    {.name = "reveal_fleet_up",
     .group = "fleet",
     .help = "1 if messages go to the fleet's broker, else 0; nothing if the agent tells no fleet.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           const auto& fleet = scrape.state.fleet;
           if (fleet) out.add(std::uint64_t{fleet->trouble.empty()});
         }},
    {.name = "reveal_fleet_messages_published_total",
     .type = MetricType::kCounter,
     .group = "fleet",
     .help = "Messages that the fleet's broker has.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           if (scrape.state.fleet) out.add(scrape.state.fleet->published);
         }},
    {.name = "reveal_fleet_messages_lost_total",
     .type = MetricType::kCounter,
     .group = "fleet",
     .help = "Messages that the broker may not have; the recording has what they said.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           if (scrape.state.fleet) out.add(scrape.state.fleet->lost);
         }},
    {.name = "reveal_fleet_questions_answered_total",
     .type = MetricType::kCounter,
     .group = "fleet",
     .help = "Questions of the fleet that this host answered; nothing unless it answers.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           const auto& fleet = scrape.state.fleet;
           if (fleet && fleet->answers) out.add(fleet->answered);
         }},

    {.name = "process_cpu_seconds_total",
     .type = MetricType::kCounter,
     .unit = "seconds",
     .group = "process",
     .help = "Processor time of all processes of the agent.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(sum_of(scrape.state.processes).cpu_s); }},
    {.name = "process_resident_memory_bytes",
     .unit = "bytes",
     .group = "process",
     .help = "Resident memory of all processes of the agent.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(sum_of(scrape.state.processes).resident_bytes); }},
    {.name = "process_open_fds",
     .group = "process",
     .help = "Open files of all processes of the agent.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(sum_of(scrape.state.processes).open_files); }},
    {.name = "process_max_fds",
     .group = "process",
     .help = "How many files these processes may open, together.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(sum_of(scrape.state.processes).most_files); }},
    {.name = "process_start_time_seconds",
     .unit = "seconds",
     .group = "process",
     .help = "When the first of these processes began.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add_time(sum_of(scrape.state.processes).start_wall_ns); }},
    {.name = "reveal_process_cpu_seconds_total",
     .type = MetricType::kCounter,
     .unit = "seconds",
     .group = "process",
     .labels = "process",
     .help = "Processor time of one process of the agent.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.processes)
             out.add(one.cpu_s, {{"process", one.name}});
         }},
    {.name = "reveal_process_resident_memory_bytes",
     .unit = "bytes",
     .group = "process",
     .labels = "process",
     .help = "Resident memory of one process of the agent.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.processes)
             out.add(one.resident_bytes, {{"process", one.name}});
         }},

    {.name = "reveal_http_requests_total",
     .type = MetricType::kCounter,
     .group = "http",
     .labels = "code",
     .help = "Requests that were answered, by status.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (std::size_t i = 0; i < std::size(kStatuses); ++i) {
             if (scrape.http.by_status[i] == 0) continue;  // so that few series are made
             out.add(scrape.http.by_status[i], {{"code", std::to_string(kStatuses[i].code)}});
           }
         }},
    {.name = "reveal_http_connections",
     .group = "http",
     .help = "Connections that are open.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.http.connections); }},
    {.name = "reveal_http_streams",
     .group = "http",
     .help = "Connections of these that are streams of events.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.http.streams); }},
    {.name = "reveal_http_connections_dropped_total",
     .type = MetricType::kCounter,
     .group = "http",
     .help = "Connections that were closed for being too slow, or to make room.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.http.dropped); }},

    {.name = "reveal_source_up",
     .group = "sources",
     .labels = "source",
     .help = "1 if the source can be read, else 0.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.sources)
             out.add(std::uint64_t{one.up}, {{"source", one.name}});
         }},
    {.name = "reveal_source_read_seconds_total",
     .type = MetricType::kCounter,
     .unit = "seconds",
     .group = "sources",
     .labels = "source",
     .help = "How long all readings of the source took together.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : scrape.state.sources) out.add(one.read_s, {{"source", one.name}});
         }},
};

}  // namespace

std::span<const MetricGroup> metric_groups() {
  return kGroups;
}
std::span<const MetricRow> metric_rows() {
  return kRows;
}

}  // namespace reveal::serve

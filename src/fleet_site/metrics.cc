#include "fleet_site/metrics.h"

#include <algorithm>
#include <array>

#include "fleet_site/fleet_json.h"
#include "peers/host.h"

namespace reveal::fleet_site {
namespace {

using http::MetricGroup;
using http::MetricType;
using http::Samples;

constexpr MetricGroup kGroups[] = {
    {.name = "analyser", .help = "version, state and database"},
    {.name = "fleet", .help = "hosts by standing, messages and judged seconds"},
    {.name = "judging", .by_default = false, .help = "how long after their end seconds are judged"},
    {.name = "groups",
     .help =
         "groups of hosts: of at most ten, those with open incidents and the larger ones first"},
    {.name = "incidents", .help = "incidents that are open"},
    {.name = "alerts", .help = "what was sent to each receiver"},
    {.name = "hosts",
     .help = "questions to hosts, asked through the broker, by what became of them"},
    {.name = "process", .help = "processor time and memory of the analyser"},
    {.name = "http", .help = "requests by status"},
};

constexpr std::array kStates{RunState::kStarting, RunState::kJudging, RunState::kLate,
                             RunState::kNoBroker};

void add_of_groups(const Scrape& scrape, Samples& out,
                   std::optional<double> (*value)(const GroupState&)) {
  const auto groups = shown_order(scrape.state);
  for (std::size_t i = 0; i < std::min(groups.size(), kMostGroups); ++i) {
    out.add(value(*groups[i]), {{"group", groups[i]->key}});
  }
}

std::span<const ReceiverState> first_of(const std::vector<ReceiverState>& receivers) {
  return {receivers.data(), std::min(receivers.size(), kMostReceivers)};
}

void add_of_receivers(const Scrape& scrape, Samples& out, std::uint64_t ReceiverState::*count) {
  for (const auto& one : first_of(scrape.state.receivers)) {
    out.add(one.*count, {{"receiver", one.name}});
  }
}

// One row after the other is one metric after the other in the answer.
constexpr MetricRow kRows[] = {
    {.name = "reveal_build_info",
     .type = MetricType::kInfo,
     .group = "analyser",
     .labels = "version",
     .help = "The version of the analyser.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           out.add(std::uint64_t{1}, {{"version", scrape.state.version}});
         }},
    {.name = "reveal_analyser_state",
     .group = "analyser",
     .labels = "state",
     .help = "1 for the state that the analyser is in, 0 for the others.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto state : kStates) {
             out.add(std::uint64_t{state == scrape.state.state}, {{"state", to_string(state)}});
           }
         }},
    {.name = "reveal_analyser_last_message_timestamp_seconds",
     .unit = "seconds",
     .group = "analyser",
     .help = "The time of the broker, by its messages.",
     .append = [](const Scrape& scrape, Samples& out) { out.add_time(scrape.state.wall_ns); }},
    {.name = "reveal_analyser_database_waiting",
     .group = "analyser",
     .help = "Things that are to be written to the database.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(std::uint64_t{scrape.state.database.waiting}); }},

    {.name = "reveal_fleet_hosts",
     .group = "fleet",
     .labels = "standing",
     .help = "Hosts by whether their seconds can be judged.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (std::size_t i = 0; i < peers::kStandings; ++i) {
             out.add(std::uint64_t{scrape.state.standings.at(i)},
                     {{"standing", peers::to_string(static_cast<peers::Standing>(i))}});
           }
         }},
    {.name = "reveal_fleet_messages_total",
     .type = MetricType::kCounter,
     .group = "fleet",
     .help = "Messages of hosts.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.counts.messages); }},
    {.name = "reveal_fleet_messages_refused_total",
     .type = MetricType::kCounter,
     .group = "fleet",
     .help = "Messages that were malformed, or of a host beyond the limit.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.counts.refused); }},
    {.name = "reveal_fleet_seconds_judged_total",
     .type = MetricType::kCounter,
     .group = "fleet",
     .help = "Seconds of groups that were judged.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.counts.judged); }},
    {.name = "reveal_fleet_seconds_uncertain_total",
     .type = MetricType::kCounter,
     .group = "fleet",
     .help = "Of these, seconds in which nobody could be accused.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.counts.uncertain); }},
    {.name = "reveal_fleet_judged_after_seconds",
     .type = MetricType::kHistogram,
     .unit = "seconds",
     .group = "judging",
     .help = "From the end of a second to when it was judged, counted by host, since the analyser "
             "had read what the broker kept.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.judged_after_s); }},

    {.name = "reveal_fleet_groups",
     .group = "groups",
     .help = "Groups that have hosts.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(std::uint64_t{scrape.state.groups.size()}); }},
    {.name = "reveal_fleet_groups_judged_here",
     .group = "groups",
     .help = "Of these, groups whose incidents this analyser tells.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           out.add(static_cast<std::uint64_t>(std::ranges::count_if(
               scrape.state.groups, [](const GroupState& one) { return one.is_judged_here; })));
         }},
    {.name = "reveal_group_hosts",
     .group = "groups",
     .labels = "group",
     .help = "Hosts of a group.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           add_of_groups(scrape, out, [](const GroupState& one) -> std::optional<double> {
             return static_cast<double>(one.hosts->size());
           });
         }},
    {.name = "reveal_group_slow_hosts",
     .group = "groups",
     .labels = "group",
     .help = "Hosts that were slow in the second that was judged last.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           add_of_groups(scrape, out, [](const GroupState& one) -> std::optional<double> {
             return static_cast<double>(one.slow);
           });
         }},
    {.name = "reveal_group_judged_timestamp_seconds",
     .unit = "seconds",
     .group = "groups",
     .labels = "group",
     .help = "The end of the second that was judged last.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           add_of_groups(scrape, out, [](const GroupState& one) -> std::optional<double> {
             if (!one.judged_end_wall_ns) return std::nullopt;
             return static_cast<double>(*one.judged_end_wall_ns) / 1e9;
           });
         }},

    {.name = "reveal_fleet_incidents_open",
     .group = "incidents",
     .help = "Incidents that are open.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           out.add(static_cast<std::uint64_t>(std::ranges::count_if(
               *scrape.state.incidents, [](const auto& one) { return one->is_open; })));
         }},

    {.name = "reveal_alerts_sent_total",
     .type = MetricType::kCounter,
     .group = "alerts",
     .labels = "receiver",
     .help = "Alerts that the receiver took.",
     .append = [](const Scrape& scrape,
                  Samples& out) { add_of_receivers(scrape, out, &ReceiverState::sent); }},
    {.name = "reveal_alerts_failed_total",
     .type = MetricType::kCounter,
     .group = "alerts",
     .labels = "receiver",
     .help = "Attempts to send alerts that failed.",
     .append = [](const Scrape& scrape,
                  Samples& out) { add_of_receivers(scrape, out, &ReceiverState::failed); }},
    {.name = "reveal_alerts_dropped_total",
     .type = MetricType::kCounter,
     .group = "alerts",
     .labels = "receiver",
     .help = "Alerts that the receiver will never be told of.",
     .append = [](const Scrape& scrape,
                  Samples& out) { add_of_receivers(scrape, out, &ReceiverState::dropped); }},
    {.name = "reveal_alerts_queue",
     .group = "alerts",
     .labels = "receiver",
     .help = "Alerts that wait to be sent.",
     .append = [](const Scrape& scrape,
                  Samples& out) { add_of_receivers(scrape, out, &ReceiverState::queued); }},
    {.name = "reveal_alerts_last_success_timestamp_seconds",
     .unit = "seconds",
     .group = "alerts",
     .labels = "receiver",
     .help = "When the receiver last took an alert.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (const auto& one : first_of(scrape.state.receivers)) {
             out.add_time(one.last_success_wall_ns, {{"receiver", one.name}});
           }
         }},

    {.name = "reveal_fleet_questions_total",
     .type = MetricType::kCounter,
     .group = "hosts",
     .labels = "result",
     .help = "Questions to hosts: answered; away, if the host was not there or did not answer in "
             "time; failed, if there was no broker, or the answer is not passed on.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           const auto& asked = scrape.state.questions;
           if (!asked) return;
           out.add(asked->answered, {{"result", "answered"}});
           out.add(asked->away, {{"result", "away"}});
           out.add(asked->failed, {{"result", "failed"}});
         }},
    {.name = "reveal_fleet_answer_bytes_total",
     .type = MetricType::kCounter,
     .unit = "bytes",
     .group = "hosts",
     .help = "Bytes that hosts answered.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           if (scrape.state.questions) out.add(scrape.state.questions->bytes);
         }},

    {.name = "process_cpu_seconds_total",
     .type = MetricType::kCounter,
     .unit = "seconds",
     .group = "process",
     .help = "Processor time of the analyser.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.process.cpu_s); }},
    {.name = "process_resident_memory_bytes",
     .unit = "bytes",
     .group = "process",
     .help = "Resident memory of the analyser.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(scrape.state.process.resident_bytes); }},
    {.name = "reveal_analyser_kept_levels_bytes",
     .unit = "bytes",
     .group = "process",
     .help = "Memory of the last minutes' levels.",
     .append = [](const Scrape& scrape,
                  Samples& out) { out.add(std::uint64_t{scrape.state.kept.bytes}); }},
    {.name = "reveal_analyser_published_states_total",
     .type = MetricType::kCounter,
     .group = "process",
     .help = "States of the fleet that were made for this page.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.process.published); }},
    {.name = "reveal_analyser_publish_cpu_seconds_total",
     .type = MetricType::kCounter,
     .unit = "seconds",
     .group = "process",
     .help = "Processor time that these took.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.state.process.publish_s); }},

    {.name = "reveal_http_requests_total",
     .type = MetricType::kCounter,
     .group = "http",
     .labels = "status",
     .help = "Requests that were answered, by the status of the answer.",
     .append =
         [](const Scrape& scrape, Samples& out) {
           for (std::size_t i = 0; i < std::size(http::kStatuses); ++i) {
             out.add(scrape.http.by_status.at(i),
                     {{"status", std::to_string(http::kStatuses[i].code)}});
           }
         }},
    {.name = "reveal_http_connections",
     .group = "http",
     .help = "Open connections.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.http.connections); }},
    {.name = "reveal_http_streams",
     .group = "http",
     .help = "Of these, streams of events.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.http.streams); }},
    {.name = "reveal_http_connections_dropped_total",
     .type = MetricType::kCounter,
     .group = "http",
     .help = "Connections that were closed to make room for others, or for being too slow.",
     .append = [](const Scrape& scrape, Samples& out) { out.add(scrape.http.dropped); }},
};

constexpr std::string_view kOpening =
    "# Metrics of the analyser\n"
    "\n"
    "Generated by `make docs` from the registry in `src/fleet_site/metrics.cc`; a test compares it "
    "with that. These are what the analyser tells about itself and its fleet at `/metrics` "
    "([fleet.md](../how_to/fleet.md#what-it-answers-over-http)); "
    "[agent_metrics.md](agent_metrics.md) "
    "has those of an agent.\n"
    "\n"
    "A value that is not known is absent, never 0. `?collect[]=GROUP` asks for the named groups "
    "alone, `?exclude[]=GROUP` for all without the named.\n";

}  // namespace

std::span<const MetricGroup> metric_groups() {
  return kGroups;
}

std::span<const MetricRow> metric_rows() {
  return kRows;
}

base::Result<std::vector<std::string_view>> chosen_groups(std::span<const std::string> collected,
                                                          std::span<const std::string> excluded) {
  return http::chosen_groups(kGroups, collected, excluded);
}

std::string metrics_text(const Scrape& scrape, std::span<const std::string_view> groups,
                         http::Exposition format) {
  return http::metrics_text(metric_rows(), scrape, groups, format);
}

std::string analyser_metrics_page() {
  return http::metrics_page(kOpening, metric_groups(), metric_rows());
}

}  // namespace reveal::fleet_site

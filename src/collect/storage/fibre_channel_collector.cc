// /sys/class/fc_host: ports of Fibre Channel adapters, their links and their errors.
//
// Counters are hexadecimal, and all ones where the driver does not count. Reading them asks the
// adapter's firmware, so they are read seldom and in the background. Words are of four bytes.
#include <array>
#include <charconv>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/file_rows.h"
#include "collect/parts/metric_maker.h"
#include "collect/parts/scanned_collector.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using procfs::Value;

constexpr std::string_view kFolder = "class/fc_host";
constexpr std::size_t kMaxPorts = 64;
constexpr double kWordBytes = 4;

Value hex_counter(std::string_view text) {
  const auto line = procfs::first_line(text);
  if (!line || !line->starts_with("0x")) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = line->data() + line->size();
  const auto [stop, error] = std::from_chars(line->data() + 2, end, value, 16);
  const bool sound = error == std::errc() && stop == end;
  if (!sound || value == std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  return value;
}

// A port that the operator took off the net says so with other words, but is down all the same.
Value port_online(std::string_view text) {
  constexpr std::array<std::string_view, 10> kDown = {
      "Not Present", "Offline", "Blocked",  "Bypassed", "Diagnostics",
      "Linkdown",    "Error",   "Loopback", "Deleted",  "Marginal"};
  const auto line = procfs::first_line(text);
  if (line == "Online") return 1;
  for (const auto word : kDown) {
    if (line == word) return 0;
  }
  return std::nullopt;
}

// "16 Gbit"; "unknown" and "Not Negotiated" are no speed.
Value port_speed(std::string_view text) {
  const auto line = procfs::first_line(text);
  constexpr std::string_view kUnit = " Gbit";
  if (!line || !line->ends_with(kUnit)) return std::nullopt;
  return procfs::parse_u64(line->substr(0, line->size() - kUnit.size()));
}

constexpr MetricOrigin kOrigin = {.subsystem = model::Subsystem::kStorage,
                                  .scope = model::Scope::kDevice,
                                  .doc_url = "https://docs.kernel.org/scsi/scsi_fc_transport.html"};

constexpr FileRow counter(std::string_view source, std::string_view name, std::string_view unit,
                          std::string_view label, std::string_view help, Kind kind,
                          std::int16_t rank, double scale = 1.0) {
  return {describe(kOrigin, {.name = name,
                             .label = label,
                             .unit = unit,
                             .kind = kind,
                             .scale = scale,
                             .source = source,
                             .alias = source.substr(source.rfind('/') + 1),
                             .help = help,
                             .rank = rank}),
          hex_counter};
}

constexpr FileRow kRows[] = {
    {describe(kOrigin, {.name = "storage_fc_port_online_flag",
                        .label = "Fibre Channel port is online",
                        .unit = "flag",
                        .source = "/sys/class/fc_host/*/port_state",
                        .alias = "port_state",
                        .help = "1 while the port is online, 0 in any other known state.",
                        .rank = 40}),
     port_online},
    {describe(kOrigin, {.name = "storage_fc_speed_bits_per_second",
                        .label = "Fibre Channel link speed",
                        .unit = "bits/s",
                        .kind = Kind::kStatic,
                        .scale = 1e9,
                        .source = "/sys/class/fc_host/*/speed",
                        .alias = "speed",
                        .help = "Speed that the port's link was negotiated to.",
                        .rank = 50}),
     port_speed},
    counter("/sys/class/fc_host/*/statistics/rx_words", "storage_fc_received_bytes_total", "bytes",
            "Fibre Channel bytes received", "Bytes that the port received.", Kind::kCounter, 40,
            kWordBytes),
    counter("/sys/class/fc_host/*/statistics/tx_words", "storage_fc_sent_bytes_total", "bytes",
            "Fibre Channel bytes sent", "Bytes that the port sent.", Kind::kCounter, 40,
            kWordBytes),
    counter("/sys/class/fc_host/*/statistics/rx_frames", "storage_fc_received_frames_total",
            "frames", "Fibre Channel frames received", "Frames that the port received.",
            Kind::kCounter, 100),
    counter("/sys/class/fc_host/*/statistics/tx_frames", "storage_fc_sent_frames_total", "frames",
            "Fibre Channel frames sent", "Frames that the port sent.", Kind::kCounter, 100),
    counter("/sys/class/fc_host/*/statistics/error_frames", "storage_fc_error_frames_total",
            "frames", "Fibre Channel frames in error", "Frames received in error.", Kind::kEvent,
            30),
    counter("/sys/class/fc_host/*/statistics/dumped_frames", "storage_fc_dropped_frames_total",
            "frames", "Fibre Channel frames dropped",
            "Frames dropped because the adapter had no buffer.", Kind::kEvent, 30),
    counter("/sys/class/fc_host/*/statistics/link_failure_count", "storage_fc_link_failures_total",
            "failures", "Fibre Channel link failures", "Times that the port's link failed.",
            Kind::kEvent, 20),
    counter("/sys/class/fc_host/*/statistics/loss_of_sync_count", "storage_fc_sync_losses_total",
            "losses", "Fibre Channel losses of synchronization",
            "Times that the port lost the beat of the words it receives.", Kind::kEvent, 40),
    counter("/sys/class/fc_host/*/statistics/loss_of_signal_count",
            "storage_fc_signal_losses_total", "losses", "Fibre Channel losses of signal",
            "Times that the port received no light.", Kind::kEvent, 40),
    counter("/sys/class/fc_host/*/statistics/prim_seq_protocol_err_count",
            "storage_fc_protocol_errors_total", "errors", "Fibre Channel protocol errors",
            "Primitive sequences received in error.", Kind::kEvent, 60),
    counter("/sys/class/fc_host/*/statistics/invalid_tx_word_count",
            "storage_fc_invalid_words_total", "words", "Invalid Fibre Channel words",
            "Words received that no sender makes: a bad cable or module.", Kind::kEvent, 40),
    counter("/sys/class/fc_host/*/statistics/invalid_crc_count", "storage_fc_crc_errors_total",
            "frames", "Fibre Channel checksum errors", "Frames received with a wrong checksum.",
            Kind::kEvent, 30),
    counter("/sys/class/fc_host/*/statistics/lip_count", "storage_fc_loop_resets_total", "resets",
            "Fibre Channel loop resets", "Times that a loop was initialized again.", Kind::kEvent,
            60),
    counter("/sys/class/fc_host/*/statistics/nos_count", "storage_fc_not_operational_total",
            "events", "Fibre Channel links not operational",
            "Times that the other end said that the link does not work.", Kind::kEvent, 60),
    counter("/sys/class/fc_host/*/statistics/fcp_input_requests", "storage_fc_reads_total", "reads",
            "Fibre Channel reads", "SCSI commands that read through the port.", Kind::kCounter, 60),
    counter("/sys/class/fc_host/*/statistics/fcp_output_requests", "storage_fc_writes_total",
            "writes", "Fibre Channel writes", "SCSI commands that write through the port.",
            Kind::kCounter, 60),
    counter("/sys/class/fc_host/*/statistics/fpin_cn", "storage_fc_congestion_notices_total",
            "notices", "Fibre Channel congestion notices",
            "Notices of the fabric that the port is congested (Linux 5.10).", Kind::kEvent, 30),
    counter("/sys/class/fc_host/*/statistics/fpin_dn", "storage_fc_delivery_notices_total",
            "notices", "Fibre Channel delivery notices",
            "Notices of the fabric that frames were dropped (Linux 5.10).", Kind::kEvent, 30),
    counter("/sys/class/fc_host/*/statistics/fpin_li", "storage_fc_integrity_notices_total",
            "notices", "Fibre Channel link integrity notices",
            "Notices of the fabric that a link has errors (Linux 5.10).", Kind::kEvent, 30),
};

std::vector<DeviceFiles> scan(const procfs::HostRoot& root,
                              std::span<const MetricDescriptor> metrics) {
  std::vector<DeviceFiles> out;
  const std::string folder = root.sys_path(kFolder);
  for (const auto& name : procfs::names_in(folder, kMaxPorts)) {
    DeviceFiles& port = out.emplace_back(metrics, fmt::format("fc={}", instance_text(name)));
    add_file_rows(kRows, 0, fmt::format("{}/{}", folder, name), port);
  }
  return out;
}

std::vector<MetricDescriptor> fibre_channel_metrics() {
  return metrics_of({kRows});
}

std::unique_ptr<Collector> make_fibre_channel() {
  return std::make_unique<ScannedCollector<DeviceFiles>>(
      fibre_channel_metrics(),
      ScannedSource<DeviceFiles>{.scan = scan,
                                 .watched = {kFolder},
                                 .none = "no Fibre Channel adapter",
                                 .remedy = "if there is one, load its driver (qla2xxx, lpfc)"});
}

}  // namespace

extern const CollectorDescriptor kFibreChannelCollector = {
    .name = "fibre_channel",
    .help = "links and errors per Fibre Channel port",
    .make = make_fibre_channel,
    .metrics = fibre_channel_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect

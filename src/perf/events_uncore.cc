// Events outside the cores: memory controllers, links between sockets, third caches. All boxes of a
// package are added up. Codes that sysfs does not name are those of the vendors' tables, the same
// for the generations that are named with them.
#include "perf/events.h"

namespace reveal::perf {
namespace {

constexpr EventDescriptor row(std::string_view source, std::string_view names,
                              std::string_view metric, std::string_view label,
                              std::string_view unit, std::string_view subsystem,
                              std::string_view help, std::int16_t rank) {
  EventDescriptor out{source, metric, label, unit, subsystem, help, rank, names};
  out.doc_url = "https://docs.kernel.org/admin-guide/perf/index.html";
  return out;
}

constexpr EventDescriptor package(EventDescriptor out) {
  out.part = Part::kPackage;
  return out;
}

// One count is 64 bytes, a cache line.
constexpr EventDescriptor lines(EventDescriptor out) {
  out.scale = 64.0;
  return package(out);
}

// As sysfs sizes it.
constexpr EventDescriptor sized(EventDescriptor out) {
  out.sized = true;
  return package(out);
}

constexpr EventDescriptor kEvents[] = {
    sized(row("perf uncore_imc/cas_count_read/", "uncore_imc/cas_count_read/",
              "memory_dram_read_bytes_total", "DRAM reads", "bytes", "memory",
              "Bytes that the package's memory controllers read.", 10)),
    sized(row("perf uncore_imc/cas_count_write/", "uncore_imc/cas_count_write/",
              "memory_dram_written_bytes_total", "DRAM writes", "bytes", "memory",
              "Bytes that the package's memory controllers wrote.", 10)),
    package(row("perf uncore_imc/clockticks/", "uncore_imc/clockticks/",
                "memory_controller_cycles_total", "Memory controller cycles", "cycles", "memory",
                "Cycles of the package's memory controllers, added up.", 120)),
    package(row("perf unc_m_rpq_occupancy_pch0", "icx,spr:uncore_imc/event=0x80/",
                "memory_read_queue_entries_total", "Memory read queue entries", "entries", "memory",
                "Reads that waited for the first pseudo-channels, added up each cycle.", 30)),
    package(row("perf unc_upi_txl_flits.all_data", "skx,icx,spr:uncore_upi/event=0x02,umask=0x0f/",
                "memory_upi_sent_flits_total", "Flits sent between sockets", "flits", "memory",
                "Data flits that the package sent to others; nine carry 64 bytes.", 20)),
    package(row("perf unc_upi_rxl_flits.all_data", "skx,icx,spr:uncore_upi/event=0x03,umask=0x0f/",
                "memory_upi_received_flits_total", "Flits received between sockets", "flits",
                "memory", "Data flits that the package got from others; nine carry 64 bytes.", 20)),
    package(row("perf l3_lookup_state.l3_miss", "zen1,zen2,zen3,zen4:amd_l3/event=0x04,umask=0x01/",
                "memory_l3_misses_total", "L3 misses", "misses", "memory",
                "Requests that missed the package's third caches.", 20)),
    lines(row("perf umc_cas_cmd.rd", "zen4:amd_umc/event=0x0a,rdwrmask=0x1/",
              "memory_umc_read_bytes_total", "DRAM reads by AMD controllers", "bytes", "memory",
              "Bytes that the package's memory controllers read (Zen 4, Linux 6.8).", 10)),
    lines(row("perf umc_cas_cmd.wr", "zen4:amd_umc/event=0x0a,rdwrmask=0x2/",
              "memory_umc_written_bytes_total", "DRAM writes by AMD controllers", "bytes", "memory",
              "Bytes that the package's memory controllers wrote (Zen 4, Linux 6.8).", 10)),
    lines(row("perf dram_channel_data_controller_0", "zen1,zen2,zen3:amd_df/event=0x7,umask=0x38/",
              "memory_dram_channel_0_bytes_total", "DRAM transfers of channel 0", "bytes", "memory",
              "Bytes read from and written to the package's memory channel 0 (Zen 1 to Zen 3).",
              40)),
    lines(row("perf dram_channel_data_controller_1", "zen1,zen2,zen3:amd_df/event=0x47,umask=0x38/",
              "memory_dram_channel_1_bytes_total", "DRAM transfers of channel 1", "bytes", "memory",
              "Bytes read from and written to the package's memory channel 1 (Zen 1 to Zen 3).",
              40)),
    lines(row("perf dram_channel_data_controller_2", "zen1,zen2,zen3:amd_df/event=0x87,umask=0x38/",
              "memory_dram_channel_2_bytes_total", "DRAM transfers of channel 2", "bytes", "memory",
              "Bytes read from and written to the package's memory channel 2 (Zen 1 to Zen 3).",
              40)),
    lines(row("perf dram_channel_data_controller_3", "zen1,zen2,zen3:amd_df/event=0xc7,umask=0x38/",
              "memory_dram_channel_3_bytes_total", "DRAM transfers of channel 3", "bytes", "memory",
              "Bytes read from and written to the package's memory channel 3 (Zen 1 to Zen 3).",
              40)),
    lines(
        row("perf dram_channel_data_controller_4", "zen1,zen2,zen3:amd_df/event=0x107,umask=0x38/",
            "memory_dram_channel_4_bytes_total", "DRAM transfers of channel 4", "bytes", "memory",
            "Bytes read from and written to the package's memory channel 4 (Zen 1 to Zen 3).", 40)),
    lines(
        row("perf dram_channel_data_controller_5", "zen1,zen2,zen3:amd_df/event=0x147,umask=0x38/",
            "memory_dram_channel_5_bytes_total", "DRAM transfers of channel 5", "bytes", "memory",
            "Bytes read from and written to the package's memory channel 5 (Zen 1 to Zen 3).", 40)),
    lines(
        row("perf dram_channel_data_controller_6", "zen1,zen2,zen3:amd_df/event=0x187,umask=0x38/",
            "memory_dram_channel_6_bytes_total", "DRAM transfers of channel 6", "bytes", "memory",
            "Bytes read from and written to the package's memory channel 6 (Zen 1 to Zen 3).", 40)),
    lines(
        row("perf dram_channel_data_controller_7", "zen1,zen2,zen3:amd_df/event=0x1c7,umask=0x38/",
            "memory_dram_channel_7_bytes_total", "DRAM transfers of channel 7", "bytes", "memory",
            "Bytes read from and written to the package's memory channel 7 (Zen 1 to Zen 3).", 40)),
};

}  // namespace

std::span<const EventDescriptor> uncore_events() {
  return kEvents;
}

}  // namespace reveal::perf

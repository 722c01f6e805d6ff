// The kernel's own events: https://man7.org/linux/man-pages/man2/perf_event_open.2.html,
// PERF_TYPE_SOFTWARE.
#include <linux/perf_event.h>

#include "perf/events.h"

namespace reveal::perf {
namespace {

constexpr std::uint64_t kCgroupSwitches = 11;  // Linux 5.13; older headers do not name it

constexpr EventDescriptor row(std::uint64_t config, std::string_view source,
                              std::string_view metric, std::string_view label,
                              std::string_view unit, std::string_view subsystem,
                              std::string_view help, std::int16_t rank = 100) {
  EventDescriptor out{source, metric, label, unit, subsystem, help, rank};
  out.code = {.type = PERF_TYPE_SOFTWARE, .config = config};
  return out;
}

constexpr EventDescriptor rare(EventDescriptor out) {
  out.rare = true;
  return out;
}

constexpr EventDescriptor nanoseconds(EventDescriptor out) {
  out.scale = 1e-9;
  return out;
}

constexpr EventDescriptor kEvents[] = {
    row(PERF_COUNT_SW_CONTEXT_SWITCHES, "perf context-switches", "cpu_core_context_switches_total",
        "Context switches per core", "switches", "cpu",
        "Times that the core went from one task to another."),
    row(PERF_COUNT_SW_CPU_MIGRATIONS, "perf cpu-migrations", "cpu_migrations_total",
        "Task migrations", "migrations", "cpu",
        "Tasks that the scheduler moved to this core from another."),
    row(kCgroupSwitches, "perf cgroup-switches", "cpu_cgroup_switches_total",
        "Control group switches", "switches", "cpu",
        "Context switches between tasks of different control groups.", 150),
    rare(row(PERF_COUNT_SW_PAGE_FAULTS, "perf page-faults", "memory_core_page_faults_total",
             "Page faults per core", "faults", "memory",
             "Page faults that the core took, minor and major.")),
    rare(row(PERF_COUNT_SW_PAGE_FAULTS_MIN, "perf minor-faults",
             "memory_core_minor_page_faults_total", "Minor page faults per core", "faults",
             "memory", "Page faults that the core took and that needed no I/O.", 150)),
    rare(row(PERF_COUNT_SW_PAGE_FAULTS_MAJ, "perf major-faults",
             "memory_core_major_page_faults_total", "Major page faults per core", "faults",
             "memory", "Page faults that the core took and that waited for I/O.")),
    rare(row(PERF_COUNT_SW_ALIGNMENT_FAULTS, "perf alignment-faults", "cpu_alignment_faults_total",
             "Alignment faults", "faults", "cpu",
             "Unaligned memory accesses that the kernel had to handle; always 0 on x86.")),
    rare(row(PERF_COUNT_SW_EMULATION_FAULTS, "perf emulation-faults", "cpu_emulation_faults_total",
             "Emulation faults", "faults", "cpu",
             "Instructions that the kernel emulated for user space.")),
    nanoseconds(row(PERF_COUNT_SW_CPU_CLOCK, "perf cpu-clock", "cpu_perf_clock_seconds_total",
                    "Perf clock time", "seconds", "cpu",
                    "Time that the core's event group has counted, by the kernel's "
                    "high-resolution clock.",
                    150)),
};

}  // namespace

std::span<const EventDescriptor> software_events() {
  return kEvents;
}

}  // namespace reveal::perf

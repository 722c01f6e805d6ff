#include "perf/events.h"

#include <linux/perf_event.h>

namespace reveal::perf {
namespace {

constexpr std::uint32_t kSoftware = PERF_TYPE_SOFTWARE;
constexpr std::uint64_t kCgroupSwitches = 11;  // Linux 5.13; older headers do not name it

constexpr EventDescriptor kSoftwareEvents[] = {
    {kSoftware, PERF_COUNT_SW_CONTEXT_SWITCHES, "context-switches", "perf context-switches",
     "cpu_core_context_switches_total", "Context switches per core", "switches", "cpu", false, 1.0,
     100, "Times that the core went from one task to another."},
    {kSoftware, PERF_COUNT_SW_CPU_MIGRATIONS, "cpu-migrations", "perf cpu-migrations",
     "cpu_migrations_total", "Task migrations", "migrations", "cpu", false, 1.0, 100,
     "Tasks that the scheduler moved to this core from another."},
    {kSoftware, kCgroupSwitches, "cgroup-switches", "perf cgroup-switches",
     "cpu_cgroup_switches_total", "Control group switches", "switches", "cpu", false, 1.0, 150,
     "Context switches between tasks of different control groups."},
    {kSoftware, PERF_COUNT_SW_PAGE_FAULTS, "page-faults", "perf page-faults",
     "memory_core_page_faults_total", "Page faults per core", "faults", "memory", true, 1.0, 100,
     "Page faults that the core took, minor and major."},
    {kSoftware, PERF_COUNT_SW_PAGE_FAULTS_MIN, "minor-faults", "perf minor-faults",
     "memory_core_minor_page_faults_total", "Minor page faults per core", "faults", "memory", true,
     1.0, 150, "Page faults that the core took and that needed no I/O."},
    {kSoftware, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "major-faults", "perf major-faults",
     "memory_core_major_page_faults_total", "Major page faults per core", "faults", "memory", true,
     1.0, 100, "Page faults that the core took and that waited for I/O."},
    {kSoftware, PERF_COUNT_SW_ALIGNMENT_FAULTS, "alignment-faults", "perf alignment-faults",
     "cpu_alignment_faults_total", "Alignment faults", "faults", "cpu", true, 1.0, 100,
     "Unaligned memory accesses that the kernel had to handle; always 0 on x86."},
    {kSoftware, PERF_COUNT_SW_EMULATION_FAULTS, "emulation-faults", "perf emulation-faults",
     "cpu_emulation_faults_total", "Emulation faults", "faults", "cpu", true, 1.0, 100,
     "Instructions that the kernel emulated for user space."},
    {kSoftware, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock", "perf cpu-clock",
     "cpu_perf_clock_seconds_total", "Perf clock time", "seconds", "cpu", false, 1e-9, 150,
     "Time that the core's event group has counted, by the kernel's high-resolution clock."},
};

}  // namespace

std::span<const EventDescriptor> software_events() {
  return kSoftwareEvents;
}

}  // namespace reveal::perf

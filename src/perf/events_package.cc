// What turbostat shows, through perf instead of /dev/cpu/*/msr: the msr, cstate_core, cstate_pkg
// and power PMUs. The kernel lists only the events that the processor has.
// https://man7.org/linux/man-pages/man8/turbostat.8.html
#include "perf/events.h"

namespace reveal::perf {
namespace {

constexpr EventDescriptor row(std::string_view source, std::string_view names,
                              std::string_view metric, std::string_view label,
                              std::string_view unit, std::string_view subsystem,
                              std::string_view help, std::int16_t rank) {
  EventDescriptor out{source, metric, label, unit, subsystem, help, rank, names};
  out.doc_url = "https://man7.org/linux/man-pages/man8/turbostat.8.html";
  return out;
}

constexpr EventDescriptor package(EventDescriptor out) {
  out.part = Part::kPackage;
  return out;
}

// The same on all cores, so that one of them is asked.
constexpr EventDescriptor smi(EventDescriptor out) {
  out.part = Part::kHost;
  out.rare = true;
  out.alias = "SMI";
  return out;
}

constexpr EventDescriptor joules(EventDescriptor out, std::string_view alias) {
  out.part = Part::kPackage;
  out.sized = true;
  out.alias = alias;
  return out;
}

constexpr EventDescriptor companion(EventDescriptor out) {
  out.companion = true;
  return package(out);
}

constexpr EventDescriptor kMsr[] = {
    row("perf msr/tsc/", "msr/tsc/", "cpu_tsc_cycles_total", "Time stamp counter", "cycles", "cpu",
        "Ticks of the constant clock, to which the others of its group are compared.", 150),
    row("perf msr/aperf/", "msr/aperf/", "cpu_aperf_cycles_total", "Actual performance clock",
        "cycles", "cpu", "Cycles at the actual frequency while the core was not idle.", 50),
    row("perf msr/mperf/", "msr/mperf/", "cpu_mperf_cycles_total", "Maximum performance clock",
        "cycles", "cpu", "Cycles at the constant base frequency while the core was not idle.", 50),
    row("perf msr/pperf/", "msr/pperf/", "cpu_pperf_cycles_total", "Productive performance clock",
        "cycles", "cpu",
        "As the actual performance clock, without cycles stalled for memory (Intel, Skylake and "
        "later).",
        60),
    row("perf msr/irperf/", "msr/irperf/", "cpu_irperf_instructions_total",
        "Retired instructions by irperf", "instructions", "cpu",
        "Completed instructions, by a counter of its own (AMD Zen).", 60),
    smi(row("perf msr/smi/", "msr/smi/", "cpu_smi_total", "System management interrupts",
            "interrupts", "cpu", "Interrupts in which firmware held all cores.", 20)),
};

constexpr EventDescriptor kCstate[] = {
    row("perf cstate_core/c1-residency/", "cstate_core/c1-residency/", "cpu_core_c1_cycles_total",
        "Core idle state C1", "cycles", "cpu",
        "Ticks of the constant clock that the core spent in C1.", 80),
    row("perf cstate_core/c3-residency/", "cstate_core/c3-residency/", "cpu_core_c3_cycles_total",
        "Core idle state C3", "cycles", "cpu",
        "Ticks of the constant clock that the core spent in C3.", 80),
    row("perf cstate_core/c6-residency/", "cstate_core/c6-residency/", "cpu_core_c6_cycles_total",
        "Core idle state C6", "cycles", "cpu",
        "Ticks of the constant clock that the core spent in C6.", 40),
    row("perf cstate_core/c7-residency/", "cstate_core/c7-residency/", "cpu_core_c7_cycles_total",
        "Core idle state C7", "cycles", "cpu",
        "Ticks of the constant clock that the core spent in C7.", 80),
    package(row("perf cstate_pkg/c2-residency/", "cstate_pkg/c2-residency/",
                "cpu_package_c2_cycles_total", "Package idle state PC2", "cycles", "cpu",
                "Ticks of the constant clock that the whole package spent in PC2.", 80)),
    package(row("perf cstate_pkg/c3-residency/", "cstate_pkg/c3-residency/",
                "cpu_package_c3_cycles_total", "Package idle state PC3", "cycles", "cpu",
                "Ticks of the constant clock that the whole package spent in PC3.", 80)),
    package(row("perf cstate_pkg/c6-residency/", "cstate_pkg/c6-residency/",
                "cpu_package_c6_cycles_total", "Package idle state PC6", "cycles", "cpu",
                "Ticks of the constant clock that the whole package spent in PC6.", 40)),
    package(row("perf cstate_pkg/c7-residency/", "cstate_pkg/c7-residency/",
                "cpu_package_c7_cycles_total", "Package idle state PC7", "cycles", "cpu",
                "Ticks of the constant clock that the whole package spent in PC7.", 80)),
    companion(row("perf msr/tsc/ of a package", "msr/tsc/", "cpu_package_tsc_cycles_total",
                  "Time stamp counter of the package", "cycles", "cpu",
                  "Ticks of the constant clock, to which the package's idle states are compared.",
                  150)),
};

constexpr EventDescriptor kPower[] = {
    joules(row("perf power/energy-pkg/", "power/energy-pkg/", "cpu_package_energy_joules_total",
               "Package energy", "joules", "cpu", "Energy that the package took.", 20),
           "Pkg_J"),
    joules(row("perf power/energy-cores/", "power/energy-cores/", "cpu_cores_energy_joules_total",
               "Cores' energy", "joules", "cpu", "Energy that the cores of the package took.", 60),
           "Cor_J"),
    joules(row("perf power/energy-ram/", "power/energy-ram/", "memory_dram_energy_joules_total",
               "DRAM energy", "joules", "memory", "Energy that the package's memory took.", 30),
           "RAM_J"),
    joules(row("perf power/energy-psys/", "power/energy-psys/", "cpu_platform_energy_joules_total",
               "Platform energy", "joules", "cpu", "Energy that the whole platform took.", 60),
           "Sys_J"),
};

}  // namespace

std::span<const EventDescriptor> msr_events() {
  return kMsr;
}
std::span<const EventDescriptor> cstate_events() {
  return kCstate;
}
std::span<const EventDescriptor> power_events() {
  return kPower;
}

}  // namespace reveal::perf

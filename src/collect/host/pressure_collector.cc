// /proc/pressure: the time that tasks lost for want of a core, of memory, of I/O, or to interrupts.
// One collector a file, since kernels have some and lack others.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "procfs/pressure.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using model::Subsystem;

constexpr std::string_view kRemedy =
    "boot a kernel with CONFIG_PSI=y and without psi=0 (psi=1 where it is off by default)";
constexpr std::string_view kIrqRemedy =
    "boot a kernel from 6.1 on with CONFIG_PSI=y and CONFIG_IRQ_TIME_ACCOUNTING=y";

constexpr MetricDescriptor row(std::string_view source, Subsystem subsystem, std::string_view name,
                               std::string_view alias, std::string_view label,
                               std::string_view help, std::int16_t rank = 60) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "seconds";
  out.kind = model::Kind::kCounter;
  out.subsystem = subsystem;
  out.scale = 1e-6;  // us
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/accounting/psi.html";
  out.help = help;
  out.rank = rank;
  return out;
}

// The kernel's own average, by which other tools know the pressure. It says what the total's rate
// says, later, so that it is the first to be pruned.
constexpr MetricDescriptor average(std::string_view source, Subsystem subsystem,
                                   std::string_view name, std::string_view alias,
                                   std::string_view label, std::string_view help) {
  MetricDescriptor out = row(source, subsystem, name, alias, label, help, 200);
  out.unit = "ratio";
  out.kind = model::Kind::kGauge;
  out.scale = 1e-4;  // hundredths of a percent
  return out;
}

constexpr MetricDescriptor kCpu[] = {
    row("/proc/pressure/cpu some", Subsystem::kCpu, "cpu_pressure_some_seconds_total",
        "psi.cpu.some", "CPU pressure",
        "Time in which at least one task could run but had no core (Linux 4.20)."),
    row("/proc/pressure/cpu full", Subsystem::kCpu, "cpu_pressure_full_seconds_total",
        "psi.cpu.full", "CPU pressure on all tasks",
        "Always 0 for the whole host; the file has it for symmetry (Linux 5.13).", 150),
    average("/proc/pressure/cpu some avg10", Subsystem::kCpu, "cpu_pressure_some_10s_ratio",
            "psi.cpu.some.avg10", "Mean CPU pressure",
            "Share of about the last 10 s in which at least one task had no core (Linux 4.20)."),
    average("/proc/pressure/cpu full avg10", Subsystem::kCpu, "cpu_pressure_full_10s_ratio",
            "psi.cpu.full.avg10", "Mean CPU pressure on all tasks",
            "Always 0 for the whole host; the file has it for symmetry (Linux 5.13)."),
};

constexpr MetricDescriptor kMemory[] = {
    row("/proc/pressure/memory some", Subsystem::kMemory, "memory_pressure_some_seconds_total",
        "psi.memory.some", "Memory pressure",
        "Time in which at least one task waited for memory to be reclaimed (Linux 4.20)."),
    row("/proc/pressure/memory full", Subsystem::kMemory, "memory_pressure_full_seconds_total",
        "psi.memory.full", "Memory pressure on all tasks",
        "Time in which every task that was not idle waited for memory (Linux 4.20).", 80),
    average(
        "/proc/pressure/memory some avg10", Subsystem::kMemory, "memory_pressure_some_10s_ratio",
        "psi.memory.some.avg10", "Mean memory pressure",
        "Share of about the last 10 s in which at least one task waited for memory (Linux 4.20)."),
    average("/proc/pressure/memory full avg10", Subsystem::kMemory,
            "memory_pressure_full_10s_ratio", "psi.memory.full.avg10",
            "Mean memory pressure on all tasks",
            "Share of about the last 10 s in which every task that was not idle waited for memory "
            "(Linux 4.20)."),
};

constexpr MetricDescriptor kIo[] = {
    row("/proc/pressure/io some", Subsystem::kStorage, "storage_io_pressure_some_seconds_total",
        "psi.io.some", "I/O pressure",
        "Time in which at least one task waited for I/O (Linux 4.20)."),
    row("/proc/pressure/io full", Subsystem::kStorage, "storage_io_pressure_full_seconds_total",
        "psi.io.full", "I/O pressure on all tasks",
        "Time in which every task that was not idle waited for I/O (Linux 4.20).", 80),
    average("/proc/pressure/io some avg10", Subsystem::kStorage,
            "storage_io_pressure_some_10s_ratio", "psi.io.some.avg10", "Mean I/O pressure",
            "Share of about the last 10 s in which at least one task waited for I/O (Linux 4.20)."),
    average("/proc/pressure/io full avg10", Subsystem::kStorage,
            "storage_io_pressure_full_10s_ratio", "psi.io.full.avg10",
            "Mean I/O pressure on all tasks",
            "Share of about the last 10 s in which every task that was not idle waited for I/O "
            "(Linux 4.20)."),
};

constexpr MetricDescriptor kIrq[] = {
    row("/proc/pressure/irq full", Subsystem::kCpu, "cpu_irq_pressure_full_seconds_total",
        "psi.irq.full", "Interrupt pressure",
        "Time in which interrupts kept a core from the task that it was running (Linux 6.1)."),
    average(
        "/proc/pressure/irq full avg10", Subsystem::kCpu, "cpu_irq_pressure_full_10s_ratio",
        "psi.irq.full.avg10", "Mean interrupt pressure",
        "Share of about the last 10 s in which interrupts kept a core from its task (Linux 6.1)."),
};

template <typename Rows>
std::vector<MetricDescriptor> all(const Rows& rows) {
  return {std::begin(rows), std::end(rows)};
}

std::unique_ptr<Collector> make(std::string_view file, std::vector<MetricDescriptor> metrics,
                                std::string_view remedy) {
  return std::make_unique<KeyedCollector<procfs::PressureLayout, procfs::kOneRecord>>(
      file, std::move(metrics), remedy);
}

std::vector<MetricDescriptor> pressure_cpu_metrics() {
  return all(kCpu);
}
std::vector<MetricDescriptor> pressure_memory_metrics() {
  return all(kMemory);
}
std::vector<MetricDescriptor> pressure_io_metrics() {
  return all(kIo);
}
std::vector<MetricDescriptor> pressure_irq_metrics() {
  return all(kIrq);
}

std::unique_ptr<Collector> make_pressure_cpu() {
  return make("pressure/cpu", pressure_cpu_metrics(), kRemedy);
}
std::unique_ptr<Collector> make_pressure_memory() {
  return make("pressure/memory", pressure_memory_metrics(), kRemedy);
}
std::unique_ptr<Collector> make_pressure_io() {
  return make("pressure/io", pressure_io_metrics(), kRemedy);
}
std::unique_ptr<Collector> make_pressure_irq() {
  return make("pressure/irq", pressure_irq_metrics(), kIrqRemedy);
}

}  // namespace

extern const CollectorDescriptor kPressureCpuCollector = {
    .name = "pressure_cpu",
    .help = "time lost for want of a core",
    .make = make_pressure_cpu,
    .metrics = pressure_cpu_metrics,
};

extern const CollectorDescriptor kPressureMemoryCollector = {
    .name = "pressure_memory",
    .help = "time lost for want of memory",
    .make = make_pressure_memory,
    .metrics = pressure_memory_metrics,
};

extern const CollectorDescriptor kPressureIoCollector = {
    .name = "pressure_io",
    .help = "time lost waiting for I/O",
    .make = make_pressure_io,
    .metrics = pressure_io_metrics,
};

extern const CollectorDescriptor kPressureIrqCollector = {
    .name = "pressure_irq",
    .help = "time lost to interrupts",
    .make = make_pressure_irq,
    .metrics = pressure_irq_metrics,
};

}  // namespace reveal::collect

#include "collect/cpu/interrupts_metrics.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using model::Subsystem;
using procfs::IrqClass;

constexpr MetricDescriptor metric(std::string_view source, std::string_view alias, Kind kind,
                                  Subsystem subsystem, std::string_view name,
                                  std::string_view label, std::string_view help,
                                  std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "interrupts";
  out.kind = kind;
  out.subsystem = subsystem;
  out.scope = model::Scope::kCore;
  out.counter_bits = 32;  // unsigned int in the kernel; sums are kept modulo 2^32
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/filesystems/proc.html#kernel-data";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricRow<IrqKey> row(std::string_view source, Kind kind, Subsystem subsystem,
                                std::string_view name, std::string_view label,
                                std::string_view help) {
  const auto key = source.substr(source.find(' ') + 1);
  return {{key, std::nullopt}, metric(source, key, kind, subsystem, name, label, help, 100)};
}

constexpr MetricRow<IrqKey> host(MetricRow<IrqKey> out) {
  out.metric.scope = model::Scope::kHost;
  return out;
}

constexpr MetricRow<IrqKey> devices(IrqClass irq_class, std::string_view source,
                                    std::string_view alias, Subsystem subsystem,
                                    std::string_view name, std::string_view label,
                                    std::string_view help) {
  return {{"", irq_class}, metric(source, alias, Kind::kCounter, subsystem, name, label, help, 50)};
}

constexpr auto kCounter = Kind::kCounter;
constexpr auto kEvent = Kind::kEvent;

constexpr MetricRow<IrqKey> kRows[] = {
    {{"", std::nullopt},
     metric("/proc/interrupts all rows", "IRQ", kCounter, Subsystem::kCpu,
            "cpu_core_interrupts_total", "Interrupts per core",
            "Interrupts that the core served, of devices and of other cores.", 50)},
    {{"", std::nullopt},
     metric("/proc/interrupts all device rows", "irq.dev", kCounter, Subsystem::kCpu,
            "cpu_device_interrupts_total", "Device interrupts per core",
            "Interrupts that the core served for devices of all kinds.", 50)},
    row("/proc/interrupts LOC", kCounter, Subsystem::kCpu, "cpu_timer_interrupts_total",
        "Local timer interrupts", "Ticks and timers of the core."),
    row("/proc/interrupts RES", kCounter, Subsystem::kCpu, "cpu_rescheduling_interrupts_total",
        "Rescheduling interrupts", "Wake-ups that other cores sent."),
    row("/proc/interrupts CAL", kCounter, Subsystem::kCpu, "cpu_function_call_interrupts_total",
        "Function call interrupts", "Functions that other cores asked this core to run."),
    row("/proc/interrupts TLB", kCounter, Subsystem::kMemory, "memory_tlb_shootdowns_total",
        "TLB shootdowns", "Address translations that other cores made this core forget."),
    row("/proc/interrupts NMI", kCounter, Subsystem::kCpu, "cpu_nmi_interrupts_total",
        "Non-maskable interrupts", "Non-maskable interrupts, of the perf watchdog for example."),
    row("/proc/interrupts PMI", kCounter, Subsystem::kCpu,
        "cpu_performance_monitoring_interrupts_total", "Performance monitoring interrupts",
        "Overflows of performance counters."),
    row("/proc/interrupts TRM", kEvent, Subsystem::kCpu, "cpu_thermal_event_interrupts_total",
        "Thermal event interrupts", "Crossings of a thermal limit, for example throttling."),
    row("/proc/interrupts THR", kEvent, Subsystem::kCpu, "cpu_threshold_interrupts_total",
        "Corrected error threshold interrupts",
        "Times that corrected hardware errors reached their threshold."),
    row("/proc/interrupts DFR", kEvent, Subsystem::kCpu, "cpu_deferred_error_interrupts_total",
        "Deferred error interrupts", "Uncorrected errors that AMD cores deferred (Linux 4.1)."),
    row("/proc/interrupts MCE", kEvent, Subsystem::kCpu, "cpu_machine_check_exceptions_total",
        "Machine check exceptions", "Hardware errors that raised an exception."),
    row("/proc/interrupts MCP", kCounter, Subsystem::kCpu, "cpu_machine_check_polls_total",
        "Machine check polls", "Polls for hardware errors."),
    row("/proc/interrupts SPU", kEvent, Subsystem::kCpu, "cpu_spurious_interrupts_total",
        "Spurious interrupts", "Interrupts without a source."),
    row("/proc/interrupts PIN", kCounter, Subsystem::kCpu,
        "cpu_posted_interrupt_notifications_total", "Posted interrupt notifications",
        "Interrupts delivered straight into virtual machines (Linux 4.0)."),
    host(row("/proc/interrupts ERR", kEvent, Subsystem::kCpu, "cpu_interrupt_errors_total",
             "Interrupt controller errors", "Errors on the bus of the interrupt controllers.")),
    host(row("/proc/interrupts MIS", kEvent, Subsystem::kCpu, "cpu_interrupts_missed_total",
             "Missed interrupts", "Interrupts that an IO-APIC missed and the kernel repaired.")),
    devices(IrqClass::kMlx5, "/proc/interrupts mlx5 rows", "irq.dev.mlx5", Subsystem::kNetwork,
            "network_mlx5_interrupts_total", "ConnectX interrupts",
            "Interrupts of NVIDIA ConnectX adapters, InfiniBand and Ethernet."),
    devices(IrqClass::kNic, "/proc/interrupts other network rows", "irq.dev.nic",
            Subsystem::kNetwork, "network_device_interrupts_total", "Network device interrupts",
            "Interrupts of network adapters other than ConnectX, virtual ones among them."),
    devices(IrqClass::kStorage, "/proc/interrupts storage rows", "irq.dev.nvme",
            Subsystem::kStorage, "storage_device_interrupts_total", "Storage device interrupts",
            "Interrupts of NVMe, virtio-blk, AHCI and SAS storage."),
    devices(IrqClass::kGpu, "/proc/interrupts GPU rows", "irq.dev.gpu", Subsystem::kGpu,
            "gpu_device_interrupts_total", "GPU interrupts", "Interrupts of NVIDIA and AMD GPUs."),
    devices(IrqClass::kOther, "/proc/interrupts other device rows", "irq.dev.other",
            Subsystem::kCpu, "cpu_other_device_interrupts_total", "Other device interrupts",
            "Interrupts of devices that are neither network, storage nor GPU."),
};

}  // namespace

std::span<const MetricRow<IrqKey>> interrupt_rows() {
  return kRows;
}

}  // namespace reveal::collect

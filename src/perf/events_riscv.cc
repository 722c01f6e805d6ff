// Events of RISC-V. Its PMU is called cpu, and the kernel shows no events of it, only the fields of
// their codes: `event`, and `firmware`, which was bit 63 alone at first and is bits 62 and 63 in
// later kernels, so that each row of the firmware is written both ways. What the kernel's generic
// events count has no row here: stalled-cycles-frontend and -backend, branches, and the misses of
// caches and translation buffers, as far as the board's device tree knows counters for them
// (drivers/perf/riscv_pmu_sbi.c of Linux).
//
// Events of the firmware are the same on every machine: requests that it served, and instructions
// that it did instead of the core (SBI specification, PMU extension). Its counters are its own;
// none of the core's is used up.
//
// Codes of cores are those of tools/perf/pmu-events/arch/riscv of Linux: SiFive's U74 and P550, and
// T-Head's C906, C910 and C920 (c900).
#include "perf/events.h"

namespace reveal::perf {
namespace {

constexpr EventDescriptor row(std::string_view source, std::string_view names,
                              std::string_view metric, std::string_view label,
                              std::string_view unit, std::string_view subsystem,
                              std::string_view help, std::int16_t rank) {
  EventDescriptor out{source, metric, label, unit, subsystem, help, rank, names};
  out.doc_url =
      "https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git/tree/tools/perf/"
      "pmu-events/arch/riscv";
  return out;
}

constexpr EventDescriptor kEvents[] = {
    row("perf DCACHE_BLOCKED", "u74,p550:cpu/event=0x1001/", "memory_dcache_blocked_cycles_total",
        "Data cache stalls", "cycles", "memory",
        "Cycles in which the first data cache held an instruction up.", 10),
    row("perf ICACHE_BLOCKED", "u74,p550:cpu/event=0x801/", "cpu_icache_blocked_cycles_total",
        "Instruction cache stalls", "cycles", "cpu",
        "Cycles in which the first instruction cache had no instruction to give.", 40),
    row("perf LONGLATENCY_INTERLOCK", "u74,p550:cpu/event=0x201/",
        "cpu_long_latency_interlock_cycles_total", "Waits for slow instructions", "cycles", "cpu",
        "Cycles in which an instruction waited for the result of one that takes long.", 30),
    row("perf UTLB_MISS", "u74,p550:cpu/event=0x2002/ c900:cpu/event=0x5/",
        "memory_joint_tlb_misses_total", "Second-level TLB misses", "misses", "memory",
        "Addresses that the translation buffer of instructions and data lacked.", 50),
    row("perf DCACHE_WRITEBACK", "u74,p550:cpu/event=0x402/", "memory_l1d_writebacks_total",
        "L1 data cache write-backs", "lines", "memory", "Lines that the first data cache gave up.",
        110),
    row("perf LSU_OTHER_STALL", "c900:cpu/event=0x18/", "memory_load_store_stalls_total",
        "Stalls of loads and stores", "stalls", "memory",
        "Stalls of the unit for loads and stores, but those for distances over 4 KiB.", 20),
    row("perf SYNC_STALL", "c900:cpu/event=0x29/", "cpu_barrier_stall_cycles_total",
        "Barrier stalls", "cycles", "cpu", "Cycles in which the core waited at a barrier.", 60),
    row("perf FW_MISALIGNED_LOAD", "cpu/event=0x0,firmware=2/ cpu/event=0x0,firmware=1/",
        "memory_firmware_misaligned_loads_total", "Misaligned loads done by firmware", "loads",
        "memory", "Misaligned loads that the core cannot do, and the firmware did byte by byte.",
        70),
    row("perf FW_MISALIGNED_STORE", "cpu/event=0x1,firmware=2/ cpu/event=0x1,firmware=1/",
        "memory_firmware_misaligned_stores_total", "Misaligned stores done by firmware", "stores",
        "memory", "Misaligned stores that the core cannot do, and the firmware did byte by byte.",
        70),
    row("perf FW_ILLEGAL_INSN", "cpu/event=0x4,firmware=2/ cpu/event=0x4,firmware=1/",
        "cpu_firmware_illegal_instructions_total", "Instructions left to firmware", "instructions",
        "cpu", "Instructions that the core has not, a reading of its clock on some of them.", 100),
    row("perf FW_SET_TIMER", "cpu/event=0x5,firmware=2/ cpu/event=0x5,firmware=1/",
        "cpu_firmware_timers_set_total", "Timers set by firmware", "timers", "cpu",
        "Timers that the kernel had the firmware set; none on cores with Sstc.", 150),
    row("perf FW_IPI_SENT", "cpu/event=0x6,firmware=2/ cpu/event=0x6,firmware=1/",
        "cpu_firmware_ipi_sent_total", "Interrupts sent by firmware", "interrupts", "cpu",
        "Interrupts for other cores that the firmware sent for this one.", 150),
    row("perf FW_IPI_RECEIVED", "cpu/event=0x7,firmware=2/ cpu/event=0x7,firmware=1/",
        "cpu_firmware_ipi_received_total", "Interrupts received by firmware", "interrupts", "cpu",
        "Interrupts of other cores that came by the firmware.", 150),
    row("perf FW_FENCE_I_RECEIVED", "cpu/event=0x9,firmware=2/ cpu/event=0x9,firmware=1/",
        "cpu_firmware_code_flushes_received_total", "Instruction flushes received by firmware",
        "flushes", "cpu", "Times that another core made this one fetch its instructions anew.",
        120),
    row("perf FW_SFENCE_VMA_SENT", "cpu/event=0xa,firmware=2/ cpu/event=0xa,firmware=1/",
        "memory_firmware_tlb_flushes_sent_total", "TLB flushes sent by firmware", "flushes",
        "memory", "Times that this core had others forget address translations.", 110),
    row("perf FW_SFENCE_VMA_RECEIVED", "cpu/event=0xb,firmware=2/ cpu/event=0xb,firmware=1/",
        "memory_firmware_tlb_flushes_received_total", "TLB flushes received by firmware", "flushes",
        "memory", "Times that another core made this one forget address translations.", 110),
    row("perf FW_SFENCE_VMA_ASID_SENT", "cpu/event=0xc,firmware=2/ cpu/event=0xc,firmware=1/",
        "memory_firmware_tlb_asid_flushes_sent_total", "TLB flushes of one process sent", "flushes",
        "memory", "Times that this core had others forget the translations of one process.", 110),
    row("perf FW_SFENCE_VMA_ASID_RECEIVED", "cpu/event=0xd,firmware=2/ cpu/event=0xd,firmware=1/",
        "memory_firmware_tlb_asid_flushes_received_total", "TLB flushes of one process received",
        "flushes", "memory",
        "Times that another core made this one forget the translations of one process.", 110),
};

}  // namespace

std::span<const EventDescriptor> riscv_events() {
  return kEvents;
}

}  // namespace reveal::perf

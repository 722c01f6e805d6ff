#include "exchange/guess.h"

#include <gtest/gtest.h>

#include "exchange/name_words.h"

namespace reveal::exchange {
namespace {

using model::Kind;
using model::Scope;
using model::Subsystem;

Series whole(std::vector<std::uint64_t> values) {
  Series out;
  out.bits = std::move(values);
  return out;
}

Kind kind_of(std::string_view metric, std::vector<Series> series, std::string_view unit = "") {
  std::vector<const Series*> all;
  for (const auto& one : series) all.push_back(&one);
  return guess_kind(metric, unit, all);
}

TEST(Guess, KnowsCountersByNameOrTrend) {
  EXPECT_EQ(kind_of("reads_total", {whole({3, 1, 2})}), Kind::kCounter);
  EXPECT_EQ(kind_of("rx_bytes", {whole({1, 2, 2, 5, 9})}, "bytes"), Kind::kCounter);
  EXPECT_EQ(kind_of("rx_bytes", {whole({1, 2, 2, 5, 9}), whole({7, 7, 7, 7, 7})}, "bytes"),
            Kind::kCounter);
}

TEST(Guess, TakesTheRestForGauges) {
  EXPECT_EQ(kind_of("free", {whole({1, 2, 3, 4, 3})}), Kind::kGauge);
  EXPECT_EQ(kind_of("free", {whole({1, 2, 3, 4}), whole({2, 1, 0})}), Kind::kGauge);
  EXPECT_EQ(kind_of("settings", {whole({1, 1, 2, 2})}), Kind::kGauge);
  EXPECT_EQ(kind_of("heat_celsius", {whole({1, 2, 3, 4, 5})}, "celsius"), Kind::kGauge);
  Series real = whole({1, 2, 3, 4});
  real.make_real();
  EXPECT_EQ(kind_of("x", {real}), Kind::kGauge);
}

TEST(Guess, ReadsUnits) {
  EXPECT_EQ(guess_unit("", "node_memory_MemFree_bytes").unit, "bytes");
  EXPECT_EQ(guess_unit("", "cpu_seconds_total").unit, "seconds");
  EXPECT_EQ(guess_unit("", "kilobytes").unit, "");
  EXPECT_EQ(guess_unit("", "load1").unit, "");
  EXPECT_EQ(guess_unit("memory.used [MiB]", "memory_used").unit, "bytes");
  EXPECT_EQ(guess_unit("memory.used [MiB]", "memory_used").scale, 1048576);
  EXPECT_EQ(guess_unit("utilization.gpu [%]", "utilization_gpu").unit, "ratio");
  EXPECT_EQ(guess_unit("utilization.gpu [%]", "utilization_gpu").scale, 0.01);
  EXPECT_EQ(guess_unit("", "busy_percent").scale, 0.01);
  EXPECT_EQ(guess_unit("odd (furlongs)", "odd").unit, "");
}

TEST(Guess, KnowsSubsystems) {
  EXPECT_EQ(guess_subsystem("node_cpu_seconds_total", "cpu=0,mode=idle"), Subsystem::kCpu);
  EXPECT_EQ(guess_subsystem("node_memory_MemFree_bytes", ""), Subsystem::kMemory);
  EXPECT_EQ(guess_subsystem("node_network_receive_bytes_total", "device=eth0"),
            Subsystem::kNetwork);
  EXPECT_EQ(guess_subsystem("node_netstat_Tcp_RetransSegs", ""), Subsystem::kNetwork);
  EXPECT_EQ(guess_subsystem("node_disk_io_now", "device=sda"), Subsystem::kStorage);
  EXPECT_EQ(guess_subsystem("node_pressure_io_waiting_seconds_total", ""), Subsystem::kStorage);
  EXPECT_EQ(guess_subsystem("DCGM_FI_DEV_GPU_UTIL", "gpu=0"), Subsystem::kGpu);
  EXPECT_EQ(guess_subsystem("gpu_memory_used_bytes", ""), Subsystem::kGpu);
  EXPECT_EQ(guess_subsystem("util", "dev=sda"), Subsystem::kStorage);
  EXPECT_EQ(guess_subsystem("DSK_WriteKBTot", ""), Subsystem::kStorage);
  EXPECT_EQ(guess_subsystem("bytes", "dev=eth0"), Subsystem::kNetwork);
  EXPECT_EQ(guess_subsystem("ratio", ""), Subsystem::kUnknown);
}

TEST(Guess, KnowsScopes) {
  EXPECT_EQ(guess_scope("", Subsystem::kCpu), Scope::kHost);
  EXPECT_EQ(guess_scope("cpu=0,mode=idle", Subsystem::kCpu), Scope::kCore);
  EXPECT_EQ(guess_scope("gpu=1", Subsystem::kGpu), Scope::kGpu);
  EXPECT_EQ(guess_scope("device=eth0", Subsystem::kNetwork), Scope::kNic);
  EXPECT_EQ(guess_scope("device=sda", Subsystem::kStorage), Scope::kDisk);
  EXPECT_EQ(guess_scope("chip=x", Subsystem::kCpu), Scope::kDevice);
}

TEST(Guess, MakesLabels) {
  EXPECT_EQ(guess_label("node_cpu_seconds_total"), "Node cpu seconds");
}

// A GPU that warms up, memory that fills.
TEST(GuessKind, NamesOfLevelsAreNoCounters) {
  const Series rises = whole({40, 41, 42, 43, 44, 45, 60});
  const Series* one = &rises;
  for (const char* name : {"temperature_gpu", "gpu_temp", "power_draw", "memory_used", "clocks_sm",
                           "utilization_gpu", "GPU_Util", "node_load1"}) {
    EXPECT_EQ(guess_kind(name, "", {&one, 1}), Kind::kGauge) << name;
  }
  EXPECT_EQ(guess_kind("requests", "", {&one, 1}), Kind::kCounter);
}

TEST(GuessKind, ATotalThatFallsOftenIsALevel) {
  const Series falls = whole({9, 8, 9, 7, 8, 6, 5, 7});
  const Series resets = whole({1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8});
  const Series* one = &falls;
  EXPECT_EQ(guess_kind("tasks_total", "", {&one, 1}), Kind::kGauge);
  one = &resets;
  EXPECT_EQ(guess_kind("tasks_total", "", {&one, 1}), Kind::kCounter);
}

TEST(GuessSubsystem, VocabulariesOfOtherPrograms) {
  EXPECT_EQ(guess_subsystem("DSK_WriteKBTot", ""), Subsystem::kStorage);
  EXPECT_EQ(guess_subsystem("pgpgout", ""), Subsystem::kStorage);
  EXPECT_EQ(guess_subsystem("node_softnet_dropped_total", "cpu=0"), Subsystem::kNetwork);
  EXPECT_EQ(guess_subsystem("node_nf_conntrack_entries", ""), Subsystem::kNetwork);
  EXPECT_EQ(guess_subsystem("gpu_power_draw", ""), Subsystem::kGpu);
}

// Names as the programs write them (metric_of_text() has made words of their signs).
TEST(GuessSubsystem, WhatIsOfTheCpuIsToldByAWordToo) {
  for (const char* name : {"node_load1",
                           "node_procs_running",
                           "node_context_switches_total",
                           "node_intr_total",
                           "node_forks_total",
                           "node_schedstat_waiting_seconds_total",
                           "node_softirqs_total",
                           "node_interrupts_total",
                           "node_rapl_package_joules_total",  // node_exporter
                           "container_cpu_usage_seconds_total",
                           "process_cpu_seconds_total",
                           "kernel_all_load",
                           "kernel_all_pswitch",
                           "kernel_all_intr",  // PCP
                           "kernel_all_runnable",
                           "kernel_percpu_cpu_user",
                           "CPU_User",
                           "CPU_L_Avg1",
                           "CPU_Intrpt_sec",  // collectl
                           "user",
                           "system",
                           "iowait",
                           "steal",
                           "idle",
                           "runq_sz",
                           "plist_sz",
                           "ldavg_1",
                           "cswch_s",
                           "intr_s",  // sar
                           "usr",
                           "sys",
                           "idl",
                           "wai",
                           "stl",  // dstat
                           "perf_cycles",
                           "perf_task_clock",
                           "perf_LLC_load_misses",  // perf stat
                           "system_load1",
                           "load_shortterm",
                           "loadavg",
                           "coretemp"}) {
    EXPECT_EQ(guess_subsystem(name, ""), Subsystem::kCpu) << name;
  }
  EXPECT_EQ(guess_subsystem("usage_user", "cpu=0"), Subsystem::kCpu);
  EXPECT_EQ(guess_subsystem("busy", "core=S0-D0-C1"), Subsystem::kCpu);
  // A socket of perf stat is no network's.
  EXPECT_EQ(guess_subsystem("perf_cycles", "socket=0"), Subsystem::kCpu);
  EXPECT_EQ(guess_subsystem("perf_page_faults", ""), Subsystem::kMemory);
}

TEST(GuessSubsystem, WhatNoWordTellsIsUnknown) {
  for (const char* name : {"request_latency_seconds",
                           "http_requests_total",
                           "vllm_num_requests_waiting",
                           "tokens_per_second",
                           "loss",
                           "step_time",
                           "go_goroutines",
                           "node_hwmon_temp_celsius",
                           "node_time_seconds",
                           "node_entropy_available_bits",
                           "inlet_temperature",
                           "a",
                           "value",
                           "APP_Column7",
                           "context_length",
                           "page_load_seconds",
                           "user_sessions",
                           "system_uptime",
                           "ensemble_loss",
                           "bonding_energy",
                           "ethanol",
                           "idle_workers",
                           "queue_depth"}) {
    EXPECT_EQ(guess_subsystem(name, ""), Subsystem::kUnknown) << name;
  }
}

// What only begins like a word of the hardware is not one.
TEST(GuessSubsystem, WordsAreWhole) {
  for (const char* name :
       {"members_total", "memo", "memo_hits", "memoized_calls", "member_count", "memorial_pages",
        "memcached_items", "remember_me_logins", "netted_orders", "internet_orders",
        "netflix_calls", "netsuite_orders", "nets_traded", "cabinet_temperature", "swapped_orders",
        "swaps_traded", "totalMembers", "orderNetted", "MEMO_Hits"}) {
    EXPECT_EQ(guess_subsystem(name, ""), Subsystem::kUnknown) << name;
  }
}

TEST(GuessSubsystem, MemoryAndNetworkByWholeWords) {
  for (const char* name : {"memUsed",
                           "mem_free_kb",
                           "MemFree",
                           "MEM_Free",
                           "mem",
                           "mem0_used",
                           "memory",
                           "Memory_used",
                           "usedMemory",
                           "JVMMemoryUsed",
                           "go_memstats_alloc_bytes",
                           "memused",
                           "memfree",
                           "swap_used",
                           "swapUsed",
                           "SwapTotal",
                           "swapfree",
                           "vm_swappiness",
                           "numa_hit",
                           "numastat_miss",
                           "container_memory_usage_bytes",
                           "node_memory_MemFree_bytes",
                           "kbmemfree",
                           "shmem"}) {
    EXPECT_EQ(guess_subsystem(name, ""), Subsystem::kMemory) << name;
  }
  for (const char* name :
       {"net_rx_bytes", "net", "NET_RxPktTot", "net0_bytes", "netIn", "networkIn", "NetworkOut",
        "network_bytes", "netin", "netout", "netif_receive", "node_netstat_Tcp_RetransSegs",
        "hostNetBytes", "netstat_retrans"}) {
    EXPECT_EQ(guess_subsystem(name, ""), Subsystem::kNetwork) << name;
  }
}

TEST(GuessSubsystem, WordThatIsKnownIsNotPartedByItsCapitals) {
  EXPECT_EQ(guess_subsystem("IOWait", ""), Subsystem::kCpu);
}

TEST(NameWords, CapitalsBeginWords) {
  EXPECT_EQ(parted_by_case("memUsed"), "mem Used");
  EXPECT_EQ(parted_by_case("MEMUsed"), "MEM Used");
  EXPECT_EQ(parted_by_case("HTTPServerErrors"), "HTTP Server Errors");
  EXPECT_EQ(parted_by_case("MEMO"), "MEMO");
  EXPECT_EQ(parted_by_case(""), "");
}

TEST(GuessSubsystem, NamesOfNetworkDevicesEndInNumbers) {
  for (const char* name : {"eth0_bytes", "ens18_bytes", "enp3s0_bytes", "bond0_bytes"}) {
    EXPECT_EQ(guess_subsystem(name, ""), Subsystem::kNetwork) << name;
  }
}

}  // namespace
}  // namespace reveal::exchange

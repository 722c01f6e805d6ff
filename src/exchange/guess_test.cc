#include "exchange/guess.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(guess_subsystem("ratio", ""), Subsystem::kCpu);
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

}  // namespace
}  // namespace reveal::exchange

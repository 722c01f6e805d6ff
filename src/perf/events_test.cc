#include "perf/events.h"

#include <cstdlib>
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "perf/event_names.h"
#include "perf/event_tables.h"

namespace reveal::perf {
namespace {

std::vector<EventDescriptor> all_events() {
  std::vector<EventDescriptor> out;
  for (const auto events : {software_events(), base_events(), cache_events(), intel_events(),
                            amd_events(), arm_events(), riscv_events(), msr_events(),
                            cstate_events(), power_events(), uncore_events(), cgroup_events()}) {
    out.insert(out.end(), events.begin(), events.end());
  }
  return out;
}

TEST(Events, TablesAreWellFormed) {
  std::set<std::string_view> metrics;
  for (const EventDescriptor& event : all_events()) {
    SCOPED_TRACE(event.metric);
    EXPECT_TRUE(metrics.insert(event.metric).second);
    EXPECT_TRUE(event.source.starts_with("perf "));
    EXPECT_FALSE(alias_of(event).empty());
    EXPECT_GT(event.scale, 0.0);
    EXPECT_TRUE(event.metric.starts_with(event.subsystem));
    EXPECT_TRUE(event.metric.ends_with("_total"));
  }
}

// Event, unit mask, and where there are the counter mask (bits 24 to 31) or the offcore response's
// mask, as Intel's event reference lists them.
TEST(Events, IntelNamesHaveTheCodesOfTheReference) {
  const auto code = [](std::string_view table, std::string_view name) {
    const auto found = encode_in_table(table, name);
    EXPECT_TRUE(found) << name << " " << found.error().message();
    return found ? *found : EventCode{};
  };
  for (const auto* table : {"skx", "icx", "spr"}) {
    SCOPED_TRACE(table);
    EXPECT_EQ(code(table, "CYCLE_ACTIVITY:STALLS_TOTAL").config & 0xff00ffff, 0x040004a3u);
    EXPECT_EQ(code(table, "L1D_PEND_MISS:PENDING").config & 0xffff, 0x0148u);
    EXPECT_EQ(code(table, "MEM_LOAD_L3_MISS_RETIRED:REMOTE_DRAM").config & 0xffff, 0x02d3u);
    EXPECT_EQ(code(table, "MACHINE_CLEARS:COUNT").config & 0xff04ffff, 0x010401c3u);
  }
  for (const auto* table : {"skx", "icx", "spr"}) {
    EXPECT_EQ(code(table, "CYCLE_ACTIVITY:STALLS_L3_MISS").config & 0xff00ffff, 0x060006a3u);
  }
  EXPECT_EQ(code("skx", "DTLB_LOAD_MISSES:WALK_ACTIVE").config & 0xff00ffff, 0x01001008u);
  EXPECT_EQ(code("spr", "DTLB_LOAD_MISSES:WALK_ACTIVE").config & 0xff00ffff, 0x01001012u);
  EXPECT_EQ(code("spr", "MEMORY_ACTIVITY:STALLS_L3_MISS").config & 0xff00ffff, 0x09000947u);
  EXPECT_EQ(code("skx", "CORE_POWER:LVL1_TURBO_LICENSE").config & 0xffff, 0x1828u);
  EXPECT_EQ(code("icx", "OCR:READS_TO_CORE_REMOTE_DRAM").config1, 0x730000477u);
  EXPECT_EQ(code("spr", "OCR:READS_TO_CORE_REMOTE_DRAM").config1, 0x730004477u);
  EXPECT_FALSE(encode_in_table("skx", "MEMORY_ACTIVITY:STALLS_L3_MISS"));
  EXPECT_FALSE(encode_in_table("icx", "NO_SUCH:EVENT"));
  EXPECT_EQ(std::getenv("LIBPFM_ENCODE_INACTIVE"), nullptr);
}

// A host with the core PMU's fields as the kernel shows them, and a processor.
EventNames names_on(std::string table) {
  Pmu cpu;
  cpu.name = "cpu";
  cpu.type = 4;
  cpu.fields["event"] = *procfs::parse_pmu_field("config:0-7,32-35");
  cpu.fields["umask"] = *procfs::parse_pmu_field("config:8-15");
  return EventNames({cpu}, std::move(table));
}

std::set<std::string> known(std::span<const EventDescriptor> events, const EventNames& names) {
  std::set<std::string> out;
  for (const auto& event : events) {
    if (names.find(event.names)) out.insert(std::string(alias_of(event)));
  }
  return out;
}

TEST(Events, EveryIntelRowIsOnSomeGeneration) {
  std::set<std::string> seen;
  for (const auto* table : {"skx", "icx", "spr"})
    seen.merge(known(intel_events(), names_on(table)));
  for (const auto& event : intel_events()) {
    const bool of_sysfs = event.names.starts_with("cpu/");
    EXPECT_NE(seen.contains(std::string(alias_of(event))), of_sysfs) << event.metric;
  }
  EXPECT_GE(known(intel_events(), names_on("skx")).size(), 22u);
}

TEST(Events, EveryAmdRowIsOnZen3AndMostOnOthers) {
  EXPECT_EQ(known(amd_events(), names_on("amd64_fam19h_zen3")).size(), amd_events().size());
  EXPECT_GE(known(amd_events(), names_on("amd64_fam19h_zen4")).size(), 13u);
  EXPECT_GE(known(amd_events(), names_on("amd64_fam17h_zen1")).size(), 7u);
  EXPECT_TRUE(known(amd_events(), names_on("spr")).empty());
  EXPECT_TRUE(known(intel_events(), names_on("amd64_fam19h_zen3")).empty());
  EXPECT_TRUE(known(intel_events(), names_on("")).empty());
}

// AMD's event select is bits 0 to 7 and 32 to 35, its unit mask bits 8 to 15; numbers as in the
// processor reference of family 19h.
TEST(Events, AmdCodes) {
  const auto names = names_on("amd64_fam19h_zen3");
  const auto code = [&](std::string_view alias) {
    for (const auto& event : amd_events()) {
      if (alias_of(event) == alias) return names.find(event.names)->front().event.code.config;
    }
    return std::uint64_t{0};
  };
  EXPECT_EQ(code("ls_dispatch.ld_dispatch") & 0xffff, 0x0129u);
  EXPECT_EQ(code("ls_dispatch.store_dispatch") & 0xffff, 0x0229u);
  EXPECT_EQ(code("ls_dc_accesses"), 0x40u);
  EXPECT_EQ(code("ls_any_fills_from_sys.mem_io_remote"), 0x4044u);
  EXPECT_EQ(code("ls_tablewalker.dside"), 0x0346u);
  EXPECT_EQ(code("ls_smi_rx"), 0x2bu);
}

TEST(Events, GenerationsAreThoseOfTheKernelsList) {
  const auto table = [](std::string vendor, std::uint64_t family, std::uint64_t model) {
    return event_table_of({std::move(vendor), family, model});
  };
  EXPECT_EQ(table("GenuineIntel", 6, 85), "skx");
  EXPECT_EQ(table("GenuineIntel", 6, 106), "icx");
  EXPECT_EQ(table("GenuineIntel", 6, 143), "spr");
  EXPECT_EQ(table("GenuineIntel", 6, 207), "spr");
  EXPECT_EQ(table("GenuineIntel", 6, 173), "");  // Granite Rapids: no table yet
  EXPECT_EQ(table("AuthenticAMD", 0x17, 0x01), "amd64_fam17h_zen1");
  EXPECT_EQ(table("AuthenticAMD", 0x17, 0x31), "amd64_fam17h_zen2");
  EXPECT_EQ(table("AuthenticAMD", 0x19, 0x01), "amd64_fam19h_zen3");
  EXPECT_EQ(table("AuthenticAMD", 0x19, 0x50), "amd64_fam19h_zen3");
  EXPECT_EQ(table("AuthenticAMD", 0x19, 0x11), "amd64_fam19h_zen4");
  EXPECT_EQ(table("AuthenticAMD", 0x19, 0xa0), "amd64_fam19h_zen4");
  EXPECT_EQ(table("AuthenticAMD", 0x1a, 0x02), "");
  EXPECT_EQ(table("0x489", 0x8000000000000007, 0x4210427), "u74");   // VisionFive 2
  EXPECT_EQ(table("0x489", 0x8000000000000008, 0x6220425), "p550");  // HiFive Premier
  EXPECT_EQ(table("0x5b7", 0, 0), "c900");                           // LicheePi 4A
  EXPECT_EQ(table("0x5b7", 0x8000000009140d00, 0x50000), "");        // C908: no table yet
  EXPECT_EQ(table("0x710", 0x8000000058000001, 0x1000000049772200), "");
  EXPECT_EQ(table("0x0", 0x7015e, 0x7015e), "");  // QEMU
}

}  // namespace
}  // namespace reveal::perf

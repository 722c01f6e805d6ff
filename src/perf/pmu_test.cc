#include "perf/pmu.h"

#include <algorithm>
#include <map>
#include <string>

#include <gmock/gmock.h>

#include "perf/event_names.h"
#include "perf/events.h"

namespace reveal::perf {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<Pmu> pmus_of(const std::string& host) {
  const std::string folder = std::string(REVEAL_SOURCE_DIR) + "/tests/hosts/" + host;
  return read_pmus({folder + "/proc", folder + "/sys"});
}

EventNames names_of(const std::string& host, std::string table) {
  return EventNames(pmus_of(host), std::move(table));
}

const Pmu& find(const std::vector<Pmu>& pmus, std::string_view name) {
  return *std::find_if(pmus.begin(), pmus.end(), [&](const Pmu& pmu) { return pmu.name == name; });
}

TEST(Pmu, IsWhatItsFolderSays) {
  const auto pmus = pmus_of("dual-intel-2node");
  std::vector<std::string> names;
  for (const auto& pmu : pmus) names.push_back(pmu.name);
  EXPECT_THAT(names, Contains("cpu"));
  EXPECT_THAT(names, Not(Contains("broken")));  // its type is no number
  const Pmu& imc = find(pmus, "uncore_imc_1");
  EXPECT_EQ(imc.type, 21u);
  EXPECT_THAT(imc.cpus, ElementsAre(0, 4));
  EXPECT_EQ(imc.events.count("cas_count_read.scale"), 0u);
  EXPECT_EQ(imc.events.at("cas_count_read").unit, "MiB");
  EXPECT_DOUBLE_EQ(imc.events.at("cas_count_read").scale * 1048576.0, 64.0);
  const Pmu& power = find(pmus, "power");
  EXPECT_EQ(power.events.at("energy-pkg").scale, 1.0 / 4294967296.0);
  EXPECT_THAT(find(pmus, "msr").cpus, IsEmpty());
  EXPECT_THAT(find(pmus_of("grace-arm"), "armv8_pmuv3_0").cpus.size(), 8u);
  EXPECT_THAT(read_pmus({"/nowhere", "/nowhere"}), IsEmpty());
}

// Expected codes are put together by hand from the fixture's format files.
TEST(Pmu, EncodesTermsIntoTheWordsOfTheirFields) {
  const auto intel = pmus_of("dual-intel-2node");
  const auto code = [](const Pmu& pmu, std::string_view terms) {
    const auto event = encode(pmu, terms);
    EXPECT_TRUE(event) << event.error().message();
    return event ? event->code : EventCode{};
  };
  const Pmu& cpu = find(intel, "cpu");
  EXPECT_EQ(code(cpu, "event=0x3c,umask=0x1"), (EventCode{.type = 4, .config = 0x13c}));
  EXPECT_EQ(code(cpu, "event=0xa3,umask=0x6,cmask=0x6").config, 0x060006a3u);
  EXPECT_EQ(code(cpu, "event=1,inv,edge").config, 0x00840001u);
  EXPECT_EQ(code(cpu, "mem-loads"), (EventCode{.type = 4, .config = 0x1cd, .config1 = 3}));
  EXPECT_EQ(code(cpu, "mem-loads,ldlat=256"),
            (EventCode{.type = 4, .config = 0x1cd, .config1 = 256}));
  const auto epyc = pmus_of("epyc-1socket");
  // Event 0x1c7 in bits 0-7 and 32-35.
  EXPECT_EQ(code(find(epyc, "amd_df"), "event=0x1c7,umask=0x38").config, 0x1000038c7u);
  // Above bit 12 it goes on at bit 59.
  EXPECT_EQ(code(find(epyc, "amd_df"), "event=0x1001").config, 0x0800000000000001u);
}

TEST(Pmu, RefusesWhatItCannotHold) {
  const auto intel = pmus_of("dual-intel-2node");
  const Pmu& cpu = find(intel, "cpu");
  for (const auto* terms : {"event=0x100", "event=?", "event=x", "nothing", "no=1", "ldlat=65536",
                            "edge=2", "=1", ","}) {
    const auto event = encode(cpu, terms);
    ASSERT_FALSE(event) << terms;
    EXPECT_EQ(event.error().kind, base::ErrorKind::kAbsent) << terms;
  }
}

TEST(Pmu, ANameMeansItsNumberedBoxes) {
  EXPECT_TRUE(is_meant("uncore_imc", "uncore_imc_11"));
  EXPECT_TRUE(is_meant("uncore_imc", "uncore_imc"));
  EXPECT_FALSE(is_meant("uncore_imc", "uncore_imc_free_running_0"));
  EXPECT_FALSE(is_meant("uncore_imc", "uncore_imc_"));
  EXPECT_FALSE(is_meant("cpu", "cpu_core"));
  EXPECT_TRUE(is_meant("armv8*", "armv8_neoverse_n1"));
  EXPECT_FALSE(is_meant("armv8*", "arm_cmn_0"));
}

// Returns the aliases of rows found on the host.
std::vector<std::string> found(std::span<const EventDescriptor> events, const EventNames& names) {
  std::vector<std::string> out;
  for (const auto& event : events) {
    if (names.find(event.names)) out.emplace_back(alias_of(event));
  }
  return out;
}

TEST(EventNames, AllBoxesOfAName) {
  const auto names = names_of("dual-intel-2node", "spr");
  const auto reads = names.find("uncore_imc/cas_count_read/");
  ASSERT_TRUE(reads);
  ASSERT_EQ(reads->size(), 2u);
  EXPECT_EQ((*reads)[0].event.code, (EventCode{.type = 20, .config = 0xcf05}));
  EXPECT_EQ((*reads)[1].event.code.type, 21u);
  EXPECT_EQ((*reads)[1].event.unit, "MiB");
}

TEST(EventNames, PrecisionAndProcessorsAreRead) {
  const auto names = names_of("dual-intel-2node", "spr");
  const auto latency = names.find("cpu/mem-loads,ldlat=256/pp");
  ASSERT_TRUE(latency);
  EXPECT_EQ(latency->front().event.code.precise, 2);
  const auto upi = names.find("skx,icx,spr:uncore_upi/event=0x02,umask=0x0f/");
  ASSERT_TRUE(upi);
  EXPECT_EQ(upi->front().event.code.config, 0x0f02u);
  EXPECT_FALSE(names.find("skx,icx:uncore_upi/event=0x02/"));
  EXPECT_FALSE(names_of("dual-intel-2node", "").find("spr:uncore_upi/event=0x02/"));
  for (const auto* name :
       {"", "nothing", "cpu/event=1", "nowhere/event=1/", "/", "//", ":", ":/x/"}) {
    EXPECT_FALSE(names.find(name)) << name;
  }
  // The first that is known counts.
  const auto later = names.find("nowhere/event=1/ NO_SUCH:EVENT cpu/mem-stores/");
  ASSERT_TRUE(later);
  EXPECT_EQ(later->front().event.code.config, 0x2cdu);
}

TEST(EventNames, HostsHaveTheirVendorsEvents) {
  const auto intel = names_of("dual-intel-2node", "spr");
  EXPECT_EQ(found(uncore_events(), intel).size(), 6u);
  EXPECT_THAT(found(power_events(), intel), ElementsAre("Pkg_J", "RAM_J"));
  EXPECT_THAT(
      found(cstate_events(), intel),
      ElementsAre("cstate_core/c1-residency/", "cstate_core/c6-residency/",
                  "cstate_pkg/c2-residency/", "cstate_pkg/c6-residency/", "msr/tsc/ of a package"));
  EXPECT_EQ(found(msr_events(), intel).size(), 5u);
  EXPECT_THAT(found(intel_events(), intel), Contains("mem_trans_retired.load_latency_gt_256"));
  EXPECT_THAT(found(intel_events(), intel), Contains("topdown-be-bound"));

  const auto epyc = names_of("epyc-1socket", "amd64_fam19h_zen3");
  EXPECT_EQ(found(amd_events(), epyc).size(), amd_events().size());
  EXPECT_EQ(found(uncore_events(), epyc).size(), 9u);  // third caches, eight memory channels
  EXPECT_THAT(found(msr_events(), epyc), Contains("msr/irperf/"));
  EXPECT_THAT(found(intel_events(), epyc), IsEmpty());

  const auto grace = names_of("grace-arm", "");
  EXPECT_EQ(found(arm_events(), grace).size(), arm_events().size());
  const auto memory = grace.find("armv8*/stall_backend_mem/");
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->front().event.code, (EventCode{.type = 10, .config = 0x4005}));
}

// Codes as tools/perf/pmu-events/arch/riscv of Linux has them.
TEST(Pmu, RiscvRowsAreThoseOfItsCoreAndOfItsFirmware) {
  const std::string host = std::string(REVEAL_SOURCE_DIR) + "/tests/hosts/riscv-board";
  const EventNames board({host + "/proc", host + "/sys"});
  EXPECT_EQ(board.table(), "u74");
  std::map<std::string, std::uint64_t, std::less<>> codes;
  for (const auto& event : riscv_events()) {
    if (const auto found = board.find(event.names)) {
      codes[std::string(alias_of(event))] = found->front().event.code.config;
      EXPECT_EQ(found->front().event.code.type, 4u) << event.metric;
    }
  }
  EXPECT_EQ(codes.at("DCACHE_BLOCKED"), 0x1001u);
  EXPECT_EQ(codes.at("UTLB_MISS"), 0x2002u);
  EXPECT_EQ(codes.at("FW_MISALIGNED_LOAD"), 0x8000000000000000u);
  EXPECT_EQ(codes.at("FW_SFENCE_VMA_ASID_RECEIVED"), 0x800000000000000du);
  EXPECT_FALSE(codes.contains("SYNC_STALL"));  // T-Head's
  EXPECT_EQ(codes.size(), riscv_events().size() - 2);

  // In later kernels the field is of two bits, with the same code.
  auto pmus = board.pmus();
  pmus.front().fields["firmware"] = *procfs::parse_pmu_field("config:62-63");
  const auto sent =
      EventNames(pmus, "c900").find("cpu/event=0xa,firmware=2/ cpu/event=0xa,firmware=1/");
  ASSERT_TRUE(sent);
  EXPECT_EQ(sent->front().event.code.config, 0x800000000000000au);
  EXPECT_EQ(found(riscv_events(), EventNames(pmus, "c900")).size(), riscv_events().size() - 4);
  EXPECT_EQ(found(riscv_events(), names_of("dual-intel-2node", "spr")).size(), 0u);
  EXPECT_EQ(found(riscv_events(), names_of("grace-arm", "")).size(), 0u);
  EXPECT_EQ(found(intel_events(), board).size(), 0u);
  EXPECT_EQ(found(amd_events(), board).size(), 0u);
  EXPECT_EQ(found(msr_events(), board).size() + found(power_events(), board).size(), 0u);
}

}  // namespace
}  // namespace reveal::perf

// Both collectors of /proc/net/netstat together: which of the kernel's counters they have.
#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

// Why is in docs/network.md, "Counters of TCP that are left out".
constexpr auto kLeftOut = std::to_array<std::string_view>({
    "TWRecycled",
    "TWKilled",
    "BeyondWindow",
    "TSEcrRejected",
    "PAWSOldAck",
    "PAWSTimewait",
    "TCPHPHits",
    "TCPPureAcks",
    "TCPHPAcks",
    "TCPRenoFailures",
    "TCPBacklogCoalesce",
    "TCPSACKDiscard",
    "TCPDSACKIgnoredOld",
    "TCPDSACKIgnoredNoUndo",
    "TCPMD5NotFound",
    "TCPMD5Unexpected",
    "TCPMD5Failure",
    "TCPSackShifted",
    "TCPSackMerged",
    "TCPSackShiftFallback",
    "TCPRcvCoalesce",
    "TCPSYNChallenge",
    "TCPFastOpenActive",
    "TCPFastOpenActiveFail",
    "TCPFastOpenPassive",
    "TCPFastOpenPassiveFail",
    "TCPFastOpenListenOverflow",
    "TCPFastOpenCookieReqd",
    "TCPFastOpenBlackhole",
    "TCPHystartTrainCwnd",
    "TCPHystartDelayCwnd",
    "TCPACKSkippedSynRecv",
    "TCPACKSkippedPAWS",
    "TCPACKSkippedSeq",
    "TCPACKSkippedFinWait2",
    "TCPACKSkippedTimeWait",
    "TCPACKSkippedChallenge",
    "TCPMTUPSuccess",
    "TCPFastOpenPassiveAltKey",
    "TCPDSACKIgnoredDubious",
    "TCPMigrateReqSuccess",
    "TCPMigrateReqFailure",
    "TCPAORequired",
    "TCPAOBad",
    "TCPAOKeyNotFound",
    "TCPAOGood",
    "TCPAODroppedIcmps",
    "OutMcastPkts",
    "OutBcastPkts",
    "InMcastOctets",
    "OutMcastOctets",
    "InBcastOctets",
    "OutBcastOctets",
});

// Returns the columns that Linux 6.18 has, of TcpExt and IpExt, in their order.
std::map<std::string, std::vector<std::string>> columns() {
  std::ifstream file(REVEAL_SOURCE_DIR "/tests/hosts/vm-2cpu-linux-6.18/proc/net/netstat");
  std::map<std::string, std::vector<std::string>> out;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string group;
    words >> group;
    if ((group != "TcpExt:" && group != "IpExt:") || out.contains(group)) continue;
    for (std::string word; words >> word;) out[group].push_back(word);
  }
  return out;
}

std::vector<model::MetricDescriptor> recorded() {
  auto out = find_collector("netstat")->metrics();
  const auto more = find_collector("netstat_detail")->metrics();
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

bool is_left_out(std::string_view column) {
  return std::find(kLeftOut.begin(), kLeftOut.end(), column) != kLeftOut.end();
}

TEST(Netstat, EachColumnOfTheKernelIsRecordedOrLeftOutOnPurpose) {
  std::map<std::string, int> times;
  for (const auto& metric : recorded()) ++times[std::string(metric.source)];
  std::size_t left_out = 0;
  for (const auto& [group, names] : columns()) {
    EXPECT_GT(names.size(), 15u) << group;
    for (const auto& name : names) {
      const auto source = "/proc/net/netstat " + group.substr(0, group.size() - 1) + " " + name;
      EXPECT_EQ(times[source], is_left_out(name) ? 0 : 1) << source;
      left_out += is_left_out(name) ? 1u : 0u;
    }
  }
  EXPECT_EQ(left_out, kLeftOut.size());
}

TEST(Netstat, EachIsTheValueOfItsColumn) {
  TestHost host(*find_collector("netstat_detail"));
  std::map<std::string, double> values;
  std::string text;
  double next = 1000;
  for (const auto& [group, names] : columns()) {
    std::string head = group;
    std::string numbers = group;
    for (const auto& name : names) {
      values[name] = ++next;
      head += " " + name;
      numbers += " " + std::to_string(static_cast<int>(next));
    }
    text += head + "\n" + numbers + "\n";
  }
  host.write("proc/net/netstat", text);
  ASSERT_TRUE(host.open());
  host.tick();
  for (const auto& metric : find_collector("netstat_detail")->metrics()) {
    const double scale = metric.unit == "seconds" ? 0.001 : 1.0;
    const auto value = host.value(metric.name);
    ASSERT_TRUE(value) << metric.name;
    EXPECT_DOUBLE_EQ(*value, values[std::string(metric.alias)] * scale) << metric.name;
  }
}

}  // namespace
}  // namespace reveal::collect

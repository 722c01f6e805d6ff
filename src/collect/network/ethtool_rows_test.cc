// The names are those that drivers print: mlx5's documentation in the kernel, ice and bnxt_en.
#include "collect/network/ethtool_rows.h"

#include <map>
#include <string>

#include <gmock/gmock.h>

#include "netlink/ethtool.h"

namespace reveal::collect {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// Returns the names in slots of 32 bytes, as the kernel gives them.
std::string slots(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    out += name;
    out.resize((out.size() + 31) / 32 * 32, '\0');
  }
  return out;
}

// Returns metric, and priority if it has one, by the place among the driver's names.
std::map<std::size_t, std::string> found_in(const std::vector<std::string>& names) {
  const std::string text = slots(names);
  std::map<std::size_t, std::string> out;
  for (const auto& place : find_statistics({text.data(), text.size()})) {
    std::string metric(driver_statistics()[place.row].metric.alias);
    if (place.priority < kPriorities) metric += " " + std::to_string(place.priority);
    out[place.index] = metric;
  }
  return out;
}

TEST(EthtoolRows, NamesOfMlx5) {
  EXPECT_THAT(
      found_in({"rx_packets", "rx_out_of_buffer", "outbound_pci_stalled_wr",
                "outbound_pci_stalled_wr_events", "rx_prio0_pause", "rx_prio3_pause",
                "rx_prio3_pause_duration", "rx_prio3_pause_transition", "tx_prio7_pause"}),
      UnorderedElementsAre(Pair(1, "rx_out_of_buffer"), Pair(2, "outbound_pci_stalled_wr"),
                           Pair(4, "rx_prio#_pause 0"), Pair(5, "rx_prio#_pause 3"),
                           Pair(6, "rx_prio#_pause_duration 3"), Pair(8, "tx_prio#_pause 7")));
}

TEST(EthtoolRows, TheSameQuantityWithOtherDrivers) {
  EXPECT_THAT(found_in({"rx_crc_errors.nic", "rx_dropped.nic"}),
              UnorderedElementsAre(Pair(0, "rx_crc_errors_phy"), Pair(1, "rx_discards_phy")));
  EXPECT_THAT(found_in({"rx_fcs_err_frames", "rx_pause_frames"}),
              UnorderedElementsAre(Pair(0, "rx_crc_errors_phy"), Pair(1, "rx_pause_ctrl_phy")));
}

TEST(EthtoolRows, NamesOfFullLengthAndTornTables) {
  EXPECT_THAT(found_in({std::string(32, 'x'), "ch_events"}),
              UnorderedElementsAre(Pair(1, "ch_events")));
  EXPECT_THAT(found_in({}), IsEmpty());
  const std::string torn = "ch_events";
  EXPECT_THAT(find_statistics({torn.data(), torn.size()}), IsEmpty());
}

}  // namespace
}  // namespace reveal::collect

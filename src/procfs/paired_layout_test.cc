#include "procfs/paired_layout.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

class Harness {
 public:
  explicit Harness(std::vector<std::string_view> keys) : layout_(std::move(keys)) {}
  std::vector<Value> read(std::string_view text) {
    std::vector<Value> values(layout_.size(), Value(4711));  // must be overwritten
    layout_.read(text, values);
    return values;
  }

 private:
  PairedLayout layout_;
};

TEST(PairedLayout, ColumnsAreFoundByName) {
  Harness layout({"Tcp RetransSegs", "Udp InErrors", "Udp Later"});
  EXPECT_THAT(layout.read("Tcp: MaxConn InSegs RetransSegs OutRsts\nTcp: -1 637 4 2\n"
                          "Udp: InDatagrams NoPorts InErrors\nUdp: 26 0 7\n"),
              ElementsAre(Value(4), Value(7), Value()));
}

TEST(PairedLayout, SameNameInAnotherSectionIsAnotherKey) {
  Harness layout({"Udp InErrors"});
  EXPECT_THAT(layout.read("UdpLite: InErrors\nUdpLite: 5\nUdp: InErrors\nUdp: 6\n"),
              ElementsAre(Value(6)));
}

TEST(PairedLayout, InsertedColumnsAndSectionsAreLearned) {
  Harness layout({"Tcp A", "Udp B"});
  EXPECT_THAT(layout.read("Tcp: A\nTcp: 1\nUdp: B\nUdp: 2\n"), ElementsAre(Value(1), Value(2)));
  EXPECT_THAT(layout.read("Tcp: New A\nTcp: 9 3\nUdp: B\nUdp: 4\n"),
              ElementsAre(Value(3), Value(4)));
  EXPECT_THAT(layout.read("Icmp: X\nIcmp: 8\nTcp: A\nTcp: 5\nUdp: B\nUdp: 6\n"),
              ElementsAre(Value(5), Value(6)));
}

TEST(PairedLayout, BrokenPairsCostOnlyThemselves) {
  Harness layout({"Tcp A", "Udp B", "Udp C"});
  EXPECT_THAT(layout.read(""), ElementsAre(Value(), Value(), Value()));
  EXPECT_THAT(layout.read("Tcp: A\n"), ElementsAre(Value(), Value(), Value()));
  EXPECT_THAT(layout.read("Tcp: A\nUdp: B C\nUdp: 1 2\n"),
              ElementsAre(Value(), Value(1), Value(2)));
  EXPECT_THAT(layout.read("rubbish\nTcp: A\nTcp: x\nUdp: B C\nUdp: 1\n"),
              ElementsAre(Value(), Value(1), Value()));
  EXPECT_THAT(layout.read("Tcp: A\nTcp: 4\nUdp: B C\nUdp: 1 23"),
              ElementsAre(Value(4), Value(), Value()));
}

const ParserCase kFuzzed("proc/net/snmp", [](std::string_view text) {
  fuzz_layout<PairedLayout>(text, {"Tcp RetransSegs", "Udp InErrors", "TcpExt TCPTimeouts"});
});

}  // namespace
}  // namespace reveal::procfs

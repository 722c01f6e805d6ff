#include "procfs/softnet.h"

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

std::vector<SoftnetCore> parse(std::string_view text) {
  std::vector<SoftnetCore> out;
  parse_softnet(text, out);
  return out;
}

TEST(Softnet, ReadsHexadecimalAndTheCoreInColumn13) {
  const auto cores = parse(
      "0000001a 00000002 00000003 0 0 0 0 0 0 0000000a 0000000b 0000000c 0000001f 0 0\n"
      "ffffffff 00000000 00000000 0 0 0 0 0 0 00000000 00000000 00000000 00000020 0 0\n");
  ASSERT_EQ(cores.size(), 2u);
  EXPECT_EQ(cores[0].cpu, 31u);
  EXPECT_EQ(cores[0][SoftnetField::kProcessed], 26u);
  EXPECT_EQ(cores[0][SoftnetField::kDropped], 2u);
  EXPECT_EQ(cores[0][SoftnetField::kSqueezed], 3u);
  EXPECT_EQ(cores[0][SoftnetField::kReceivedRps], 10u);
  EXPECT_EQ(cores[0][SoftnetField::kFlowLimit], 11u);
  EXPECT_EQ(cores[0][SoftnetField::kBacklog], 12u);
  EXPECT_EQ(cores[1].cpu, 32u);
  EXPECT_EQ(cores[1][SoftnetField::kProcessed], 4294967295u);
}

TEST(Softnet, OlderKernelsSayLess) {
  const auto cores = parse("0000001a 00000002 00000003 0 0 0 0 0 0 0000000a 0000000b\n");
  ASSERT_EQ(cores.size(), 1u);
  EXPECT_FALSE(cores[0].cpu);
  EXPECT_EQ(cores[0][SoftnetField::kFlowLimit], 11u);
  EXPECT_FALSE(cores[0][SoftnetField::kBacklog]);
}

TEST(Softnet, RubbishKeepsItsColumnAndItsLine) {
  const auto cores = parse("zz 00000002 100000000 0 0\n\n00000001 00000002");
  ASSERT_EQ(cores.size(), 2u);
  EXPECT_FALSE(cores[0][SoftnetField::kProcessed]);
  EXPECT_EQ(cores[0][SoftnetField::kDropped], 2u);
  EXPECT_FALSE(cores[0][SoftnetField::kSqueezed]) << "wider than 32 bits";
  EXPECT_FALSE(cores[1][SoftnetField::kProcessed]);
}

const ParserCase kFuzzed("proc/net/softnet_stat", [](std::string_view text) {
  std::vector<SoftnetCore> cores;
  parse_softnet(text, cores);
  require(cores.size() <= text.size());
});

}  // namespace
}  // namespace reveal::procfs

#include "exchange/vmstat.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exchange/foreign_csv.h"

namespace reveal::exchange {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kGroups = "procs -----memory---- --cpu-- -----timestamp-----\n";

base::Result<Gathering> gather(std::string text) {
  Gathering out;
  const auto done = gather_csv_records(
      CsvRecords(TextInput::from_memory(std::move(text), "vmstat.txt"), 0), {}, out);
  if (!done) return base::pass(done);
  return out;
}

TEST(Vmstat, AColumnIsAChannelAfterTheMeanSinceTheBoot) {
  const std::string names = " r  b   swpd  wa zz                 UTC\n";
  const auto got = gather(kGroups + names + " 9  9      9   9  9 2023-11-14 22:13:19\n" +
                          " 1  0      0   5  6 2023-11-14 22:13:20\n" + kGroups + names +
                          " 2  0      0   7  8 2023-11-14 22:13:21\n");
  ASSERT_TRUE(got) << got.error().message();
  ASSERT_EQ(got->all().size(), 5U);
  EXPECT_EQ(got->all()[0].metric, "cpu_runnable_tasks");
  EXPECT_THAT(got->all()[0].bits, ElementsAre(1U, 2U));
  EXPECT_THAT(got->all()[0].times_ns, ElementsAre(1700000000'000000000, 1700000001'000000000));
  EXPECT_EQ(got->all()[3].metric, "cpu_iowait_ratio");
  EXPECT_EQ(got->all()[3].said.scale, 0.01);
  EXPECT_EQ(got->all()[0].said.kind, model::Kind::kGauge);
  EXPECT_EQ(got->all()[4].metric, "vmstat_zz");
  EXPECT_THAT(got->remarks(), ElementsAre(HasSubstr("mean since the boot")));
}

TEST(Vmstat, AnotherZoneIsTold) {
  const auto got = gather(std::string(kGroups) + "r b swpd free CET\n");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_THAT(got->remarks(), testing::Contains(HasSubstr("of the zone CET")));
}

TEST(Vmstat, WithoutTimesItIsRefused) {
  const auto got = gather(std::string(kGroups) + " r  b   swpd   free st\n 1 0 0 0 0\n");
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().message(), HasSubstr("vmstat.txt, line 2: has no times"));
  EXPECT_THAT(got.error().message(), HasSubstr("vmstat -n -t 1"));
}

TEST(Vmstat, ALineThatIsCutOffIsNamed) {
  const auto got = gather(std::string(kGroups) + "r b swpd free UTC\n 1 0 0 0 2023-11-14\n");
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().message(), HasSubstr("line 3: has 5 words"));
}

}  // namespace
}  // namespace reveal::exchange

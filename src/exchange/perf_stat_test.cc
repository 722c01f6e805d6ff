#include "exchange/perf_stat.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exchange/foreign_csv.h"

namespace reveal::exchange {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

base::Result<Gathering> gather(std::string text) {
  Gathering out;
  const auto done = gather_csv_records(
      CsvRecords(TextInput::from_memory(std::move(text), "perf.csv"), 0), {}, out);
  if (!done) return base::pass(done);
  return out;
}

TEST(PerfStat, AnEventIsAChannelFromTheStartOn) {
  const auto got = gather(
      "# started on Tue Nov 14 22:13:20 2023\n\n"
      "     1.001,795,,context-switches,2004734742,100.00,396.572,/sec\n"
      "     1.001,2004.68,msec,task-clock,2004680589,100.00,2.005,CPUs utilized\n"
      "     1.001,<not supported>,,cycles,0,100.00,,\n"
      "     2.0045,283,,context-switches,2004896306,100.00,141.158,/sec\n");
  ASSERT_TRUE(got) << got.error().message();
  ASSERT_EQ(got->all().size(), 2U);
  const auto& switches = got->all()[0];
  EXPECT_EQ(switches.metric, "perf_context_switches");
  EXPECT_THAT(switches.bits, ElementsAre(795U, 283U));
  // date -u -d "2023-11-14 22:13:20" +%s is 1700000000.
  EXPECT_THAT(switches.times_ns, ElementsAre(1700000001'001000000, 1700000002'004500000));
  EXPECT_EQ(got->all()[1].name, "task-clock [msec]");
  EXPECT_THAT(got->remarks(), ElementsAre(HasSubstr("1 values of perf were not counted"),
                                          HasSubstr("taken for UTC")));
}

TEST(PerfStat, PartsAndGroupsAreInstances) {
  const auto got = gather(
      "1.0,CPU3,5,,cycles,100,100.00,,\n"
      "1.0,S0-D0-C1,2,7,,instructions,100,100.00,,\n"
      "1.0,S1,4,11,,cycles,100,100.00,,\n"
      "1.0,9,,cycles,/a.slice,100,100.00,,\n");
  ASSERT_TRUE(got) << got.error().message();
  ASSERT_EQ(got->all().size(), 4U);
  EXPECT_EQ(got->all()[0].instance, "cpu=3");
  EXPECT_EQ(got->all()[1].instance, "core=S0-D0-C1");
  EXPECT_THAT(got->all()[1].bits, ElementsAre(7U));
  EXPECT_EQ(got->all()[2].instance, "socket=1");
  EXPECT_THAT(got->all()[2].bits, ElementsAre(11U));
  EXPECT_EQ(got->all()[3].instance, "cg=/a.slice");
  EXPECT_THAT(got->remarks(), ElementsAre(HasSubstr("1970-01-01")));
}

TEST(PerfStat, TheSeparatorIsThatOfTheRows) {
  const auto got = gather(
      "# started on Tue Nov 14 22:13:20 2023\n\n"
      "1.0;5;;cycles;100;100.00;;\n");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->all().at(0).metric, "perf_cycles");
}

TEST(PerfStat, ARowOfSomethingElseIsNamed) {
  const auto got = gather("1.0,5,,cycles,100,100.00,,\n1.0,five,,cycles,100,100.00,,\n");
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().message(), HasSubstr("perf.csv, line 2: is not a row of perf stat"));
}

TEST(PerfStat, AHeaderIsNotPerfs) {
  EXPECT_FALSE(is_perf_stat({{"time", "a", "b", "c", "d", "e"}, {"1", "2", "", "x", "4", "5"}}));
  EXPECT_FALSE(is_perf_stat({{"1700000000", "2", "3", "4", "5", "6"}}));
}

}  // namespace
}  // namespace reveal::exchange

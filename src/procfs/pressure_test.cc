#include "procfs/pressure.h"

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

TEST(ParsePressure, Totals) {
  const Pressure both = parse_pressure(
      "some avg10=0.07 avg60=0.44 avg300=0.43 total=8139969\n"
      "full avg10=0.00 avg60=0.00 avg300=0.00 total=12\n");
  EXPECT_EQ(both.some_us, Value(8139969));
  EXPECT_EQ(both.full_us, Value(12));
  const Pressure irq = parse_pressure("full avg10=0.00 avg60=0.00 avg300=0.00 total=5\n");
  EXPECT_FALSE(irq.some_us);
  EXPECT_EQ(irq.full_us, Value(5));
}

TEST(ParsePressure, AveragesOfTenSeconds) {
  const Pressure both = parse_pressure(
      "some avg10=0.07 avg60=0.44 avg300=0.43 total=8139969\n"
      "full avg10=100.00 avg60=0.00 avg300=0.00 total=12\n");
  EXPECT_EQ(both.some_avg10, Value(7));
  EXPECT_EQ(both.full_avg10, Value(10000));
  EXPECT_FALSE(parse_pressure("some avg10=7% total=1\n").some_avg10);
}

TEST(ParsePressure, ALayoutHasThemByKey) {
  const PressureLayout layout({"full", "some avg10", "some", "full avg10"});
  std::vector<Value> values(layout.size());
  layout.read("some avg10=0.07 total=1\nfull avg10=0.05 total=2\n", values);
  EXPECT_EQ(values, (std::vector<Value>{2, 7, 1, 5}));
}

TEST(ParsePressure, RubbishIsMissing) {
  for (const char* text : {"", "\n", "some\n", "some total=\n", "some total=-1\n",
                           "some total=1x\n", "some avg10=0.07 total=813", "other total=3\n"}) {
    EXPECT_FALSE(parse_pressure(text).some_us) << text;
    EXPECT_FALSE(parse_pressure(text).full_us) << text;
  }
}

const ParserCase kFuzzed("proc/pressure/cpu", [](std::string_view text) { parse_pressure(text); });

}  // namespace
}  // namespace reveal::procfs

#include "exchange/victoriametrics.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::exchange {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

base::Result<Gathering> gather(std::string text) {
  Gathering out;
  const auto done = gather_victoriametrics_lines(
      TextLines(TextInput::from_memory(std::move(text), "f.jsonl")), "stem", {}, out);
  if (!done) return base::pass(done);
  return out;
}

TEST(VictoriaMetrics, ALineIsASeriesAndMayGoOnInAnother) {
  const auto got =
      gather(R"({"metric":{"__name__":"a_total","cpu":"0","instance":"h1:9100","job":"node"},)"
             R"("values":[18446744073709551615,null],"timestamps":[1700000000123,1700000001000]})"
             "\n"
             R"({"metric":{"__name__":"b"},"values":[0.5,"Infinity"],"timestamps":[1,2]})"
             "\n"
             R"({"metric":{"__name__":"a_total","cpu":"0","instance":"h1:9100","job":"node"},)"
             R"("values":[7],"timestamps":[1700000002000]})"
             "\n");
  ASSERT_TRUE(got) << got.error().message();
  ASSERT_EQ(got->all().size(), 2U);
  const auto& a = got->all()[0];
  EXPECT_EQ(a.metric, "a_total");
  EXPECT_EQ(a.instance, "cpu=0");
  EXPECT_EQ(a.host, "h1");
  EXPECT_THAT(a.bits, ElementsAre(18446744073709551615U, 7U));
  EXPECT_THAT(a.times_ns, ElementsAre(1700000000'123000000, 1700000002'000000000));
  EXPECT_THAT(got->all()[1].times_ns, ElementsAre(1'000'000, 2'000'000));
}

TEST(VictoriaMetrics, WhatIsNotASeriesIsNamed) {
  const auto error_of = [](const char* text) {
    const auto got = gather(text);
    return got ? std::string("none") : got.error().message();
  };
  EXPECT_THAT(error_of("{}\n"), HasSubstr("f.jsonl, line 1: is neither of reveal export"));
  EXPECT_THAT(error_of("[\n"), HasSubstr("nor a series"));
  EXPECT_THAT(error_of(R"({"metric":{},"values":[1],"timestamps":[]})"),
              HasSubstr("has 1 values, but 0 times"));
  EXPECT_THAT(error_of(R"({"metric":{},"values":["x"],"timestamps":[1]})"),
              HasSubstr("sample 1 is not a number"));
}

}  // namespace
}  // namespace reveal::exchange

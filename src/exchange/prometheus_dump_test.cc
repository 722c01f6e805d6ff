#include "exchange/prometheus_dump.h"

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
  const auto done = gather_prometheus_dump_lines(
      TextLines(TextInput::from_memory(std::move(text), "dump.txt")), "stem", {}, out);
  if (!done) return base::pass(done);
  return out;
}

TEST(PrometheusDump, ALineIsASample) {
  const auto got = gather(
      R"({__name__="a_total", cpu="0", instance="h1:9100", job="node"} 1.5e+09 1700000000123
{__name__="a_total", cpu="0", instance="h1:9100", job="node"} NaN 1700000001123
{__name__="a_total", cpu="0", instance="h1:9100", job="node"} 1500000007 1700000002123
{__name__="b"} +Inf -5
)");
  ASSERT_TRUE(got) << got.error().message();
  ASSERT_EQ(got->all().size(), 2U);
  const auto& a = got->all()[0];
  EXPECT_EQ(a.metric, "a_total");
  EXPECT_EQ(a.instance, "cpu=0");
  EXPECT_EQ(a.host, "h1");
  EXPECT_THAT(a.times_ns, ElementsAre(1700000000'123000000, 1700000002'123000000));
  EXPECT_EQ(got->all()[1].metric, "b");
  EXPECT_THAT(got->all()[1].times_ns, ElementsAre(-5'000'000));
}

// As strconv.Quote(`a "b\c, d="e"` + "\n" + `} ü`) writes it, and what it writes of U+FEFF and of a
// byte that is no UTF-8.
TEST(PrometheusDump, LabelsAreQuotedAsGoDoes) {
  const auto got =
      gather(R"({__name__="m", device="a \"b\\c, d=\"e\"\n} ü \ufeff\xff", "my.label"="x"} 1 2)"
             "\n");
  ASSERT_TRUE(got) << got.error().message();
  const auto plain = gather("{__name__=\"m\", device=\"a\", \"my.label\"=\"x\"} 1 2\n");
  ASSERT_TRUE(plain) << plain.error().message();
  ASSERT_EQ(got->all().size(), 1U);
  EXPECT_THAT(got->all()[0].instance, HasSubstr("a \"b\\c"));
  EXPECT_THAT(got->all()[0].instance, HasSubstr("\xEF\xBB\xBF"));
  EXPECT_EQ(plain->all()[0].instance, "device=a,my.label=x");
}

TEST(PrometheusDump, WhatIsNoSampleIsNamed) {
  for (const auto* line : {"up 1 2", "{__name__=\"up\"}", "{__name__=\"up\"} 1",
                           "{__name__=\"up\"} x 2", "{__name__=\"up\"} 1 2 3",
                           "{__name__=\"up} 1 2", "{__name__=up} 1 2", "{__name__=\"up\", } 1 2",
                           "{=\"up\"} 1 2", "{__name__=\"\\q\"} 1 2", "{__name__=\"\\u12\"} 1 2",
                           "{__name__=\"\\UFFFFFFFF\"} 1 2", "{__name__=\"up\" 1 2", "{"}) {
    const auto got = gather(std::string("{__name__=\"up\"} 1 1700000000000\n") + line + "\n");
    ASSERT_FALSE(got) << line;
    EXPECT_THAT(got.error().message(), HasSubstr("dump.txt, line 2: is no sample"));
  }
}

}  // namespace
}  // namespace reveal::exchange

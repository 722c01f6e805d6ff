#include "exchange/mapping.h"

#include <gtest/gtest.h>

namespace reveal::exchange {
namespace {

std::string error_of(std::string_view text) {
  const auto mapping = parse_mapping(text, "m.toml");
  return mapping ? "none" : mapping.error().message();
}

TEST(Mapping, JoinsTheRulesThatMatch) {
  const auto mapping = parse_mapping(R"(
[[channel]]
match = "node_*"
unit = "seconds"
kind = "counter"
[[channel]]
match = "*cpu=0*"
unit = "ratio"
scale = 0.01
subsystem = "gpu"
scope = "core"
metric = "m"
instance = "i"
label = "L"
skip = true
)",
                                     "m.toml");
  ASSERT_TRUE(mapping) << mapping.error().message();
  const auto rule = mapping->rule_of("node_x{cpu=0}");
  EXPECT_EQ(rule.unit, "ratio");
  EXPECT_EQ(rule.kind, model::Kind::kCounter);
  EXPECT_EQ(rule.scale, 0.01);
  EXPECT_EQ(rule.subsystem, model::Subsystem::kGpu);
  EXPECT_EQ(rule.scope, model::Scope::kCore);
  EXPECT_EQ(rule.metric, "m");
  EXPECT_EQ(rule.instance, "i");
  EXPECT_EQ(rule.label, "L");
  EXPECT_EQ(rule.skip, true);
  EXPECT_EQ(mapping->rule_of("node_x").unit, "seconds");
  EXPECT_FALSE(mapping->rule_of("node_x").skip);
  EXPECT_FALSE(mapping->rule_of("other").unit);
}

TEST(Mapping, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of("[[channel]]\nunit = \"s\"\n").substr(0, 40),
            "m.toml, line 1: a channel without match ");
  EXPECT_EQ(error_of("[[channel]]\nmatch = \"a\"\nkind = \"meter\"\n"),
            R"(m.toml, line 3: kind must be "counter", "gauge", "event" or "static")");
  EXPECT_EQ(error_of("[[channel]]\nmatch = \"a\"\nscale = 0\n"),
            "m.toml, line 3: scale must be a number other than 0");
  EXPECT_NE(error_of("[[channel]]\nmatch = \"a\"\nunits = \"s\"\n").find("units is not a key"),
            std::string::npos);
  EXPECT_NE(error_of("[channel]\nmatch = \"a\"\n").find("[[channel]]"), std::string::npos);
  EXPECT_NE(error_of("[[channel]\n").find("m.toml, line 1"), std::string::npos);
}

}  // namespace
}  // namespace reveal::exchange

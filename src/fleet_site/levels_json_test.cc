#include "fleet_site/levels_json.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "wire/level_code.h"

namespace reveal::fleet_site {
namespace {

TEST(Levels, AfterIsADateOrSeconds) {
  const auto after = [](const std::string& text) {
    const std::vector<http::Parameter> parameters{
        {"group", "g"}, {"quantity", "q"}, {"after", text}};
    return parse_level_query(parameters).value().after_ns;
  };
  EXPECT_EQ(after("1790000000"), 1'790'000'000'000'000'000);
  EXPECT_EQ(after("1790000000.25"), 1'790'000'000'250'000'000);
  EXPECT_EQ(after("2026-09-21T14:13:20Z"), 1'790'000'000'000'000'000);
}

TEST(Levels, TheMedianIsThatOfLevelsWithTheirSigns) {
  const auto code = [](float level) { return peers::kept_code(wire::code_of(level, 1), 1); };
  const auto median = [&](const std::vector<float>& levels) {
    std::vector<peers::KeptCode> codes;
    codes.reserve(levels.size());
    for (const auto level : levels) codes.push_back(code(level));
    return median_level(codes);
  };
  EXPECT_EQ(median({-8, 2, 4}), 2);
  EXPECT_EQ(median({-8, -4, 2, 4}), -1);
  EXPECT_EQ(median({-8, -4, -2}), -4);
  EXPECT_TRUE(std::isnan(median({})));
}

}  // namespace
}  // namespace reveal::fleet_site

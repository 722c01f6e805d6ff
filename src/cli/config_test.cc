#include "cli/config.h"

#include <gmock/gmock.h>

namespace reveal::cli {
namespace {

using collect::LaneChoice;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::string error_of(std::string_view text) {
  const auto plan = parse_config(text, "reveal.toml");
  return plan ? "" : plan.error().message();
}

TEST(Config, SaysWhatIsReadHowOften) {
  const auto plan = parse_config(R"([collect]
medium = "500ms"
slow = "60s"
budget = 0.05
[collect.lanes]
interrupts = "slow"
edac = "off"
)",
                                 "reveal.toml");
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->medium, milliseconds(500));
  EXPECT_EQ(plan->slow, seconds(60));
  EXPECT_EQ(plan->budget_ratio, 0.05);
  EXPECT_THAT(plan->choices,
              ::testing::ElementsAre(::testing::Pair("edac", LaneChoice::kOff),
                                     ::testing::Pair("interrupts", LaneChoice::kSlow)));
}

TEST(Config, NothingMeansTheDefaults) {
  const auto plan = parse_config("", "reveal.toml");
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->medium, collect::LanePlan{}.medium);
  EXPECT_TRUE(plan->choices.empty());
}

TEST(Config, EveryMistakeIsNamedWithItsLine) {
  using ::testing::AllOf;
  using ::testing::HasSubstr;
  EXPECT_THAT(error_of("[collect]\nmedum = \"1s\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("medum"), HasSubstr("medium")));
  EXPECT_THAT(error_of("\n[colect]\n"), AllOf(HasSubstr("colect"), HasSubstr("[collect]")));
  EXPECT_THAT(error_of("collect = 3"), HasSubstr("line 1"));
  EXPECT_THAT(error_of("[collect]\nslow = 10\n"), AllOf(HasSubstr("line 2"), HasSubstr("10ms")));
  EXPECT_THAT(error_of("[collect]\nslow = \"1ms\"\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("[collect]\nbudget = 0\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("[collect]\nbudget = nan\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("[collect]\nlanes = 1\n"), HasSubstr("[collect.lanes]"));
  EXPECT_THAT(error_of("[collect.lanes]\nedac = \"never\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("edac"), HasSubstr("off")));
  EXPECT_THAT(error_of("[collect\n"), HasSubstr("line 1"));
}

TEST(Config, AFileThatIsAskedForMustBeThere) {
  const auto plan = load_config("/nonexistent/reveal.toml");
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message(), ::testing::HasSubstr("/nonexistent/reveal.toml"));
}

}  // namespace
}  // namespace reveal::cli

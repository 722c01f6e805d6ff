#include "cli/config.h"

#include <gmock/gmock.h>

namespace reveal::cli {
namespace {

using collect::LaneChoice;
using std::chrono::milliseconds;
using std::chrono::seconds;

std::string error_of(std::string_view text) {
  const auto config = parse_config(text, "reveal.toml");
  return config ? "" : config.error().message();
}

TEST(Config, SaysWhatIsReadHowOften) {
  const auto config = parse_config(R"([collect]
medium = "500ms"
slow = "60s"
budget = 0.05
[collect.lanes]
interrupts = "slow"
edac = "off"
)",
                                   "reveal.toml");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->lanes.medium, milliseconds(500));
  EXPECT_EQ(config->lanes.slow, seconds(60));
  EXPECT_EQ(config->lanes.budget_ratio, 0.05);
  EXPECT_THAT(config->lanes.choices,
              ::testing::ElementsAre(::testing::Pair("edac", LaneChoice::kOff),
                                     ::testing::Pair("interrupts", LaneChoice::kSlow)));
}

TEST(Config, NothingMeansTheDefaults) {
  const auto config = parse_config("", "reveal.toml");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->lanes.medium, collect::LanePlan{}.medium);
  EXPECT_TRUE(config->lanes.choices.empty());
}

TEST(Config, NamesWhatIsAnalysed) {
  const auto one = parse_config("[analysis]\nfeatures = \"paper\"\n", "reveal.toml");
  ASSERT_TRUE(one);
  EXPECT_THAT(one->features, ::testing::ElementsAre("paper"));
  const auto several =
      parse_config("[analysis]\nfeatures = [\"mean\", \"range\"]\n", "reveal.toml");
  ASSERT_TRUE(several);
  EXPECT_THAT(several->features, ::testing::ElementsAre("mean", "range"));
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
  EXPECT_THAT(error_of("[analysis]\nfeatures = \"avarage\"\n"),
              AllOf(HasSubstr("reveal.toml, line 2"), HasSubstr("avarage"), HasSubstr("--list")));
  EXPECT_THAT(error_of("[analysis]\nfeatures = [\"mean\", 3]\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("name")));
  EXPECT_THAT(error_of("[analysis]\nfeatures = []\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("[analysis]\nfeature = \"mean\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("features")));
  EXPECT_THAT(error_of("[collect\n"), HasSubstr("line 1"));
}

TEST(Config, AFileThatIsAskedForMustBeThere) {
  const auto config = load_config("/nonexistent/reveal.toml");
  ASSERT_FALSE(config);
  EXPECT_THAT(config.error().message(), ::testing::HasSubstr("/nonexistent/reveal.toml"));
}

}  // namespace
}  // namespace reveal::cli

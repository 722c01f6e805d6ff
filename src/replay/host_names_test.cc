#include "replay/host_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::replay {
namespace {

using testing::ElementsAre;

TEST(NamesOfHosts, AreTheHostsOwnIfTheyTellThemApart) {
  EXPECT_THAT(names_of_hosts({"r/1", "r/2"}, {"node7", "node8"}), ElementsAre("node7", "node8"));
}

TEST(NamesOfHosts, AreElseTheDirectoriesWithAsMuchOfThePathAsItTakes) {
  EXPECT_THAT(names_of_hosts({"r/1", "s/2/"}, {"node7", "node7"}), ElementsAre("1", "2"));
  EXPECT_THAT(names_of_hosts({"r/1", "s/1"}, {"node7", "node7"}), ElementsAre("r/1", "s/1"));
  EXPECT_THAT(names_of_hosts({"r/1", "r/2"}, {"node7", ""}), ElementsAre("1", "2"));
}

TEST(CheckGivenOnce, NamesTheDirectoryThatIsThereTwice) {
  EXPECT_TRUE(check_given_once({"/r/1", "/r/2"}));
  const auto twice = check_given_once({"/r/1", "/r/2", "/r/x/../1"});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().kind, base::ErrorKind::kUsage);
  EXPECT_EQ(twice.error().where, "/r/x/../1");
}

}  // namespace
}  // namespace reveal::replay

// Not fuzzed here: it lists folders and parses no text.
#include "procfs/directory.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

namespace reveal::procfs {
namespace {

namespace fs = std::filesystem;

class DirectoryTest : public ::testing::Test {
 protected:
  DirectoryTest()
      : path_(fs::path(::testing::TempDir()) / ("directory_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~DirectoryTest() override { fs::remove_all(path_); }
  void touch(const std::string& name, std::string_view text = "") const {
    std::ofstream(path_ / name, std::ios::trunc) << text;
  }

  fs::path path_;
};

TEST_F(DirectoryTest, NamesInTheOrderOfTheirNumbers) {
  for (const auto* name : {"state10", "state2", "state0", ".hidden"}) touch(name);
  EXPECT_THAT(names_in(path_.string()), ::testing::ElementsAre("state0", "state2", "state10"));
  EXPECT_THAT(names_in(path_.string(), 2), ::testing::ElementsAre("state0", "state2"));
  EXPECT_THAT(names_in((path_ / "none").string()), ::testing::IsEmpty());
}

TEST_F(DirectoryTest, LinksAreFollowed) {
  fs::create_directories(path_ / "platform/coretemp.0/hwmon");
  fs::create_symlink("..", path_ / "platform/coretemp.0/hwmon/device");
  EXPECT_EQ(target_name((path_ / "platform/coretemp.0/hwmon/device").string()), "coretemp.0");
  EXPECT_EQ(target_name((path_ / "nowhere").string()), "");
}

TEST_F(DirectoryTest, WatchTellsNamesThatComeAndGo) {
  Watch watch(path_.string());
  EXPECT_FALSE(watch.changed());
  touch("a");
  EXPECT_TRUE(watch.changed());
  EXPECT_FALSE(watch.changed());
  fs::rename(path_ / "a", path_ / "b");
  EXPECT_TRUE(watch.changed());
  fs::remove_all(path_);
  EXPECT_TRUE(watch.changed());
  EXPECT_FALSE(watch.changed());
}

TEST_F(DirectoryTest, WatchTellsATextThatChanges) {
  touch("online", "0-3\n");
  Watch watch((path_ / "online").string());
  EXPECT_FALSE(watch.changed());
  touch("online", "0-2\n");
  EXPECT_TRUE(watch.changed());
  EXPECT_FALSE(watch.changed());
}

}  // namespace
}  // namespace reveal::procfs

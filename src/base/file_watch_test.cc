#include "base/file_watch.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"

namespace reveal::base {
namespace {

namespace fs = std::filesystem;

class FileWatchTest : public ::testing::Test {
 protected:
  void write(const char* text) const { ASSERT_TRUE(write_new_file(file_, text)); }
  // Returns whether two calls, the fewest that it takes, tell a change.
  static bool tells(FileWatch& watch) {
    const bool first = watch.has_changed();
    return watch.has_changed() || first;
  }

  TempDir folder_;
  fs::path file_ = folder_.path() / "file";
};

TEST_F(FileWatchTest, TellsEachChangeOnce) {
  write("one");
  FileWatch watch({file_, ""});
  EXPECT_FALSE(tells(watch));
  write("two");  // of the same size
  EXPECT_TRUE(tells(watch));
  EXPECT_FALSE(tells(watch));
  fs::permissions(file_, fs::perms::owner_read);
  EXPECT_TRUE(tells(watch));
  fs::remove(file_);
  EXPECT_TRUE(tells(watch));
  write("three");
  EXPECT_TRUE(tells(watch));
}

TEST_F(FileWatchTest, WaitsUntilTheWriterIsDone) {
  FileWatch watch({file_});
  write("a");
  EXPECT_FALSE(watch.has_changed());
  write("ab");
  EXPECT_FALSE(watch.has_changed());
  EXPECT_TRUE(watch.has_changed());
  EXPECT_FALSE(watch.has_changed());
}

}  // namespace
}  // namespace reveal::base

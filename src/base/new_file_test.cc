#include "base/new_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temp_dir.h"

namespace reveal::base {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(NewFile& file, const std::string& text) {
  ASSERT_TRUE(file.write(text));
}

std::vector<std::string> names(const fs::path& dir) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(dir)) out.push_back(entry.path().filename());
  return out;
}

TEST(NewFile, TakesTheOlderOnesPlaceWhenItIsKept) {
  const TempDir dir;
  const auto path = dir.path() / "a";
  std::ofstream(path) << "old";
  auto file = NewFile::create(path);
  ASSERT_TRUE(file);
  write(*file, "new");
  EXPECT_EQ(content(path), "old");
  ASSERT_TRUE(file->keep());
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(names(dir.path()), std::vector<std::string>{"a"});
}

TEST(NewFile, IsTakenBackWhenItIsNot) {
  const TempDir dir;
  const auto path = dir.path() / "a";
  {
    auto file = NewFile::create(path);
    ASSERT_TRUE(file);
    write(*file, "half");
    const NewFile moved = std::move(*file);
    EXPECT_EQ(names(dir.path()).size(), 1U);
  }
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

TEST(NewFile, SaysWhereItCannotBe) {
  const auto file = NewFile::create("/nonexistent/a");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().where, "/nonexistent/a");
}

TEST(NewFile, SaysAtOnceThatItsPlaceIsAFolder) {
  const TempDir dir;
  fs::create_directory(dir.path() / "a");
  EXPECT_FALSE(NewFile::create(dir.path() / "a"));
  EXPECT_FALSE(NewFile::create(dir.path() / ""));
  EXPECT_EQ(names(dir.path()), std::vector<std::string>{"a"});
}

TEST(NewFile, NeverTakesTheNameOfADevice) {
  ASSERT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_FALSE(NewFile::create("/dev/null"));
}

TEST(NewFile, IsTakenBackIfItsPlaceBecomesAFolder) {
  const TempDir dir;
  {
    auto file = NewFile::create(dir.path() / "a");
    ASSERT_TRUE(file);
    fs::create_directory(dir.path() / "a");
    EXPECT_FALSE(file->keep());
  }
  EXPECT_EQ(names(dir.path()), std::vector<std::string>{"a"});
}

// Whoever owns the folder may be another than whoever writes.
TEST(NewFile, ReplacesALinkAndAPipeAndFollowsNeither) {
  const TempDir dir;
  const auto victim = dir.path() / "victim";
  ASSERT_TRUE(write_new_file(victim, "secret"));
  for (const char* name : {"a", "a.new", "a.partial"})
    fs::create_symlink(victim, dir.path() / name);
  ASSERT_EQ(::mkfifo((dir.path() / "b").c_str(), 0600), 0);
  ASSERT_TRUE(write_new_file(dir.path() / "a", "mine"));
  ASSERT_TRUE(write_new_file(dir.path() / "b", "mine"));
  EXPECT_EQ(content(victim), "secret");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(dir.path() / "a")));
  EXPECT_EQ(content(dir.path() / "b"), "mine");
}

TEST(NewFile, LeavesOneWholeFileOfTwoWriters) {
  const TempDir dir;
  const auto path = dir.path() / "a";
  auto one = NewFile::create(path);
  auto two = NewFile::create(path);
  ASSERT_TRUE(one);
  ASSERT_TRUE(two);
  ASSERT_TRUE(one->write("one"));
  ASSERT_TRUE(two->write("the other"));
  ASSERT_TRUE(one->write(", whole"));
  ASSERT_TRUE(one->keep());
  EXPECT_EQ(content(path), "one, whole");
  ASSERT_TRUE(two->keep());
  EXPECT_EQ(content(path), "the other");
  EXPECT_EQ(names(dir.path()), std::vector<std::string>{"a"});
}

TEST(NewFile, StaysInItsFolderWhenThatIsReplaced) {
  const TempDir dir;
  fs::create_directory(dir.path() / "mine");
  fs::create_directory(dir.path() / "theirs");
  auto file = NewFile::create(dir.path() / "mine" / "a");
  ASSERT_TRUE(file);
  fs::rename(dir.path() / "mine", dir.path() / "moved");
  fs::create_symlink(dir.path() / "theirs", dir.path() / "mine");
  ASSERT_TRUE(file->keep());
  EXPECT_TRUE(fs::exists(dir.path() / "moved" / "a"));
  EXPECT_TRUE(fs::is_empty(dir.path() / "theirs"));
}

TEST(NewFile, TakesNamesAsLongAsTheFileSystemDoes) {
  const TempDir dir;
  const auto path = dir.path() / std::string(255, 'a');
  ASSERT_TRUE(write_new_file(path, "mine"));
  EXPECT_EQ(content(path), "mine");
}

TEST(NewFile, HasTheModeThatTheUmaskLeaves) {
  const TempDir dir;
  const mode_t before = ::umask(027);
  ASSERT_TRUE(write_new_file(dir.path() / "a", ""));
  ::umask(before);
  EXPECT_EQ(fs::status(dir.path() / "a").permissions(), static_cast<fs::perms>(0640));
}

}  // namespace
}  // namespace reveal::base

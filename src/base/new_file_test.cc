#include "base/new_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/temp_dir.h"

namespace reveal::base {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const NewFile& file, const std::string& text) {
  ASSERT_EQ(::write(file.fd(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
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
  EXPECT_FALSE(fs::exists(file->temporary()));
}

TEST(NewFile, IsTakenBackWhenItIsNot) {
  const TempDir dir;
  const auto path = dir.path() / "a";
  {
    auto file = NewFile::create(path);
    ASSERT_TRUE(file);
    write(*file, "half");
    const NewFile moved = std::move(*file);
    EXPECT_TRUE(fs::exists(moved.temporary()));
  }
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

TEST(NewFile, SaysWhereItCannotBe) {
  const auto file = NewFile::create("/nonexistent/a");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().where, "/nonexistent/a.new");
}

TEST(NewFile, IsTakenBackWhereItsPlaceIsAFolder) {
  const TempDir dir;
  const auto path = dir.path() / "a";
  fs::create_directory(path);
  {
    auto file = NewFile::create(path);
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->keep());
  }
  EXPECT_FALSE(fs::exists(path.string() + ".new"));
}

}  // namespace
}  // namespace reveal::base

// Not fuzzed here: it reads files and parses no text.
#include "procfs/file_head.h"

#include <array>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace reveal::procfs {
namespace {

namespace fs = std::filesystem;

TEST(FileHead, BeginsWithTheFileAndEndsWithIt) {
  const fs::path path = fs::path(::testing::TempDir()) / ("head_" + std::to_string(::getpid()));
  std::ofstream(path) << "0123456789";
  std::array<char, 4> small{};
  std::array<char, 64> large{};
  EXPECT_EQ(read_head(path.string(), small), "0123");
  EXPECT_EQ(read_head(path.string(), large), "0123456789");
  fs::remove(path);
  EXPECT_EQ(read_head(path.string(), large), std::nullopt);
  EXPECT_EQ(read_head(::testing::TempDir(), large), std::nullopt);  // a folder
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(read_head(path.string(), large).value_or(""), "");  // does not wait for a writer
  fs::remove(path);
}

}  // namespace
}  // namespace reveal::procfs

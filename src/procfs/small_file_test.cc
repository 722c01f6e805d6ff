// Not fuzzed here: it reads files; what it parses is one number, as attribute_file_test.cc has it.
#include "procfs/small_file.h"

#include <array>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace reveal::procfs {
namespace {

namespace fs = std::filesystem;

class SmallFile : public ::testing::Test {
 protected:
  SmallFile()
      : path_(fs::path(::testing::TempDir()) / ("small_file_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
  }
  ~SmallFile() override { fs::remove_all(path_); }
  SmallFile(const SmallFile&) = delete;
  SmallFile& operator=(const SmallFile&) = delete;

  Value number(std::string_view text) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << text;
    return read_number(path_.string());
  }

  fs::path path_;
};

TEST_F(SmallFile, NumberIsTheFirstLine) {
  EXPECT_EQ(number("128\n"), 128u);
  EXPECT_EQ(number("128\n7\n"), 128u);
}

TEST_F(SmallFile, AnythingElseIsNoNumber) {
  for (const auto* text : {"", "\n", "12", "-1\n", "12 kB\n", "N/A (no PMA)\n"}) {
    EXPECT_FALSE(number(text)) << text;
  }
  EXPECT_FALSE(number(std::string(100, '1') + "\n"));
}

TEST_F(SmallFile, WhatCannotBeReadSaysNothing) {
  std::array<char, 16> buffer{};
  EXPECT_EQ(read_small_file(path_.string(), buffer), "");
  fs::create_directory(path_);
  EXPECT_EQ(read_small_file(path_.string(), buffer), "");
  fs::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(read_small_file(path_.string(), buffer), "");
}

TEST_F(SmallFile, ATextIsCutAtTheBuffer) {
  std::ofstream(path_) << "0123456789";
  std::array<char, 4> buffer{};
  EXPECT_EQ(read_small_file(path_.string(), buffer), "0123");
}

}  // namespace
}  // namespace reveal::procfs

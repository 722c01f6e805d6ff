// Not fuzzed here: it reads files and parses no text.
#include "procfs/attribute.h"

#include <cerrno>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

namespace reveal::procfs {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

class Attribute : public ::testing::Test {
 protected:
  Attribute() { fs::create_directories(dir_); }
  ~Attribute() override { fs::remove_all(dir_); }

  std::string path(const char* name) const { return (dir_ / name).string(); }
  void write(const char* name, std::string_view text) const {
    std::ofstream(dir_ / name, std::ios::binary) << text;
  }

  fs::path dir_ = fs::path(::testing::TempDir()) / ("attribute_" + std::to_string(::getpid()));
  AttributeReader reader_;
};

TEST_F(Attribute, FirstWholeLineOrNothing) {
  write("value", "100\n");
  EXPECT_THAT(reader_.read(path("value")), Optional(std::string_view("100")));
  EXPECT_EQ(reader_.last_errno(), 0);
  write("two", "first\nsecond\n");
  EXPECT_THAT(reader_.read(path("two")), Optional(std::string_view("first")));
  write("cut", "10");
  EXPECT_EQ(reader_.read(path("cut")), std::nullopt);
  EXPECT_EQ(reader_.last_errno(), 0);
  write("empty", "");
  EXPECT_EQ(reader_.read(path("empty")), std::nullopt);
}

TEST_F(Attribute, SaysWhyThereIsNothing) {
  EXPECT_EQ(reader_.read(path("none")), std::nullopt);
  EXPECT_EQ(reader_.last_errno(), ENOENT);
  EXPECT_EQ(reader_.read(dir_.string()), std::nullopt);
  EXPECT_EQ(reader_.last_errno(), EISDIR);
}

TEST_F(Attribute, FifoThatNobodyWritesDoesNotHang) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(reader_.read(path("fifo")), std::nullopt);
}

TEST_F(Attribute, ListsInOrderWithinALimit) {
  std::vector<std::string> names = {"stale"};
  EXPECT_FALSE(list_folder(path("none"), names, 10));
  EXPECT_THAT(names, IsEmpty());
  for (const char* name : {"b", "c", "a"}) write(name, "");
  EXPECT_TRUE(list_folder(dir_.string(), names, 10));
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
  EXPECT_TRUE(list_folder(dir_.string(), names, 2));
  EXPECT_EQ(names.size(), 2u);
}

}  // namespace
}  // namespace reveal::procfs

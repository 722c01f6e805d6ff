#include "base/whole_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/temp_dir.h"

namespace reveal::base {
namespace {

using testing::HasSubstr;

TEST(WholeFile, ReadsEveryByte) {
  const TempDir folder;
  std::string text(200'000, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 7);
  std::ofstream(folder.path() / "f", std::ios::binary) << text;
  EXPECT_EQ(read_whole_file(folder.path() / "f", "test").value(), text);
}

TEST(WholeFile, SaysWhatCannotBeReadAndWhy) {
  const TempDir folder;
  const auto absent = read_whole_file(folder.path() / "none", "plan").error().message();
  EXPECT_THAT(absent, HasSubstr("cannot read the plan"));
  EXPECT_THAT(absent, HasSubstr("No such file"));
  EXPECT_THAT(read_whole_file(folder.path(), "plan").error().message(), HasSubstr("directory"));
}

TEST(WholeFile, ReadsRegularFilesAloneAndWaitsForNone) {
  const TempDir folder;
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder.path() / "zero");
  for (const char* name : {"pipe", "zero"}) {
    const auto text = read_whole_file(folder.path() / name, "report");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().kind, ErrorKind::kCorrupt);
    EXPECT_THAT(text.error().message(), HasSubstr("not a regular file"));
  }
}

TEST(WholeFile, ReadsNoMoreThanAsked) {
  const TempDir folder;
  std::ofstream(folder.path() / "f") << "12345";
  EXPECT_TRUE(read_whole_file(folder.path() / "f", "plan", 5));
  const auto text = read_whole_file(folder.path() / "f", "plan", 4);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message(), HasSubstr("larger than the limit of 4 bytes"));
  std::filesystem::resize_file(folder.path() / "f", std::uintmax_t{1} << 40);  // a hole
  EXPECT_FALSE(read_whole_file(folder.path() / "f", "plan"));
}

}  // namespace
}  // namespace reveal::base

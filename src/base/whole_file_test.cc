#include "base/whole_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace reveal::base

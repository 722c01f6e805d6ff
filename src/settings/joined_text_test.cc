#include "settings/joined_text.h"

#include <gmock/gmock.h>

namespace reveal::settings {
namespace {

std::vector<FileText> there_and_back(const std::vector<FileText>& files) {
  return parted_text(joined_text(files), files.front().name);
}

TEST(JoinedText, IsPartedAsItWasJoined) {
  const auto f = [](const std::vector<FileText>& files) {
    const auto got = there_and_back(files);
    ASSERT_EQ(got.size(), files.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].name, files[i].name);
      EXPECT_EQ(got[i].text, files[i].text);
    }
  };
  f({{"a", ""}});
  f({{"a", "[record]\n"}});
  f({{"a", "[record]\n"}, {"b", "[web]\n"}, {"c", "[agent]\n"}});
  f({{"a", ""}, {"b", "[web]\n"}});
  f({{"a", "[record]\n"}, {"b", ""}, {"c", "x"}});
}

TEST(JoinedText, OfOneFileIsItsText) {
  EXPECT_EQ(joined_text({{"a", "[record]\n"}}), "[record]\n");
}

TEST(JoinedText, WhoseLastFileIsEmptyStillNamesIt) {
  const auto got = there_and_back({{"a", "x"}, {"b", ""}});
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[1].name, "b");
  EXPECT_EQ(got[1].text, "");
}

}  // namespace
}  // namespace reveal::settings

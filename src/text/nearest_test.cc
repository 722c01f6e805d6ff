#include "text/nearest.h"

#include <vector>

#include <gtest/gtest.h>

namespace reveal::text {
namespace {

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(edits_between("", ""), 0u);
  EXPECT_EQ(edits_between("abc", ""), 3u);
  EXPECT_EQ(edits_between("analize", "analyze"), 1u);
  EXPECT_EQ(edits_between("recrod", "record"), 1u);
  EXPECT_EQ(edits_between("kitten", "sitting"), 3u);
}

TEST(Nearest, IsTheWordThatWasMeant) {
  const std::vector<std::string> words{"run",    "record", "analyze",
                                       "report", "repair", "--threshold"};
  EXPECT_EQ(nearest("analyze", words), "analyze");
  EXPECT_EQ(nearest("recrod", words), "record");
  EXPECT_EQ(nearest("rum", words), "run");
  EXPECT_EQ(nearest("--thresh", words), "--threshold");
  EXPECT_EQ(nearest("watch", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(did_you_mean("analyze", words), "; did you mean analyze?");
  EXPECT_EQ(did_you_mean("watch", words), "");
}

}  // namespace
}  // namespace reveal::text

// Not fuzzed here: the case of mountinfo_test.cc reaches it.
#include "procfs/mount_text.h"

#include <gtest/gtest.h>

namespace reveal::procfs {
namespace {

TEST(UnescapedPath, OctalIsTheByte) {
  EXPECT_EQ(unescaped_path("/mnt/a\\040b"), "/mnt/a b");
  EXPECT_EQ(unescaped_path("\\011\\012\\134\\043"), "\t\n\\#");
  EXPECT_EQ(unescaped_path("\\377"), "\xFF");
  EXPECT_EQ(unescaped_path("/a\\134040"), "/a\\040");  // a backslash and the text 040
}

TEST(UnescapedPath, AnythingElseStays) {
  for (const char* text : {"", "/", "/mnt", "\\", "\\04", "\\400", "\\08x", "\\x20", "a\\"}) {
    EXPECT_EQ(unescaped_path(text), text);
  }
}

}  // namespace
}  // namespace reveal::procfs

// Not fuzzed here: cpu_list_test.cc's case gives it any text.
#include "procfs/cpu_set.h"

#include <gtest/gtest.h>

namespace reveal::procfs {
namespace {

std::string written(std::string_view list) {
  CpuSet set;
  if (!set.assign(list)) return "none";
  std::string out;
  set.append_to(out);
  return out;
}

TEST(CpuSetList, IsReadAndWritten) {
  EXPECT_EQ(written(""), "");
  EXPECT_EQ(written("0"), "0");
  EXPECT_EQ(written("0-2,4"), "0-2,4");
  EXPECT_EQ(written("4,0,1,2"), "0-2,4");
  EXPECT_EQ(written("0-8191"), "0-8191");
  EXPECT_EQ(written("8191"), "8191");
}

TEST(CpuSetList, NonsenseIsNoSet) {
  for (const char* list :
       {"x", "3-1", "1-", "-1", "1,,2", "1,", ",1", "8192", "0-99999999999", " 1", "1 ", "1-2-3"}) {
    EXPECT_EQ(written(list), "none") << list;
  }
}

TEST(CpuSetList, SetsAreMergedAndCounted) {
  CpuSet a;
  CpuSet b;
  ASSERT_TRUE(a.assign("0-3"));
  ASSERT_TRUE(b.assign("2-5"));
  a.merge(b);
  EXPECT_EQ(a.count(), 6u);
  EXPECT_TRUE(a.contains(5));
  EXPECT_FALSE(a.contains(6));
}

}  // namespace
}  // namespace reveal::procfs

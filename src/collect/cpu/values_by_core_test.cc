#include "collect/cpu/values_by_core.h"

#include <gtest/gtest.h>

namespace reveal::collect {
namespace {

TEST(ValuesByCore, OneValueNeedsNoCores) {
  ValuesByCore values;
  EXPECT_EQ(values.text(), "");
  values.add(0, "a");
  values.add(1, "a");
  EXPECT_EQ(values.text(), "a");
  values.add(2, "b");
  values.add(3, "a");
  EXPECT_EQ(values.text(), "a on 0-1,3; b on 2");
  EXPECT_EQ(values.count("a"), 3u);
  values.clear();
  EXPECT_TRUE(values.empty());
  values.add(5, "c");
  EXPECT_EQ(values.text(), "c");
}

}  // namespace
}  // namespace reveal::collect

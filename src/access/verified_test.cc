#include "access/verified.h"

#include <string>

#include <gtest/gtest.h>

namespace reveal::access {
namespace {

std::string name_of(Verified& verified, const std::string& sealed) {
  const auto who = verified.find(sealed);
  return who ? who->name : "-";
}

TEST(Verified, KnowsThoseUsedLast) {
  Verified verified(2);
  EXPECT_EQ(name_of(verified, "a"), "-");
  verified.add("a", {"ann", Role::kViewer});
  verified.add("b", {"bob", Role::kOperator});
  EXPECT_EQ(name_of(verified, "a"), "ann");
  verified.add("c", {"cy", Role::kViewer});
  EXPECT_EQ(name_of(verified, "b"), "-");
  EXPECT_EQ(name_of(verified, "a"), "ann");
  EXPECT_EQ(verified.find("c")->role, Role::kViewer);
  verified.clear();
  EXPECT_EQ(name_of(verified, "a"), "-");
}

TEST(Verified, TakesEachOnceAndNothingWithoutASeal) {
  Verified verified(2);
  verified.add("a", {"ann", Role::kViewer});
  verified.add("b", {"bob", Role::kViewer});
  verified.add("a", {"ann", Role::kViewer});
  EXPECT_EQ(name_of(verified, "b"), "bob");
  verified.add("", {"eve", Role::kOperator});
  EXPECT_EQ(name_of(verified, ""), "-");
  EXPECT_EQ(name_of(verified, "a"), "ann");
}

}  // namespace
}  // namespace reveal::access

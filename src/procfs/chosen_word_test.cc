#include "procfs/chosen_word.h"

#include <gtest/gtest.h>

namespace reveal::procfs {
namespace {

TEST(ChosenWord, IsTheOneInBrackets) {
  EXPECT_EQ(chosen_word("mq-deadline kyber [none]\n"), "none");
  EXPECT_EQ(chosen_word("always [madvise] never\n"), "madvise");
  EXPECT_EQ(chosen_word("none\n"), "none");
}

TEST(ChosenWord, OrNone) {
  for (const auto* text : {"", "\n", "[none]", "a b\n", "[]  x\n", "a [b c\n"}) {
    EXPECT_EQ(chosen_word(text), "") << text;
  }
}

}  // namespace
}  // namespace reveal::procfs

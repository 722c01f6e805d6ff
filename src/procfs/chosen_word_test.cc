#include "procfs/chosen_word.h"

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

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

const ParserCase kFuzzed("sys/block/sda/queue/scheduler", [](std::string_view text) {
  require(chosen_word(text).size() <= text.size());
});

}  // namespace
}  // namespace reveal::procfs

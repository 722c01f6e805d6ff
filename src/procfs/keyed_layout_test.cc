#include "procfs/keyed_layout.h"

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;

class Harness {
 public:
  explicit Harness(std::vector<std::string_view> keys) : layout_(std::move(keys)) {}
  std::vector<Value> read(std::string_view text) {
    std::vector<Value> values(layout_.size(), Value(4711));  // must be overwritten
    layout_.read(text, values);
    return values;
  }

 private:
  KeyedLayout layout_;
};

TEST(KeyedLayout, AbsentKeysAreMissing) {
  Harness layout({"Dirty", "Writeback"});
  EXPECT_THAT(layout.read(""), ElementsAre(Value(), Value()));
  EXPECT_THAT(layout.read("MemTotal: 5 kB\n"), ElementsAre(Value(), Value()));
  EXPECT_THAT(layout.read("Dirty: 5 kB\n"), ElementsAre(Value(5), Value()));
}

TEST(KeyedLayout, KeyIsNeverAPrefix) {
  Harness layout({"Writeback", "nr_free"});
  EXPECT_THAT(layout.read("WritebackTmp: 7 kB\nWriteback: 8 kB\nnr_free_pages 9\nnr_free 10\n"),
              ElementsAre(Value(8), Value(10)));
}

TEST(KeyedLayout, KeysWithBracketsAndValuesWithoutUnit) {
  Harness layout({"Active(anon)", "HugePages_Free"});
  EXPECT_THAT(layout.read("Active:  1 kB\nActive(anon):   22 kB\nHugePages_Free:   3\n"),
              ElementsAre(Value(22), Value(3)));
}

TEST(KeyedLayout, LinesThatMoveAreFoundAgain) {
  Harness layout({"b", "c"});
  EXPECT_THAT(layout.read("a 1\nb 2\nc 3\n"), ElementsAre(Value(2), Value(3)));
  EXPECT_THAT(layout.read("a 1\nb 4\nc 5\n"), ElementsAre(Value(4), Value(5)));
  EXPECT_THAT(layout.read("c 6\nb 7\na 8\n"), ElementsAre(Value(7), Value(6)));
  EXPECT_THAT(layout.read("b 9\n"), ElementsAre(Value(9), Value()));
  EXPECT_THAT(layout.read("a 1\nnew 1\nb 2\nc 3\n"), ElementsAre(Value(2), Value(3)));
}

TEST(KeyedLayout, RubbishIsForgottenWhenTheTextComesBack) {
  Harness layout({"b"});
  EXPECT_THAT(layout.read("x\nB 2\n\xff\n"), ElementsAre(Value()));
  EXPECT_THAT(layout.read("a 1\nb 2\nc 3\n"), ElementsAre(Value(2)));
  EXPECT_THAT(layout.read("a 1\nb\nc 3\n"), ElementsAre(Value()));
  EXPECT_THAT(layout.read("a 1\nb N/A\nc 3\n"), ElementsAre(Value()));
  EXPECT_THAT(layout.read("a 1\nb -2\nc 3\n"), ElementsAre(Value()));
  EXPECT_THAT(layout.read("a 1\nb 5\nc 3\n"), ElementsAre(Value(5)));
}

TEST(KeyedLayout, CutTextLosesOnlyItsTail) {
  Harness layout({"a", "b"});
  EXPECT_THAT(layout.read("a 12\nb 345\n"), ElementsAre(Value(12), Value(345)));
  EXPECT_THAT(layout.read("a 12\nb 34"), ElementsAre(Value(12), Value()));
}

const ParserCase kFuzzed("proc/meminfo", [](std::string_view text) {
  fuzz_layout<KeyedLayout>(text, {"MemTotal", "Dirty", "Active(anon)", "pgfault", "oom_kill"});
});

}  // namespace
}  // namespace reveal::procfs

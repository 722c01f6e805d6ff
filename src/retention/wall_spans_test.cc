#include "retention/wall_spans.h"

#include <gtest/gtest.h>

namespace reveal::retention {
namespace {

TEST(WallSpans, ThoseThatTouchAreOne) {
  EXPECT_EQ(joined({{50, 60}, {10, 20}, {12, 15}, {20, 30}, {31, 40}}),
            (std::vector<WallSpan>{{10, 30}, {31, 40}, {50, 60}}));
  EXPECT_TRUE(joined({}).empty());
}

TEST(WallSpans, WhichOneATimeIsIn) {
  const std::vector<WallSpan> spans{{10, 20}, {30, 30}};
  EXPECT_EQ(span_of(spans, 9), std::nullopt);
  EXPECT_EQ(span_of(spans, 10), 0u);
  EXPECT_EQ(span_of(spans, 20), 0u);
  EXPECT_EQ(span_of(spans, 21), std::nullopt);
  EXPECT_EQ(span_of(spans, 30), 1u);
  EXPECT_EQ(span_of(spans, 31), std::nullopt);
  EXPECT_EQ(span_of({}, 31), std::nullopt);
}

}  // namespace
}  // namespace reveal::retention

#include "publish/event_detail.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/limits.h"

namespace reveal::publish {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A piece of evidence whose text has so many bytes.
std::string evidence(int rank, std::size_t bytes) {
  return "{\"rank\":" + std::to_string(rank) + ",\"text\":\"" + std::string(bytes, 'x') + "\"}";
}

TEST(EventDetail, LeavesOutTheWindows) {
  EXPECT_EQ(event_detail(R"({"claim":"c","windows":[1,2,3],"evidence":[{"rank":1}],"x":0.5})"),
            R"({"claim":"c","evidence":[{"rank":1}],"x":0.5})");
}

TEST(EventDetail, HasAsMuchEvidenceAsFits) {
  const auto detail = event_detail("{\"claim\":\"c\",\"evidence\":[" + evidence(1, 5000) + "," +
                                   evidence(2, 5000) + "," + evidence(3, 5000) + "],\"x\":1}");
  EXPECT_LE(detail.size(), wire::kMaxDetail);
  EXPECT_THAT(detail, StartsWith(R"({"claim":"c","evidence":[{"rank":1,)"));
  EXPECT_THAT(detail, HasSubstr("\"rank\":2"));
  EXPECT_THAT(detail, Not(HasSubstr("\"rank\":3")));
  EXPECT_THAT(detail, EndsWith("\"x\":1}"));
}

TEST(EventDetail, IsNoneIfTheRestIsTooLong) {
  EXPECT_EQ(event_detail("{\"claim\":\"" + std::string(wire::kMaxDetail, 'x') + "\"}"), "");
  EXPECT_EQ(event_detail("[1]"), "");
  EXPECT_EQ(event_detail("{"), "");
  EXPECT_EQ(event_detail(""), "");
}

}  // namespace
}  // namespace reveal::publish

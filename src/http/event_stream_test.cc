// What a stream has so far, for a reader that asks for it piece by piece.
#include "http/event_stream.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::http {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Telling final : public Site {
 public:
  bool is_for_all(const Request&) const override { return false; }
  Response answer(const Request&, const Asked&) override { return {}; }
  EventBoard& events() override { return events_; }
  std::string host() const override { return "n017"; }

  void tell(const std::string& json) {
    const std::vector<Event> events{{.kind = "window", .json = json}};
    events_.tell(events);
  }

 private:
  EventBoard events_;
};

// As a browser keeps it: that of the last event.
std::string last_id(const std::string& text) {
  const auto at = text.rfind("id: ") + 4;
  return text.substr(at, text.find('\n', at) - at);
}

TEST(EventsSoFar, BeginNowAndGoOnWhereTheReaderWas) {
  Telling site;
  site.tell("1");
  const auto first = events_so_far("", site);
  EXPECT_THAT(first, StartsWith("retry: 1000\n\nevent: hello\ndata: {"));
  EXPECT_THAT(first, HasSubstr("\"in_portions\":true"));
  EXPECT_THAT(first, Not(HasSubstr("window"))) << "it was told before";
  EXPECT_THAT(first, EndsWith("event: ping\ndata: {}\n\n"));
  site.tell("2");
  site.tell("3");
  const auto second = events_so_far(last_id(first), site);
  EXPECT_THAT(second, HasSubstr("event: window\ndata: 2\n\nid: "));
  EXPECT_THAT(second, HasSubstr("event: window\ndata: 3\n\nid: "));
  EXPECT_THAT(second, Not(HasSubstr("resync")));
  const auto third = events_so_far(last_id(second), site);
  EXPECT_THAT(third, Not(HasSubstr("window"))) << "nothing new";
  EXPECT_EQ(last_id(third), last_id(second));
}

TEST(EventsSoFar, SayWhatTheReaderMissed) {
  Telling site;
  EXPECT_THAT(events_so_far("another-1", site), HasSubstr("event: resync"));
  const auto known = last_id(events_so_far("", site));
  for (int i = 0; i < 40; ++i) site.tell("\"" + std::string(40'000, 'a') + "\"");
  EXPECT_THAT(events_so_far(known, site), HasSubstr("event: resync")) << "much is forgotten";
}

// The rest comes with the next portion.
TEST(EventsSoFar, AreBounded) {
  Telling site;
  const auto known = last_id(events_so_far("", site));
  for (int i = 0; i < 20; ++i) site.tell("\"" + std::string(40'000, 'a') + "\"");
  const auto first = events_so_far(known, site);
  EXPECT_LE(first.size(), kMostStreamUnsent + 50'000);
  EXPECT_THAT(last_id(first), Not(EndsWith("-20")));
  const auto second = events_so_far(last_id(first), site);
  EXPECT_THAT(second, HasSubstr("window"));
  EXPECT_THAT(second, Not(HasSubstr("resync")));
}

}  // namespace
}  // namespace reveal::http

#include "fleet_site/event_maker.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "fleet_site/testing/made_fleet_state.h"

namespace reveal::fleet_site {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using testing::SizeIs;

constexpr EventMaker::Clock::time_point kBegin{};

class Stream {
 public:
  std::vector<http::Event> tell(const FleetState& state, int second) {
    return maker_.events_of(state, kBegin + seconds(second));
  }
  json fleet(const FleetState& state, int second) {
    const auto events = tell(state, second);
    EXPECT_EQ(events.back().kind, "fleet");
    EXPECT_LE(events.back().json.size(), EventMaker::kMostFleetBytes);
    return json::parse(events.back().json);
  }

 private:
  EventMaker maker_;
};

TEST(EventMaker, TellsTheWholeFirstAndThenWhatChanges) {
  Stream stream;
  auto state = made_fleet_state();
  auto fleet = stream.fleet(state, 0);
  EXPECT_EQ(fleet.at("state"), "judging");
  EXPECT_EQ(fleet.at("time"), "2026-09-21T14:13:20.250Z");
  EXPECT_EQ(fleet.at("hosts"), 13);
  ASSERT_THAT(fleet.at("groups"), SizeIs(2));
  // The troubled one comes first.
  auto& first = fleet.at("groups")[0];
  EXPECT_EQ(first.at("key"), "role=train");
  EXPECT_EQ(first.at("slow"), 1);
  EXPECT_EQ(first.at("hosts"), 4);
  EXPECT_EQ(first.at("marks"), "Wlr/AA==");
  state.hosts = EventMaker::kAlwaysWhole + 1;
  fleet = stream.fleet(state, 1);
  EXPECT_FALSE(fleet.at("groups")[0].contains("marks"));
  EXPECT_FALSE(fleet.at("groups")[0].contains("changes"));
  state.groups[0].marks[8] = 7;
  fleet = stream.fleet(state, 2);
  EXPECT_EQ(fleet.at("groups")[1].at("changes"), "CAAH");
  // Once in a while as a whole, for who begins to read.
  fleet = stream.fleet(state, 5);
  EXPECT_TRUE(fleet.at("groups")[0].contains("marks"));
  // And where much changes.
  for (auto& mark : state.groups[0].marks) mark = 9;
  fleet = stream.fleet(state, 6);
  EXPECT_TRUE(fleet.at("groups")[1].contains("marks"));
}

TEST(EventMaker, WithOtherHostsAGroupIsToldAsAWhole) {
  Stream stream;
  auto state = made_fleet_state();
  state.hosts = EventMaker::kAlwaysWhole + 1;
  stream.fleet(state, 0);
  auto hosts = std::make_shared<GroupHosts>(*state.groups[1].hosts);
  hosts->ids[0] = "b";
  state.groups[1].hosts = hosts;
  const auto fleet = stream.fleet(state, 1);
  EXPECT_TRUE(fleet.at("groups")[0].contains("marks"));
  EXPECT_FALSE(fleet.at("groups")[1].contains("marks"));
}

TEST(EventMaker, OfAFleetThatIsNotLargeWhoBeginsToReadHasAllMarksAtOnce) {
  Stream stream;
  const auto state = made_fleet_state();
  for (int second = 0; second < 4; ++second) {
    const auto told = stream.fleet(state, second);
    for (const auto& group : told.at("groups")) {
      EXPECT_TRUE(group.contains("marks")) << second;
    }
  }
}

// Whoever takes wholes and changes has the marks at each time.
TEST(EventMaker, ChangesMakeTheSameMarks) {
  Stream stream;
  base::Rng rng(3);
  FleetState state = made_fleet_state();
  state.groups = {made_group("role=a", 400)};
  state.hosts = EventMaker::kAlwaysWhole + 1;
  std::string known;
  for (int second = 0; second < 60; ++second) {
    for (auto& mark : state.groups[0].marks) {
      if (rng.uniform() < 0.02 * second) mark = static_cast<Mark>(rng.next() % 256);
    }
    const auto group = stream.fleet(state, second).at("groups")[0];
    const auto decoded = [](const std::string& in) {
      const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      std::string out;
      std::uint32_t bits = 0;
      int count = 0;
      for (const char digit : in) {
        if (digit == '=') break;
        bits = bits << 6 | static_cast<std::uint32_t>(digits.find(digit));
        count += 6;
        if (count >= 8) {
          count -= 8;
          out.push_back(static_cast<char>(bits >> count & 0xFF));
        }
      }
      return out;
    };
    if (group.contains("marks")) known = decoded(group.at("marks"));
    if (group.contains("changes")) {
      const auto changes = decoded(group.at("changes"));
      for (std::size_t i = 0; i < changes.size(); i += 3) {
        const auto place = static_cast<std::uint8_t>(changes[i]) +
                           256U * static_cast<std::uint8_t>(changes[i + 1]);
        known.at(place) = changes[i + 2];
      }
    }
    const auto& marks = state.groups[0].marks;
    EXPECT_EQ(known, std::string(marks.begin(), marks.end())) << second;
  }
}

TEST(EventMaker, AFleetOfTenThousandHostsFitsIntoAnEvent) {
  Stream stream;
  base::Rng rng(3);
  auto state = made_fleet_state();
  state.groups = {made_group("role=train", 10'000)};
  for (int second = 0; second < 10; ++second) {
    for (auto& mark : state.groups[0].marks) mark = static_cast<Mark>(rng.next() % 256);
    EXPECT_TRUE(stream.fleet(state, second).at("groups")[0].contains("marks"));
  }
}

TEST(EventMaker, ManyGroupsTakeTurns) {
  Stream stream;
  auto state = made_fleet_state();
  state.groups.clear();
  for (int i = 0; i < 3'000; ++i) {
    state.groups.push_back(made_group(fmt::format("role={:04}", i), 3));
  }
  state.groups[2'500].slow = 1;
  std::set<std::string> told;
  for (int second = 0; second < 20; ++second) {
    const auto fleet = stream.fleet(state, second);
    EXPECT_EQ(fleet.at("groups")[0].at("key"), "role=2500");
    for (const auto& group : fleet.at("groups")) told.insert(group.at("key"));
  }
  EXPECT_THAT(told, SizeIs(3'000));
}

TEST(EventMaker, TellsWhatIsNewOfIncidents) {
  Stream stream;
  auto state = made_fleet_state();
  // Those of the first state are asked for.
  EXPECT_THAT(stream.tell(state, 0), SizeIs(1));
  EXPECT_THAT(stream.tell(state, 1), SizeIs(1));
  state.incidents = std::make_shared<const ShownList>(
      ShownList{made_incident(3, peers::Told::kOpened), made_incident(2, peers::Told::kUpdated, 2),
                made_incident(1, peers::Told::kClosed, 3)});
  const auto events = stream.tell(state, 2);
  ASSERT_THAT(events, SizeIs(3));
  EXPECT_EQ(events[0].kind, "incident");
  const auto updated = json::parse(events[0].json);
  EXPECT_EQ(updated.at("told"), "updated");
  EXPECT_EQ(updated.at("incident").at("id"), "0000000000000012");
  EXPECT_EQ(json::parse(events[1].json).at("told"), "opened");
  EXPECT_THAT(stream.tell(state, 3), SizeIs(1));
}

}  // namespace
}  // namespace reveal::fleet_site

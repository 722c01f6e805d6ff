// Hosts whose clocks are wrong, and messages whose time is not now.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/fleet.h"
#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::SizeIs;

// Its seconds come after the others were judged, and three of four are less than 80 %.
TEST(Clocks, AClockThatIsWrongUnknownToItsHostKeepsNoFewFromBeingJudged) {
  for (const std::int64_t off_s : {-4, -2, 2, 4, 40}) {
    Lab lab(4);
    lab.made.introduce();
    lab.made.more(3).head.clock_error_us = wire::kUnknownClockError;
    lab.made.more(3).head.time_ns = off_s * kSecond_ns;
    lab.run(0, kFrom + 20, spliced({1}, kRetransmits, 0.04F));
    ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1)) << off_s;
    EXPECT_EQ(lab.news[0].incident.main_host()->name, "n01");
    EXPECT_EQ(lab.news[0].incident.onset_ns, MadeFleet::begin_of(kFrom));
    EXPECT_EQ(lab.news[0].incident.group_size, 4u);
  }
}

TEST(Clocks, OneWhoseClockIsWrongUnknownToItIsJudgedItself) {
  Lab lab(4);
  lab.made.introduce();
  lab.made.more(3).head.time_ns = -3 * kSecond_ns;
  lab.run(0, kFrom + 20, spliced({3}, kRetransmits, 0.04F));
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_EQ(lab.news[0].incident.main_host()->name, "n03");
  EXPECT_EQ(lab.news[0].incident.onset_ns, MadeFleet::begin_of(kFrom));
}

// The broker's clock is the wrong one.
TEST(Clocks, AllAreJudgedIfTheirClocksAreNotTheBrokers) {
  Lab lab(4);
  lab.made.introduce();
  for (std::size_t host = 0; host < 4; ++host) lab.made.more(host).head.time_ns = -20 * kSecond_ns;
  lab.run(0, kFrom + 20, spliced({2}, kRetransmits, 0.04F));
  EXPECT_THAT(lab.of(Told::kOpened), SizeIs(1));
}

// A network that stands still for some seconds delivers all at once; the clocks are right.
TEST(Clocks, MessagesThatComeTogetherAreNoWrongClock) {
  Lab lab(4);
  lab.made.introduce();
  lab.run(0, 30, usual_level);
  for (std::size_t s = 30; s < 35; ++s) lab.made.send_second(s, usual_level);
  std::vector<std::pair<std::string, wire::Bytes>> together;
  for (const auto& [stored_ns, message] : lab.waiting) together.push_back(message);
  lab.waiting.clear();
  for (const auto& message : together) lab.waiting.emplace(MadeFleet::end_of(34), message);
  lab.deliver();
  lab.run(35, 37, usual_level);
  const auto* host = lab.fleet.find(lab.made.id(1));
  EXPECT_NE(host->second(MadeFleet::begin_of(36)), nullptr);
  EXPECT_EQ(host->counts().by_arrival, 0u);
}

// Made from a recording of an older run, while the host goes on.
TEST(Clocks, LateMessagesLeaveWhatIsOfNowAlone) {
  Lab lab(3);
  lab.made.introduce();
  Lab late(3);
  late.made.set_run(1, 99);
  late.made.more(1).late = true;
  lab.run(0, 30, usual_level);
  for (std::size_t s = 30; s < 60; ++s) {
    lab.made.send_second(s, usual_level);
    late.made.send_levels(1, s - 20, usual_level);
    for (auto& [stored_ns, message] : late.waiting) {
      lab.waiting.emplace(MadeFleet::end_of(s) + kSecond_ns / 2, message);
    }
    late.waiting.clear();
    lab.deliver();
  }
  const auto* host = lab.fleet.find(lab.made.id(1));
  EXPECT_EQ(host->standing(MadeFleet::end_of(59)), Standing::kCompared);
  EXPECT_EQ(host->counts().levels, 60u);
  EXPECT_EQ(host->counts().waiting, 0u);
  EXPECT_NE(host->second(MadeFleet::begin_of(59)), nullptr);
}

}  // namespace
}  // namespace reveal::peers

// Hosts of an incident that recover before it is over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/fleet.h"
#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// Host 2 is slow for a minute; host 5 for ten seconds of that, and again later, for as long as it
// takes where a brief rise was before.
MadeFleet::Level twice() {
  return [](std::size_t host, std::size_t quantity, std::size_t second) {
    if (host != 5) return spliced({2}, kRetransmits, 0.05F)(host, quantity, second);
    const bool is_again = second >= kFrom + 30;
    const auto from = is_again ? kFrom + 40 : kFrom + 2;
    const auto until = from + (is_again ? 12 : 10);
    return spliced({5}, kRetransmits, 0.05F, from, until)(host, quantity, second);
  };
}

TEST(Recovery, OfAHostIsToldWhileItsIncidentGoesOn) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, kFrom + 35, twice());
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  ASSERT_EQ(lab.news.back().told, Told::kUpdated);
  const auto& incident = lab.news.back().incident;
  EXPECT_TRUE(incident.is_open);
  ASSERT_THAT(incident.hosts, SizeIs(2));
  EXPECT_FALSE(incident.hosts[0].has_recovered());
  EXPECT_EQ(incident.hosts[1].name, "n05");
  EXPECT_TRUE(incident.hosts[1].has_recovered());
  EXPECT_THAT(sentence(incident), HasSubstr("; recovered since: n05"));
}

TEST(Recovery, WhatTheHostHasLaterIsToldByItself) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, 300, twice());
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(2));
  ASSERT_THAT(opened[1].incident.hosts, SizeIs(1));
  EXPECT_EQ(opened[1].incident.hosts[0].name, "n05");
  EXPECT_EQ(opened[1].incident.onset_ns, MadeFleet::begin_of(kFrom + 40));
  EXPECT_THAT(lab.of(Told::kClosed), SizeIs(2));
}

// Some seconds of which nothing is known are not calm.
TEST(Recovery, AGapInTheMessagesIsNone) {
  Lab lab(9);
  lab.made.introduce();
  const auto level = spliced({7}, kRetransmits, 0.04F);
  lab.run(0, kFrom + 10, level);
  lab.run(kFrom + 40, kFrom + 55, level);
  EXPECT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_THAT(lab.of(Told::kClosed), SizeIs(0));
}

// Behind the messages nobody is accused, for however long.
TEST(Recovery, BeingLateIsNone) {
  Lab lab(9);
  lab.made.introduce();
  const auto level = spliced({7}, kRetransmits, 0.04F, kFrom, kFrom + 200);
  lab.run(0, kFrom + 10, level);
  lab.is_late = true;
  lab.run(kFrom + 10, kFrom + 110, level);
  lab.is_late = false;
  lab.run(kFrom + 110, kFrom + 120, level);
  EXPECT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_THAT(lab.of(Told::kClosed), SizeIs(0));
}

}  // namespace
}  // namespace reveal::peers

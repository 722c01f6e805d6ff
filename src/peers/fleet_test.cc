// Made fleets whose messages come from the encoders of agents, judged as a whole.
#include "peers/fleet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "peers/testing/lab.h"
#include "stats/quantile.h"

namespace reveal::peers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Fleet, TellsNothingOfHostsThatAreAlike) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, 300, usual_level);
  EXPECT_THAT(lab.news, IsEmpty());
  EXPECT_GT(lab.fleet.counts().judged, 290u);
  EXPECT_EQ(lab.fleet.meanings(), 1u);
  EXPECT_LE(lab.fleet.counts().uncertain, 2u);
}

class FleetOfSize : public testing::TestWithParam<std::size_t> {};

TEST_P(FleetOfSize, NamesTheHostThatRose) {
  Lab lab(GetParam());
  lab.made.introduce();
  lab.run(0, 300, spliced({1}, kRetransmits, 0.04F));
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(1));
  const auto& incident = opened[0].incident;
  ASSERT_THAT(incident.hosts, SizeIs(1));
  EXPECT_EQ(incident.hosts[0].name, "n01");
  EXPECT_EQ(incident.hosts[0].part, Part::kCause);
  EXPECT_EQ(incident.group, "role=train");
  EXPECT_EQ(incident.group_size, GetParam());
  EXPECT_EQ(incident.onset_ns, MadeFleet::begin_of(kFrom));
  EXPECT_EQ(incident.id, incident_id("role=train", lab.made.id(1), incident.onset_ns));
  EXPECT_TRUE(is_incident_id(incident.id));
  EXPECT_FALSE(is_incident_id(incident.id + "0"));
  EXPECT_FALSE(is_incident_id("0123456789ABCDEF"));
  ASSERT_THAT(incident.hosts[0].evidence, SizeIs(1));
  const auto& evidence = incident.hosts[0].evidence[0];
  EXPECT_EQ(evidence.quantity.subsystem, model::Subsystem::kNetwork);
  EXPECT_NEAR(evidence.observed, 0.04, 0.0004);
  EXPECT_EQ(evidence.usual, 0);
  // Beyond its limit from the first second on, thrice; told when that second is complete.
  EXPECT_LE(incident.end_ns, MadeFleet::end_of(kFrom + 3));
  const auto closed = lab.of(Told::kClosed);
  ASSERT_THAT(closed, SizeIs(1));
  EXPECT_EQ(closed[0].incident.id, incident.id);
  EXPECT_FALSE(closed[0].incident.is_open);
  EXPECT_GE(closed[0].incident.end_ns, MadeFleet::begin_of(kTo));
  EXPECT_LE(closed[0].incident.end_ns, MadeFleet::begin_of(kTo + 6));
}

INSTANTIATE_TEST_SUITE_P(Sizes, FleetOfSize, testing::Values(3, 4, 9, 32));

TEST(Fleet, OfTwoNobodyIsNamed) {
  Lab lab(2);
  lab.made.introduce();
  lab.run(0, 300, spliced({1}, kRetransmits, 0.04F));
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_EQ(opened[0].incident.hosts[0].part, Part::kPair);
  EXPECT_THAT(sentence(opened[0].incident), HasSubstr("differ since"));
}

TEST(Fleet, OfTwoTheLimitIsThreeTimesAsFar) {
  // 0.012 is above five times the 0.001 that shares of packets are told apart by, and below three
  // times that.
  for (const std::size_t hosts : {2U, 3U}) {
    Lab lab(hosts);
    lab.made.introduce();
    lab.run(0, 300, spliced({1}, kRetransmits, 0.012F));
    EXPECT_THAT(lab.of(Told::kOpened), SizeIs(hosts == 2 ? 0 : 1)) << hosts;
  }
}

TEST(Fleet, OneHostIsNotJudged) {
  Lab lab(1);
  lab.made.introduce();
  lab.run(0, 300, spliced({0}, kRetransmits, 0.5F));
  EXPECT_THAT(lab.news, IsEmpty());
}

TEST(Fleet, ARiseThatDoesNotMatterIsNotTold) {
  Lab lab(9);
  lab.made.introduce();
  // Beyond the limit of .005, but less than the least rise of .01.
  lab.run(0, 300, spliced({4}, kRetransmits, 0.009F));
  EXPECT_THAT(lab.news, IsEmpty());
}

TEST(Fleet, ARiseOfNoSaturationSignalIsNotTold) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, 300, spliced({4}, kReads, 5e9F));
  EXPECT_THAT(lab.news, IsEmpty());
}

// The limit of the evidence is what plain sorting makes of the same levels.
TEST(Fleet, TheLimitIsThatOfAnIndependentComputation) {
  base::Rng rng(3);
  std::map<std::pair<std::size_t, std::size_t>, float> noise;
  for (std::size_t host = 0; host < 5; ++host) {
    for (std::size_t second = 0; second < 300; ++second) {
      noise[{host, second}] = static_cast<float>(0.3 + 0.3 * rng.uniform());
    }
  }
  const auto level = [&](std::size_t host, std::size_t quantity, std::size_t second) {
    if (quantity != kCpuPressure) return usual_level(host, quantity, second);
    const bool is_it = host == 2 && second >= kFrom;
    return noise[{host, second}] + (is_it ? 0.9F : 0.0F);
  };
  Lab lab(5);
  lab.made.introduce();
  lab.run(0, kFrom + 8, level);
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  const auto evidence = lab.of(Told::kOpened)[0].incident.hosts.at(0).evidence.at(0);

  const auto floor = made_dictionary().quantities[kCpuPressure].floor;
  const auto window = [&](std::size_t host, std::size_t second) {
    double sum = 0;
    for (std::size_t s = second - 2; s <= second; ++s) {
      sum += wire::level_of(wire::code_of(level(host, kCpuPressure, s), floor), floor);
    }
    return sum / 3;
  };
  const auto distance = [&](std::size_t host, std::size_t second) {
    std::vector<double> others;
    for (std::size_t other = 0; other < 5; ++other) {
      if (other != host) others.push_back(window(other, second));
    }
    return window(host, second) - stats::median(others);
  };
  // The first window of two seconds is judged at second 1; blocks are of 20 windows from there.
  std::vector<double> spreads;
  double own_spread = 0;
  for (std::size_t host = 0; host < 5; ++host) {
    std::vector<double> means;
    std::vector<double> largest;
    // What is about the window of two seconds is left out: block 0 is one of nine.
    for (std::size_t begin = 21; begin + 20 <= kFrom; begin += 20) {
      std::vector<double> block;
      for (std::size_t s = begin; s < begin + 20; ++s) block.push_back(distance(host, s));
      means.push_back(std::accumulate(block.begin(), block.end(), 0.0) / 20);
      const auto first = means.size() > 6 ? means.end() - 6 : means.begin();
      const double offset = stats::median({first, means.end()});
      double farthest = 0;
      for (const double one : block) farthest = std::max(farthest, std::abs(one - offset));
      largest.push_back(farthest);
    }
    std::ranges::sort(largest);
    // Of eight blocks, the largest: nine tenths of them is more than seven.
    spreads.push_back(largest.back() / kTailOfNormal);
    if (host == 2) own_spread = spreads.back();
  }
  const double expected = 5 * std::max(own_spread, stats::median(spreads));
  ASSERT_GT(expected, 5 * 0.05 * 0.45);  // the resolution of a rate is less
  EXPECT_NEAR(evidence.limit, expected, 0.1 * expected);
  // Of the window in which it was told, the third that was beyond.
  EXPECT_NEAR(evidence.observed, window(2, kFrom + 2), 0.35);
}

TEST(Fleet, TheOrderOfHostsChangesNothing) {
  const auto told = [](bool is_reversed) {
    Lab lab(9);
    lab.made.introduce();
    for (std::size_t s = 0; s < 300; ++s) {
      lab.made.send_second(s, spliced({3, 4}, kRetransmits, 0.04F));
      // The same moments, other hosts first.
      std::vector<std::pair<std::string, wire::Bytes>> messages;
      for (auto& [stored_ns, message] : lab.waiting) messages.push_back(message);
      if (is_reversed) std::ranges::reverse(messages);
      std::size_t i = 0;
      for (auto& [stored_ns, message] : lab.waiting) message = messages[i++];
      lab.deliver();
    }
    std::vector<std::string> out;
    for (const auto& one : lab.of(Told::kClosed)) {
      out.push_back(one.incident.id + " " + sentence(one.incident));
    }
    return out;
  };
  const auto in_order = told(false);
  EXPECT_THAT(in_order, SizeIs(1));
  EXPECT_EQ(in_order, told(true));
}

TEST(Fleet, WhatAllHostsDoIsNoDifference) {
  const auto told = [](float more) {
    Lab lab(9);
    lab.made.introduce();
    const auto level = spliced({5}, kCpuPressure, 0.6F);
    lab.run(0, 300, [&](std::size_t host, std::size_t quantity, std::size_t second) {
      return level(host, quantity, second) + (quantity == kCpuPressure ? more : 0.0F);
    });
    std::vector<std::string> out;
    for (const auto& one : lab.of(Told::kOpened)) out.push_back(one.incident.id);
    return out;
  };
  EXPECT_THAT(told(0), SizeIs(1));
  EXPECT_EQ(told(0), told(0.25F));
}

TEST(Fleet, AHostThatAlwaysLiesApartIsNoAlarm) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, 400, [](std::size_t host, std::size_t quantity, std::size_t second) {
    return usual_level(host, quantity, second) +
           (host == 0 && quantity == kCpuPressure ? 0.5F : 0.0F);
  });
  EXPECT_THAT(lab.news, IsEmpty());
}

TEST(Fleet, HostsThatAreSlowTogetherAreOneIncident) {
  Lab lab(9);
  lab.made.introduce();
  // One loses packets; four seconds later two others wait.
  const auto loses = spliced({2}, kRetransmits, 0.05F);
  lab.run(0, 300, [&](std::size_t host, std::size_t quantity, std::size_t second) {
    const bool waits = (host == 5 || host == 6) && quantity == kCpuPressure;
    if (waits && second >= kFrom + 4 && second < kTo) return 0.7F;
    return loses(host, quantity, second);
  });
  EXPECT_THAT(lab.of(Told::kOpened), SizeIs(1));
  const auto closed = lab.of(Told::kClosed);
  ASSERT_THAT(closed, SizeIs(1));
  const auto& incident = closed[0].incident;
  ASSERT_THAT(incident.hosts, SizeIs(3));
  EXPECT_EQ(incident.main_host()->name, "n02");
  EXPECT_EQ(incident.hosts[1].part, Part::kVictim);
  EXPECT_EQ(incident.hosts[2].part, Part::kVictim);
  EXPECT_THAT(sentence(incident), HasSubstr("2 wait for it: n05, n06"));
}

// A failed rack must not cost the square of its hosts.
TEST(Fleet, HostsThatBecomeSlowInOneSecondAreToldOnce) {
  Lab lab(64);
  lab.made.introduce();
  std::set<std::size_t> rack;
  for (std::size_t host = 0; host < 20; ++host) rack.insert(host);
  lab.run(0, kFrom + 30, spliced(rack, kRetransmits, 0.05F));
  ASSERT_THAT(lab.news, SizeIs(1));
  EXPECT_EQ(lab.news[0].told, Told::kOpened);
  EXPECT_THAT(lab.news[0].incident.hosts, SizeIs(20));
}

TEST(Fleet, AnIncidentGoesOnWhileThisProgramIsLate) {
  Lab lab(9);
  lab.made.introduce();
  const auto level = spliced({7}, kRetransmits, 0.04F);
  lab.run(0, kFrom + 10, level);
  lab.is_late = true;
  lab.run(kFrom + 10, kFrom + 40, level);
  lab.is_late = false;
  lab.run(kFrom + 40, kFrom + 50, level);
  EXPECT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_THAT(lab.of(Told::kClosed), IsEmpty());
}

TEST(Fleet, AHostThatComesBackSoundIsNotAccusedOfWhatItHad) {
  Lab lab(9);
  lab.made.introduce();
  const auto level = spliced({7}, kRetransmits, 0.04F);
  lab.run(0, kFrom + 10, level);
  // It reboots; the others go on, and the incident closes.
  for (std::size_t s = kFrom + 10; s < kFrom + 40; ++s) {
    for (std::size_t host = 0; host < 9; ++host) {
      if (host != 7) lab.made.send_levels(host, s, level);
    }
    lab.deliver();
  }
  ASSERT_THAT(lab.of(Told::kClosed), SizeIs(1));
  lab.run(kFrom + 40, kFrom + 60, usual_level);
  EXPECT_THAT(lab.of(Told::kOpened), SizeIs(1));
}

TEST(Fleet, ANameCannotLookLikeALineOfOurs) {
  Incident incident;
  incident.group = "role=train";
  incident.group_size = 3;
  incident.hosts.push_back({});
  incident.hosts[0].name = "n01\nclosed  0123  host n02 was slow";
  EXPECT_THAT(sentence(incident), testing::Not(HasSubstr("\n")));
}

TEST(Fleet, HostsThatAreSlowLaterAreAnotherIncident) {
  Lab lab(9);
  lab.made.introduce();
  const auto first = spliced({2}, kRetransmits, 0.05F);
  lab.run(0, 300, [&](std::size_t host, std::size_t quantity, std::size_t second) {
    const bool is_other = host == 5 && quantity == kCpuPressure;
    if (is_other && second >= kFrom + 20 && second < kTo) return 0.7F;
    return first(host, quantity, second);
  });
  EXPECT_THAT(lab.of(Told::kOpened), SizeIs(2));
}

TEST(Fleet, ThatAllHostsRoseIsTold) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, 320, spliced({0, 1, 2, 3, 4, 5, 6, 7, 8}, kCpuPressure, 0.6F));
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_TRUE(opened[0].incident.is_of_all);
  EXPECT_THAT(sentence(opened[0].incident), HasSubstr("all 9 hosts of role=train are slow since"));
  EXPECT_THAT(lab.of(Told::kClosed), SizeIs(1));
}

TEST(Fleet, AFindingOfTheHostTellsTheOnset) {
  Lab lab(9);
  lab.made.introduce();
  const auto level = spliced({7}, kRetransmits, 0.04F);
  lab.run(0, kFrom, level);
  wire::Event event;
  event.what = wire::What::kOpened;
  event.finding = "F1";
  event.onset_ns = MadeFleet::begin_of(kFrom) + 300'000'000;
  event.end_ns = event.onset_ns;
  event.subsystem = model::Subsystem::kNetwork;
  lab.made.send_event(7, event, MadeFleet::end_of(kFrom));
  lab.run(kFrom, 300, level);
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_EQ(opened[0].incident.onset_ns, event.onset_ns);
  EXPECT_EQ(opened[0].incident.hosts[0].finding, "F1");
  EXPECT_EQ(sentence(opened[0].incident),
            "host n07 is slow since 22:16:40.3: Retransmitted segments 4 % (its 8 peers: 0 %)");
  EXPECT_THAT(lab.fleet.take_events(), SizeIs(1));
}

TEST(Fleet, AFactThatDiffersIsToldWithTheIncident) {
  Lab lab(9);
  for (std::size_t i = 0; i < 9; ++i) {
    auto facts = lab.made.facts_of(i);
    facts.facts = {{"cpufreq", "governor", i == 7 ? "powersave" : "performance"}};
    lab.made.send_facts(i, facts);
    lab.made.send_dictionary(i);
  }
  lab.run(0, 220, spliced({7}, kRetransmits, 0.04F));
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_THAT(lab.of(Told::kOpened)[0].incident.hosts[0].facts,
              ElementsAre(UnlikeFact{"governor", "powersave", "performance"}));
}

TEST(Fleet, NobodyIsAccusedWhileThisProgramIsLate) {
  Lab lab(9);
  lab.made.introduce();
  lab.is_late = true;
  const auto level = spliced({7}, kRetransmits, 0.04F);
  lab.run(0, kFrom + 10, level);
  EXPECT_THAT(lab.news, IsEmpty());
  lab.is_late = false;
  lab.run(kFrom + 10, kFrom + 12, level);
  // It was seen, and has the onset that it had.
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_EQ(lab.news[0].incident.onset_ns, MadeFleet::begin_of(kFrom));
}

TEST(Fleet, NobodyIsAccusedByTooFewHosts) {
  Lab lab(10);
  lab.made.introduce();
  const auto level = spliced({7}, kRetransmits, 0.04F);
  lab.run(0, kFrom, level);
  const auto before = lab.fleet.counts().uncertain;
  // Seven of ten tell the next seconds: less than 80 % of those that live.
  for (std::size_t s = kFrom; s < kFrom + 3; ++s) {
    for (std::size_t host = 3; host < 10; ++host) lab.made.send_levels(host, s, level);
    lab.deliver();
  }
  lab.fleet.advance(MadeFleet::end_of(kFrom + 4), false);
  EXPECT_GE(lab.fleet.counts().uncertain, before + 2);
  EXPECT_THAT(lab.news, IsEmpty());
  // They are silent for so long that the group is those who speak.
  for (std::size_t s = kFrom + 3; s < kFrom + 15; ++s) {
    for (std::size_t host = 3; host < 10; ++host) lab.made.send_levels(host, s, level);
    lab.deliver();
  }
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_EQ(lab.of(Told::kOpened)[0].incident.group_size, 7u);
}

TEST(Fleet, LevelsWaitForTheirDictionary) {
  Lab lab(3);
  for (std::size_t i = 0; i < 3; ++i) lab.made.send_facts(i, lab.made.facts_of(i));
  lab.run(0, 3, usual_level);
  EXPECT_EQ(lab.fleet.find(lab.made.id(0))->standing(MadeFleet::end_of(2)), Standing::kUnknown);
  for (std::size_t i = 0; i < 3; ++i) lab.made.send_dictionary(i);
  lab.run(3, 6, usual_level);
  EXPECT_EQ(lab.fleet.find(lab.made.id(0))->standing(MadeFleet::end_of(5)), Standing::kCompared);
  EXPECT_GE(lab.fleet.counts().judged, 2u);
}

TEST(Fleet, HolesInTheSequenceAreCounted) {
  Lab lab(3);
  lab.made.introduce();
  lab.run(0, 5, usual_level);
  for (std::size_t s = 5; s < 8; ++s) {
    lab.made.send_levels(0, s, usual_level);
    lab.made.send_levels(1, s, usual_level);
    lab.deliver();
  }
  lab.run(8, 10, usual_level);
  EXPECT_EQ(lab.fleet.find(lab.made.id(2))->counts().holes, 3u);
  EXPECT_EQ(lab.fleet.find(lab.made.id(0))->counts().holes, 0u);
}

TEST(Fleet, AHostWhoseClockIsOffIsNotCompared) {
  Lab lab(9);
  lab.made.introduce();
  lab.made.more(3).head.clock_error_us = 1'500'000;
  lab.run(0, kFrom + 20, spliced({3}, kRetransmits, 0.9F));
  EXPECT_EQ(lab.fleet.find(lab.made.id(3))->standing(MadeFleet::end_of(kFrom)),
            Standing::kClockOff);
  EXPECT_THAT(lab.news, IsEmpty());
}

TEST(Fleet, AHostWhoseClockIsALittleOffIsJudgedByArrival) {
  Lab lab(9);
  lab.made.introduce();
  lab.made.more(3).head.clock_error_us = 700'000;
  lab.made.more(3).head.time_ns = -700'000'000;
  lab.run(0, kFrom + 20, spliced({3}, kRetransmits, 0.9F));
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_EQ(lab.of(Told::kOpened)[0].incident.onset_ns, MadeFleet::begin_of(kFrom));
}

TEST(Fleet, MalformedMessagesAndHostsBeyondTheLimitAreRefused) {
  FleetLimits limits;
  limits.hosts = 2;
  Fleet fleet(limits);
  MadeFleet made(3, made_dictionary(), [&](const auto& subject, const auto& payload, auto stored) {
    static_cast<void>(fleet.take({subject, payload, stored}));
  });
  made.introduce();
  EXPECT_EQ(fleet.hosts(), 2u);
  EXPECT_EQ(fleet.counts().refused, 2u);
  const wire::Bytes rubbish{1, 1, 0};
  EXPECT_FALSE(fleet.take({"rv1.lvl.main." + made.id(0), rubbish, kMadeBegin_ns}));
  EXPECT_FALSE(fleet.take({"rv1.lvl.main.somebody", rubbish, kMadeBegin_ns}));
  EXPECT_EQ(fleet.counts().refused, 4u);
}

TEST(GroupKey, IsTheRoleElseTheHardwareBehindTheCluster) {
  wire::Facts facts;
  facts.machine = "x86_64";
  facts.cpus_online = 48;
  EXPECT_EQ(group_key(facts), "hw=x86_64 48 processors");
  facts.groups = {"hw=epyc", "role=train"};
  EXPECT_EQ(group_key(facts), "role=train");
  facts.labels = {{"cluster", "a"}};
  EXPECT_EQ(group_key(facts), "a/role=train");
}

}  // namespace
}  // namespace reveal::peers

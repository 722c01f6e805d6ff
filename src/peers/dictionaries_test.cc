// Hosts that mean something else than their peers, or say what cannot be.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/fleet.h"
#include "peers/testing/lab.h"
#include "peers/unlike_facts.h"

namespace reveal::peers {
namespace {

using testing::SizeIs;

TEST(Dictionaries, AnotherDictionaryForgetsNothing) {
  auto other = made_dictionary();
  other.quantities.insert(other.quantities.begin(),
                          made_quantity("disk_new", "New", "ratio", model::Kind::kGauge,
                                        model::Subsystem::kStorage, 0.01F, 0));
  Lab lab(9);
  lab.made.introduce();
  const auto level = [](std::size_t host, std::size_t quantity, std::size_t second) {
    if (host == 0 && quantity == kCpuPressure) return 0.6F;
    return spliced({0}, kRetransmits, 0.04F)(host, quantity, second);
  };
  lab.run(0, 190, level);
  lab.made.set_dictionary(0, other);
  const auto moved = [&](std::size_t host, std::size_t quantity, std::size_t second) {
    if (host != 0) return level(host, quantity, second);
    return quantity == 0 ? 0.5F : level(host, quantity - 1, second);
  };
  lab.run(190, kFrom + 10, moved);
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  const auto& host = lab.news[0].incident.hosts.at(0);
  EXPECT_EQ(host.name, "n00");
  ASSERT_THAT(host.evidence, SizeIs(1));
  EXPECT_EQ(host.evidence[0].quantity.metric, "network_tcp_retransmit_ratio");
}

// A host of an older version, or one that lies, says what matters to it alone.
TEST(Dictionaries, TheLeastRiseOfOneHostIsNotThatOfOthers) {
  Lab lab(9);
  auto other = made_dictionary();
  other.quantities[kRetransmits].least_rise = 0.5F;
  lab.made.set_dictionary(0, other);
  lab.made.introduce();
  lab.run(0, kFrom + 10, spliced({0, 3}, kRetransmits, 0.04F));
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  ASSERT_THAT(lab.news[0].incident.hosts, SizeIs(1));
  EXPECT_EQ(lab.news[0].incident.hosts[0].name, "n03");
  EXPECT_FLOAT_EQ(static_cast<float>(lab.news[0].incident.hosts[0].evidence.at(0).least_rise),
                  0.01F);
}

// The largest code there is; the sum of three such levels is infinite in an f32.
TEST(Dictionaries, LevelsBeyondAllBoundsMakeNoInfinity) {
  Lab lab(5);
  lab.made.introduce();
  lab.run(0, 220, spliced({2}, kCpuPressure, 3.38e38F, kFrom, kFrom + 10));
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(1));
  const auto& evidence = opened[0].incident.hosts.at(0).evidence.at(0);
  EXPECT_TRUE(std::isfinite(evidence.observed));
  EXPECT_GT(evidence.observed, 1e29);
}

TEST(UnlikeFacts, ManyFactsThatDifferAreNotAllTold) {
  Lab lab(9);
  for (std::size_t i = 0; i < 9; ++i) {
    auto facts = lab.made.facts_of(i);
    for (int fact = 0; fact < 1000; ++fact) {
      facts.facts.push_back({"s", std::to_string(fact), i == 7 ? "odd" : "even"});
    }
    lab.made.send_facts(i, facts);
    lab.made.send_dictionary(i);
  }
  lab.run(0, 220, spliced({7}, kRetransmits, 0.04F));
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_THAT(lab.news[0].incident.hosts[0].facts, SizeIs(kMaxUnlike));
}

}  // namespace
}  // namespace reveal::peers

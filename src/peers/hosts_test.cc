// Hosts that fall silent, come back, mean something else, or send rubbish.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/fleet.h"
#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::SizeIs;

TEST(Hosts, AnOutageOfTheBrokerMakesNobodyForgotten) {
  Lab lab(9);
  lab.made.introduce();
  // One always lies apart: that must not be forgotten either.
  const auto level = [](std::size_t host, std::size_t quantity, std::size_t second) {
    if (host == 0 && quantity == kCpuPressure) return 0.6F;
    return spliced({7}, kRetransmits, 0.04F, 9020, 9060)(host, quantity, second);
  };
  lab.run(0, 200, level);
  // Two and a half hours of nothing.
  lab.run(9000, 9030, level);
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_EQ(lab.news[0].incident.main_host()->name, "n07");
}

TEST(Hosts, OneThatWasAwayForLongIsComparedAtOnce) {
  Lab lab(3);
  lab.made.introduce();
  lab.run(0, 5, usual_level);
  lab.run_without(2, 5, 3700, usual_level);
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(2)), "");
  lab.run(3700, 3703, usual_level);
  EXPECT_EQ(lab.fleet.find(lab.made.id(2))->standing(MadeFleet::end_of(3702)), Standing::kCompared);
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(2)), "role=train");
}

TEST(Hosts, OneThatWasSilentForDaysIsForgotten) {
  FleetLimits limits;
  limits.leave_ns = 10 * kSecond_ns;
  limits.forget_ns = 20 * kSecond_ns;
  Lab lab(3, made_dictionary(), limits);
  lab.made.introduce();
  lab.run(0, 5, usual_level);
  lab.run_without(2, 5, 18, usual_level);
  EXPECT_EQ(lab.fleet.hosts(), 3u);
  lab.run_without(2, 18, 28, usual_level);
  EXPECT_EQ(lab.fleet.hosts(), 2u);
}

TEST(Hosts, RubbishTakesNoPlace) {
  Lab lab(3);
  const wire::Bytes rubbish{1, 1, 0};
  EXPECT_FALSE(lab.fleet.take({"rv1.lvl.main." + lab.made.id(0), rubbish, kMadeBegin_ns}));
  EXPECT_EQ(lab.fleet.hosts(), 0u);
  EXPECT_EQ(lab.fleet.counts().refused, 1u);
  EXPECT_THAT(lab.fleet.last_refused(), testing::HasSubstr(lab.made.id(0)));
}

TEST(Hosts, ThePlaceOfOneThatIsSilentForLongIsTakenByANewOne) {
  FleetLimits limits;
  limits.hosts = 2;
  Lab lab(3, made_dictionary(), limits);
  lab.may_refuse = true;
  lab.made.introduce();
  lab.run_without(2, 0, 3, usual_level);
  lab.made.send_levels(2, 2, usual_level);
  lab.deliver();
  EXPECT_EQ(lab.fleet.find(lab.made.id(2)), nullptr);
  // One of both falls silent.
  for (std::size_t s = 3; s < 3800; ++s) {
    lab.made.send_levels(0, s, usual_level);
    if (s > 3700) lab.made.send_levels(2, s, usual_level);
    lab.deliver();
  }
  EXPECT_NE(lab.fleet.find(lab.made.id(0)), nullptr);
  EXPECT_EQ(lab.fleet.find(lab.made.id(1)), nullptr);
  EXPECT_NE(lab.fleet.find(lab.made.id(2)), nullptr);
}

TEST(Hosts, FactsThatAreToldAgainAreNoNews) {
  Lab lab(1);
  lab.made.introduce();
  lab.deliver();
  EXPECT_THAT(lab.fleet.take_facts(), SizeIs(1));
  lab.made.introduce();
  lab.deliver();
  const auto again = lab.fleet.take_facts();
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_FALSE(again[0].is_new);
  auto facts = lab.made.facts_of(0);
  facts.kernel = "6.2.0";
  lab.made.send_facts(0, facts);
  lab.deliver();
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_TRUE(lab.fleet.take_facts().at(0).is_new);
}

}  // namespace
}  // namespace reveal::peers

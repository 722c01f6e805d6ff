// An analyser that begins anew while incidents are open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/fleet.h"
#include "peers/json.h"
#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::SizeIs;

// Returns the incident as a file has it once this one was told.
Incident kept(const News& news) {
  auto out = read_incident(json_of(news));
  EXPECT_TRUE(out) << out.error().message();
  return out ? *out : Incident();
}

class Restarted : public testing::Test {
 protected:
  // Runs a fleet until the incident is open, and another analyser from there on, which has seen
  // nothing of before.
  void restart(const MadeFleet::Level& level, std::size_t until) {
    Lab before(9);
    before.made.introduce();
    before.run(0, kFrom + 20, level);
    const auto opened = before.of(Told::kOpened);
    ASSERT_THAT(opened, SizeIs(1));
    told = kept(before.news.back());
    lab.fleet.resume({told});
    lab.made.introduce();
    lab.run(kFrom + 20, until, level);
  }

  Incident told;
  Lab lab{9};
};

TEST_F(Restarted, AnIncidentThatGoesOnKeepsItsIdAndIsNotOpenedAgain) {
  restart(spliced({7}, kRetransmits, 0.04F, kFrom, kFrom + 100), kFrom + 60);
  EXPECT_THAT(lab.news, IsEmpty());
  EXPECT_THAT(lab.fleet.open_incidents(), testing::ElementsAre(told.id));
  lab.fleet.end_resume();
  lab.run(kFrom + 60, kFrom + 120, spliced({7}, kRetransmits, 0.04F, kFrom, kFrom + 100));
  ASSERT_THAT(lab.news, SizeIs(1));
  EXPECT_EQ(lab.news[0].told, Told::kClosed);
  EXPECT_EQ(lab.news[0].incident.id, told.id);
  EXPECT_EQ(lab.news[0].incident.revision, told.revision + 1);
  EXPECT_EQ(lab.news[0].incident.onset_ns, told.onset_ns);
  // Of the last five windows of three seconds, three lie beyond the limit until then.
  EXPECT_EQ(lab.news[0].incident.end_ns, MadeFleet::begin_of(kFrom + 104));
}

TEST_F(Restarted, OneOfAllGoesOnToo) {
  restart(spliced({0, 1, 2, 3, 4, 5, 6, 7, 8}, kCpuPressure, 0.6F, kFrom, kFrom + 100), kFrom + 60);
  EXPECT_TRUE(told.is_of_all);
  EXPECT_THAT(lab.news, IsEmpty());
  EXPECT_THAT(lab.fleet.open_incidents(), testing::ElementsAre(told.id));
}

TEST_F(Restarted, OneThatEndedMeanwhileIsNotOpen) {
  restart(spliced({7}, kRetransmits, 0.04F, kFrom, kFrom + 20), kFrom + 60);
  EXPECT_THAT(lab.news, IsEmpty());
  EXPECT_THAT(lab.fleet.open_incidents(), IsEmpty());
  // What the host has later is an incident of its own.
  lab.fleet.end_resume();
  lab.run(kFrom + 60, kFrom + 80, spliced({7}, kRetransmits, 0.04F, kFrom + 70, kFrom + 80));
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_NE(lab.news[0].incident.id, told.id);
}

TEST(IncidentJson, IsReadAsItWasWritten) {
  Lab lab(9);
  lab.made.introduce();
  const auto loses = spliced({2}, kRetransmits, 0.05F);
  lab.run(0, 230, [&](std::size_t host, std::size_t quantity, std::size_t second) {
    const bool waits = host == 5 && quantity == kCpuPressure && second >= kFrom + 4;
    return waits ? 0.7F : loses(host, quantity, second);
  });
  ASSERT_FALSE(lab.news.empty());
  const auto& news = lab.news.back();
  EXPECT_EQ(json_of({news.told, kept(news)}), json_of(news));
  for (const auto* text : {"", "{", "[]", "{\"id\":7}"}) {
    EXPECT_FALSE(read_incident(text)) << text;
  }
}

}  // namespace
}  // namespace reveal::peers

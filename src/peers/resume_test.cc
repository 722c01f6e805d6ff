// An analyser that begins anew while incidents are open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/fleet.h"
#include "peers/json.h"
#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

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
  lab.fleet.incidents().give_up(told.group);
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
  lab.fleet.incidents().give_up(told.group);
  lab.run(kFrom + 60, kFrom + 80, spliced({7}, kRetransmits, 0.04F, kFrom + 70, kFrom + 80));
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_NE(lab.news[0].incident.id, told.id);
}

// Who begins reads what the broker kept: by that it accuses nobody, but sees how the rise ended.
class Replayed : public testing::Test {
 protected:
  // Has the incident told by one that sees it begin, and lets another read all from the begin on,
  // late, as far as `until`.
  void replay(const MadeFleet::Level& level, std::size_t until) {
    Lab before(9);
    before.made.introduce();
    before.run(0, kFrom + 20, level);
    ASSERT_THAT(before.of(Told::kOpened), SizeIs(1));
    told = kept(before.news.back());
    lab.is_late = true;
    lab.made.introduce();
    lab.run(0, until, level);
  }
  void resume() { lab.fleet.resume({told}); }
  void expect_closed_at(std::int64_t end_ns) {
    ASSERT_THAT(lab.news, SizeIs(1));
    EXPECT_EQ(lab.news[0].told, Told::kClosed);
    const auto& incident = lab.news[0].incident;
    EXPECT_EQ(incident.id, told.id);
    EXPECT_EQ(incident.revision, told.revision + 1);
    EXPECT_FALSE(incident.is_open);
    EXPECT_EQ(incident.onset_ns, told.onset_ns);
    EXPECT_EQ(incident.end_ns, end_ns);
    for (const auto& host : incident.hosts) EXPECT_TRUE(host.has_recovered());
    EXPECT_THAT(lab.fleet.incidents().give_up(told.group), IsEmpty());
  }

  // The same end as that of an analyser that sees it (above).
  static constexpr std::size_t kEnd = kFrom + 30;
  const MadeFleet::Level loses = spliced({7}, kRetransmits, 0.04F, kFrom, kEnd);
  static std::int64_t end_ns() { return MadeFleet::begin_of(kEnd + 4); }

  Incident told;
  Lab lab{9};
};

TEST_F(Replayed, OneWhoseEndIsInWhatWasKeptIsClosedWithThatEnd) {
  replay(loses, kFrom + 20);
  resume();
  lab.run(kFrom + 20, kEnd + 13, loses);
  EXPECT_THAT(lab.news, IsEmpty());
  lab.run(kEnd + 13, kEnd + 14, loses);
  expect_closed_at(end_ns());
}

// Another one told it while this one read; it is known here once this one takes over.
TEST_F(Replayed, OneThatEndedLongAgoIsClosedAtOnce) {
  replay(loses, kEnd + 100);
  lab.is_late = false;
  resume();
  lab.run(kEnd + 100, kEnd + 101, loses);
  expect_closed_at(end_ns());
}

TEST_F(Replayed, OneThatGoesOnIsNotClosed) {
  const auto lasts = spliced({7}, kRetransmits, 0.04F, kFrom, kFrom + 200);
  replay(lasts, kFrom + 60);
  resume();
  lab.run(kFrom + 60, kFrom + 90, lasts);
  EXPECT_THAT(lab.news, IsEmpty());
  lab.is_late = false;
  lab.run(kFrom + 90, kFrom + 100, lasts);
  EXPECT_THAT(lab.news, IsEmpty());
  EXPECT_THAT(lab.fleet.open_incidents(), testing::ElementsAre(told.id));
}

TEST_F(Replayed, OneWhoseRiseWasNotSeenIsLeft) {
  replay(loses, kFrom);
  resume();
  lab.run(kEnd + 10, kEnd + 60, loses);
  EXPECT_THAT(lab.news, IsEmpty());
  EXPECT_THAT(lab.fleet.incidents().give_up(told.group), SizeIs(1));
}

TEST_F(Replayed, OneWhoseHostIsSilentIsLeft) {
  replay(loses, kEnd + 5);
  resume();
  lab.run_without(7, kEnd + 5, kEnd + 60, loses);
  EXPECT_THAT(lab.news, IsEmpty());
  EXPECT_THAT(lab.fleet.incidents().give_up(told.group), SizeIs(1));
}

TEST_F(Replayed, OneOfTwoHostsEndsWithTheLast) {
  const auto both = [](std::size_t host, std::size_t quantity, std::size_t second) {
    const auto to = host == 5 ? kEnd + 20 : kEnd;
    return spliced({5, 7}, kRetransmits, 0.04F, kFrom, to)(host, quantity, second);
  };
  replay(both, kEnd + 33);
  ASSERT_THAT(told.hosts, SizeIs(2));
  resume();
  lab.run(kEnd + 33, kEnd + 34, both);
  expect_closed_at(MadeFleet::begin_of(kEnd + 24));
}

TEST_F(Replayed, OneOfAllIsClosedToo) {
  const auto all = spliced({0, 1, 2, 3, 4, 5, 6, 7, 8}, kCpuPressure, 0.6F, kFrom, kEnd);
  replay(all, kEnd + 60);
  EXPECT_TRUE(told.is_of_all);
  resume();
  lab.run(kEnd + 60, kEnd + 61, all);
  expect_closed_at(end_ns());
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

// Another analyser has told the same incident, under another id and of a second before.
TEST(GoneOn, AsTheOneThatWasTold) {
  Lab lab(9);
  lab.made.introduce();
  const auto level = spliced({7}, kRetransmits, 0.04F, kFrom, kFrom + 100);
  lab.run(0, kFrom + 20, level);
  ASSERT_THAT(lab.news, SizeIs(1));
  const auto own = lab.news[0].incident;
  auto told = kept(lab.news[0]);
  told.id = "00000000000000ab";
  told.onset_ns -= kSecond_ns;
  EXPECT_THAT(lab.fleet.incidents().open_of(own.group), SizeIs(1));
  EXPECT_THAT(lab.fleet.incidents().open_of("role=serve"), IsEmpty());
  lab.fleet.incidents().go_on_as(own.id, told);
  EXPECT_THAT(lab.fleet.open_incidents(), testing::ElementsAre(told.id));
  lab.run(kFrom + 20, kFrom + 120, level);
  ASSERT_THAT(lab.news, SizeIs(2));
  EXPECT_EQ(lab.news[1].told, Told::kClosed);
  EXPECT_EQ(lab.news[1].incident.id, told.id);
  EXPECT_EQ(lab.news[1].incident.onset_ns, told.onset_ns);
  EXPECT_EQ(lab.news[1].incident.revision, 2u);
}

// What is new since then is told, in the order of what was told.
TEST(GoneOn, TellsWhatTheOtherDidNotTell) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, kFrom + 20, spliced({7}, kRetransmits, 0.04F, kFrom, kFrom + 100));
  ASSERT_THAT(lab.news, SizeIs(1));
  auto told = kept(lab.news[0]);
  told.revision = 5;
  told.is_open = false;
  lab.fleet.incidents().go_on_as(told.id, told);
  const auto more = lab.fleet.take_news();
  ASSERT_THAT(more, SizeIs(1));
  EXPECT_EQ(more[0].told, Told::kUpdated);
  EXPECT_EQ(more[0].incident.revision, 6u);
  EXPECT_TRUE(more[0].incident.is_open);
}

TEST(Dropped, IsNotTold) {
  Lab lab(9);
  lab.made.introduce();
  const auto level = spliced({7}, kRetransmits, 0.04F, kFrom, kFrom + 40);
  lab.run(0, kFrom + 43, level);
  ASSERT_THAT(lab.news, SizeIs(1));
  lab.fleet.incidents().drop(lab.news[0].incident.id);
  lab.run(kFrom + 44, kFrom + 80, level);
  EXPECT_THAT(lab.news, SizeIs(1));
  EXPECT_THAT(lab.fleet.open_incidents(), IsEmpty());
}

// Programs that were alerted know it by that, whoever goes on with it.
TEST(GoneOn, UnderTheNameThatItIsKnownBy) {
  Lab lab(9);
  lab.made.introduce();
  const auto level = spliced({7}, kRetransmits, 0.04F, kFrom, kFrom + 100);
  lab.run(0, kFrom + 20, level);
  ASSERT_THAT(lab.news, SizeIs(1));
  const auto id = lab.news[0].incident.id;
  EXPECT_FALSE(kept(lab.news[0]).known_as);
  const auto name = name_of(lab.news[0].incident, MadeFleet::end_of(kFrom + 19));
  EXPECT_EQ(name.scope, "peer");
  EXPECT_EQ(name.host, "n07");
  EXPECT_EQ(name.subsystem, "network");
  lab.fleet.incidents().call(id, name);
  lab.fleet.incidents().call("another", name);
  lab.run(kFrom + 20, kFrom + 21, level);
  ASSERT_THAT(lab.news, SizeIs(2));
  EXPECT_EQ(lab.news[1].told, Told::kUpdated);
  const auto told = kept(lab.news[1]);
  EXPECT_EQ(told.revision, 2u);
  EXPECT_EQ(told.known_as, name);

  Lab other(9);
  other.made.introduce();
  other.run(0, kFrom + 21, level);
  ASSERT_THAT(other.news, SizeIs(1));
  other.fleet.incidents().go_on_as(id, told);
  other.run(kFrom + 21, kFrom + 120, level);
  ASSERT_THAT(other.news, SizeIs(2));
  EXPECT_EQ(other.news[1].incident.known_as, name);
  EXPECT_EQ(other.news[1].incident.revision, 3u);
}

TEST_F(Restarted, ALaterRevisionTakesThePlaceOfAnEarlierOne) {
  restart(spliced({7}, kRetransmits, 0.04F, kFrom, kFrom + 20), kFrom + 21);
  auto later = told;
  later.revision = told.revision + 3;
  lab.fleet.resume({later});
  lab.fleet.resume({told});
  const auto left = lab.fleet.incidents().give_up(told.group);
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0].revision, later.revision);
}

TEST(IncidentName, IsOfTheFleetIfManyHostsAreSlow) {
  Incident incident;
  for (const auto* host : {"a", "b", "c"}) {
    EXPECT_EQ(name_of(incident, 0).scope, "peer");
    SlowHost slow;
    slow.id = slow.name = host;
    incident.hosts.push_back(slow);
  }
  EXPECT_EQ(name_of(incident, 7), (KnownAs{7, "fleet", "a", "unknown", ""}));
}

}  // namespace
}  // namespace reveal::peers

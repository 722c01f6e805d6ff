#include "analyser/loop.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/testing/fake_bus.h"
#include "peers/json.h"
#include "peers/testing/made_fleet.h"

namespace reveal::analyser {
namespace {

using peers::kSecond_ns;
using peers::MadeFleet;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A made fleet, a broker in memory for each kind of message, and a steady clock of its own.
class Analysis : public testing::Test {
 protected:
  static constexpr std::size_t kHosts = 4;

  void SetUp() override { start(); }
  void start(std::vector<peers::Incident> open = {}) {
    loop.reset();
    AnalyserOutput output;
    output.incident = [this](const peers::News& one) {
      news.push_back(one);
      return base::Result<void>();
    };
    output.notice = [this](std::string_view line) { notices.emplace_back(line); };
    loop = std::make_unique<Loop>(Loop::Subscribers{std::make_unique<bus::FakeSubscriber>(facts),
                                                    std::make_unique<bus::FakeSubscriber>(events),
                                                    std::make_unique<bus::FakeSubscriber>(levels)},
                                  std::nullopt, std::move(output), [this] { return steady_ns; });
    loop->resume(std::move(open));
  }
  void take(const std::string& subject, const wire::Bytes& payload, std::int64_t stored_ns) {
    auto& broker = subject.find(".lvl.") != std::string::npos ? levels : facts;
    broker.kept.push_back({subject, payload, broker.kept.size() + 1, stored_ns, 0});
  }
  void round() { ASSERT_TRUE(loop->round()); }
  // Makes seconds from..to - 1 as they come.
  void run(std::size_t from, std::size_t to, const MadeFleet::Level& level) {
    for (std::size_t s = from; s < to; ++s) {
      made.send_second(s, level);
      steady_ns += kSecond_ns;
      round();
    }
  }
  static MadeFleet::Level slow(std::size_t slow_host, std::size_t from, std::size_t to) {
    return [=](std::size_t host, std::size_t quantity, std::size_t second) {
      const bool is_it = host == slow_host && quantity == peers::kRetransmits && second >= from;
      return is_it && second < to ? 0.04F : peers::usual_level(host, quantity, second);
    };
  }

  bus::FakeBroker facts;
  bus::FakeBroker events;
  bus::FakeBroker levels;
  MadeFleet made{kHosts, peers::made_dictionary(),
                 [this](const auto& subject, const auto& payload, std::int64_t stored_ns) {
                   take(subject, payload, stored_ns);
                 }};
  std::int64_t steady_ns = 77 * kSecond_ns;
  std::unique_ptr<Loop> loop;
  std::vector<peers::News> news;
  std::vector<std::string> notices;
};

TEST_F(Analysis, NamesTheSlowHostWhateverTheClockOfThisMachine) {
  made.introduce();
  run(0, 220, slow(2, 200, 260));
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].incident.main_host()->name, "n02");
}

// The last host tells a second a quarter of a second after its end.
TEST_F(Analysis, TellsHowLongAfterTheirEndSecondsAreJudged) {
  made.introduce();
  run(0, 10, peers::usual_level);
  const auto& after_s = loop->judged_after_s();
  const auto in_time = after_s.counts().at(0);
  EXPECT_GE(in_time, 9 * kHosts);
  EXPECT_NEAR(after_s.sum(), 0.25 * static_cast<double>(in_time), 0.01);
  made.send_second(10, peers::usual_level);
  steady_ns += 13 * kSecond_ns / 4;
  round();
  // This one came 2.25 s later than the others: it is between 2 and 3 s.
  EXPECT_EQ(after_s.counts().at(0), in_time);
  EXPECT_EQ(after_s.counts().at(4), kHosts);
}

// A pause of the messages is no time that passes at the speed of another clock.
TEST_F(Analysis, IdleTimeIsTheBrokers) {
  made.introduce();
  run(0, 10, peers::usual_level);
  const auto judged = loop->fleet().counts().judged;
  for (int i = 0; i < 20; ++i) {
    steady_ns += kSecond_ns / 10;
    round();
  }
  // The last second, and nothing beyond it.
  EXPECT_LE(loop->fleet().counts().judged, judged + 1);
  EXPECT_EQ(loop->fleet().find(made.id(0))->standing(MadeFleet::end_of(11)),
            peers::Standing::kCompared);
  run(12, 14, peers::usual_level);
  EXPECT_GT(loop->fleet().counts().judged, judged + 1);
}

TEST_F(Analysis, AnAbsentBrokerIsNoTimeOfTheFleet) {
  made.introduce();
  run(0, 200, peers::usual_level);
  levels.is_away = true;
  for (int i = 0; i < 500; ++i) {
    steady_ns += 10 * kSecond_ns;
    round();
  }
  EXPECT_THAT(notices, Contains(HasSubstr("no messages: the broker is away")));
  levels.is_away = false;
  run(5200, 5220, slow(1, 5205, 5300));
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].incident.main_host()->name, "n01");
}

// Of what is behind nobody is accused.
TEST_F(Analysis, WhileItCatchesUpNobodyIsAccused) {
  made.introduce();
  for (std::size_t s = 0; s < 600; ++s) made.send_second(s, slow(2, 200, 300));
  for (int i = 0; i < 10; ++i) round();
  EXPECT_THAT(news, IsEmpty());
  EXPECT_GT(loop->fleet().counts().uncertain, 500u);
  run(600, 620, slow(3, 605, 700));
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].incident.main_host()->name, "n03");
}

// As of 10,000 hosts: some facts come within each half second.
TEST_F(Analysis, FactsThatNeverEndKeepNoLevelsWaiting) {
  made.introduce();
  for (std::size_t s = 0; s < 5; ++s) {
    made.introduce();
    made.send_second(s, peers::usual_level);
    steady_ns += kSecond_ns;
    round();
  }
  EXPECT_GT(loop->fleet().counts().judged, 0u);
}

TEST_F(Analysis, SoManyFactsAtTheBeginAreReadForABoundedTime) {
  const auto many = 3 * bus::Subscriber::kMaxAtOnce;
  for (std::size_t i = 0; i < many; ++i) made.send_facts(0, made.facts_of(0));
  made.send_second(0, peers::usual_level);
  round();
  EXPECT_EQ(loop->fleet().find(made.id(1)), nullptr);
  steady_ns += Loop::kLongestFacts_ns + kSecond_ns;
  round();
  EXPECT_NE(loop->fleet().find(made.id(1)), nullptr);
}

TEST_F(Analysis, RefusedMessagesAreToldOnceAMinute) {
  made.introduce();
  run(0, 3, peers::usual_level);
  for (int i = 0; i < 90; ++i) {
    take("rv1.lvl.main." + made.id(0), {1, 2, 3}, MadeFleet::end_of(2));
    steady_ns += kSecond_ns;
    round();
  }
  std::vector<std::string> refused;
  for (const auto& one : notices) {
    if (one.find("refused") != std::string::npos) refused.push_back(one);
  }
  ASSERT_THAT(refused, SizeIs(2));
  EXPECT_THAT(refused[0], HasSubstr("1 message was refused, the last one of rv1.lvl.main."));
  EXPECT_THAT(refused[1], HasSubstr("60 messages were refused"));
}

TEST_F(Analysis, AnIncidentThatGoesOnOverARestartIsNotOpenedTwice) {
  made.introduce();
  run(0, 220, slow(2, 200, 300));
  ASSERT_THAT(news, SizeIs(1));
  const auto kept = peers::read_incident(peers::json_of(news[0]));
  ASSERT_TRUE(kept);
  // The broker has nothing of before.
  levels.kept.clear();
  start({*kept});
  run(220, 290, slow(2, 200, 300));
  EXPECT_THAT(news, SizeIs(1));
  run(290, 330, slow(2, 200, 300));
  ASSERT_THAT(news, SizeIs(2));
  EXPECT_EQ(news[1].told, peers::Told::kClosed);
  EXPECT_EQ(news[1].incident.id, news[0].incident.id);
  EXPECT_EQ(news[1].incident.revision, 2u);
}

}  // namespace
}  // namespace reveal::analyser

// What is published of a made fleet, and asked of it besides.
#include "analyser/published_fleet.h"

#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/testing/fake_bus.h"
#include "fleet_site/mark.h"
#include "peers/testing/made_fleet.h"

namespace reveal::analyser {
namespace {

using fleet_site::RunState;
using peers::kSecond_ns;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class Published : public testing::Test {
 protected:
  static constexpr std::size_t kHosts = 5;

  Published() {
    AnalyserOutput output;
    output.incident = [](const peers::News&) { return base::Result<void>(); };
    output.notice = [](std::string_view) {};
    output.seen = [this](const peers::News& news) { published.take(news); };
    loop = std::make_unique<Loop>(Loop::Subscribers{std::make_unique<bus::FakeSubscriber>(facts),
                                                    std::make_unique<bus::FakeSubscriber>(events),
                                                    std::make_unique<bus::FakeSubscriber>(levels)},
                                  std::nullopt, std::move(output), [this] { return steady_ns; });
    loop->fleet().keep_levels(1 << 20);
  }
  void run(std::size_t from, std::size_t to, const peers::MadeFleet::Level& level) {
    for (std::size_t s = from; s < to; ++s) {
      made.send_second(s, level);
      steady_ns += kSecond_ns;
      ASSERT_TRUE(loop->round());
    }
  }

  bus::FakeBroker facts;
  bus::FakeBroker events;
  bus::FakeBroker levels;
  peers::MadeFleet made{
      kHosts, peers::made_dictionary(),
      [this](const auto& subject, const auto& payload, std::int64_t stored_ns) {
        auto& broker = subject.find(".lvl.") != std::string::npos ? levels : facts;
        broker.kept.push_back({subject, payload, broker.kept.size() + 1, stored_ns, 0});
      }};
  std::int64_t steady_ns = 77 * kSecond_ns;
  PublishedFleet published{"n01", "/var/lib/reveal/fleet.db"};
  std::unique_ptr<Loop> loop;
};

TEST_F(Published, BeginsWithoutKnowingAnything) {
  const auto state = published.state_of(*loop);
  EXPECT_EQ(state->state, RunState::kStarting);
  EXPECT_FALSE(state->reason.empty());
  EXPECT_EQ(state->host, "n01");
  EXPECT_EQ(state->database.kind, "sqlite");
  EXPECT_FALSE(state->wall_ns);
  EXPECT_THAT(state->groups, SizeIs(0));
  EXPECT_THAT(state->receivers, SizeIs(0));
  EXPECT_FALSE(state->questions);
}

TEST_F(Published, HasReceiversAndQuestions) {
  alert::ReceiverStatus oncall;
  oncall.name = "oncall";
  oncall.sent = 3;
  oncall.failed = 2;
  oncall.dropped = 1;
  oncall.queue = 4;
  oncall.last_success_ns = 5;
  const auto state = published.state_of(
      *loop, {.receivers = {oncall},
              .asked = relay::AskedCounts{.answered = 6, .away = 7, .failed = 8, .bytes = 9}});
  ASSERT_THAT(state->receivers, SizeIs(1));
  const auto& one = state->receivers[0];
  EXPECT_EQ(one.name, "oncall");
  EXPECT_EQ(one.sent, 3u);
  EXPECT_EQ(one.failed, 2u);
  EXPECT_EQ(one.dropped, 1u);
  EXPECT_EQ(one.queued, 4u);
  EXPECT_EQ(one.last_success_wall_ns, 5);
  ASSERT_TRUE(state->questions);
  EXPECT_EQ(state->questions->answered, 6u);
  EXPECT_EQ(state->questions->away, 7u);
  EXPECT_EQ(state->questions->failed, 8u);
  EXPECT_EQ(state->questions->bytes, 9u);
}

TEST_F(Published, SaysThatNoMessagesCome) {
  facts.is_away = true;
  ASSERT_TRUE(loop->round());
  const auto state = published.state_of(*loop);
  EXPECT_EQ(state->state, RunState::kNoBroker);
  EXPECT_THAT(state->reason, HasSubstr("is away"));
}

TEST_F(Published, HasTheSlowHostItsMarkAndItsIncident) {
  made.introduce();
  run(0, 150, [](std::size_t host, std::size_t quantity, std::size_t second) {
    const bool is_it = host == 2 && quantity == peers::kRetransmits && second >= 140;
    return is_it ? 0.04F : peers::usual_level(host, quantity, second);
  });
  const auto state = published.state_of(*loop);
  EXPECT_EQ(state->state, RunState::kJudging);
  EXPECT_EQ(state->hosts, kHosts);
  EXPECT_EQ(state->standings.at(static_cast<std::size_t>(peers::Standing::kCompared)), kHosts);
  ASSERT_THAT(state->groups, SizeIs(1));
  const auto& group = state->groups[0];
  EXPECT_EQ(group.key, "role=train");
  EXPECT_EQ(group.present, kHosts);
  EXPECT_TRUE(group.is_certain);
  EXPECT_TRUE(group.is_judged_here);
  EXPECT_EQ(group.slow, 1U);
  EXPECT_EQ(group.incidents_open, 1U);
  EXPECT_EQ(group.quantities, peers::kMadeQuantities);
  ASSERT_THAT(group.marks, SizeIs(kHosts));
  for (std::size_t i = 0; i < kHosts; ++i) {
    EXPECT_EQ(group.hosts->ids[i], made.id(i));
    EXPECT_EQ(group.hosts->names[i], made.name(i));
    EXPECT_EQ(group.marks[i] == fleet_site::kSlowMark, i == 2) << i;
    EXPECT_NE(group.marks[i], fleet_site::kNotCompared);
  }
  ASSERT_THAT(*state->incidents, SizeIs(1));
  EXPECT_TRUE(state->incidents->front()->is_open);
  EXPECT_THAT(state->incidents->front()->hosts, ElementsAre(made.id(2)));
  // What stays is not made again.
  const auto next = published.state_of(*loop);
  EXPECT_EQ(next->groups[0].hosts, group.hosts);
  EXPECT_EQ(next->incidents, state->incidents);
  EXPECT_EQ(next->process.published, 1U);
}

TEST_F(Published, AHostThatIsSilentIsNotCompared) {
  made.introduce();
  run(0, 10, peers::usual_level);
  const auto before = published.state_of(*loop);
  for (std::size_t s = 10; s < 20; ++s) {
    for (std::size_t i = 1; i < kHosts; ++i) made.send_levels(i, s, peers::usual_level);
    steady_ns += kSecond_ns;
    ASSERT_TRUE(loop->round());
  }
  const auto state = published.state_of(*loop);
  EXPECT_EQ(state->groups[0].marks[0], fleet_site::kNotCompared);
  EXPECT_NE(state->groups[0].marks[1], fleet_site::kNotCompared);
  EXPECT_EQ(state->groups[0].hosts->standings[0], peers::Standing::kSilent);
  EXPECT_NE(state->groups[0].hosts, before->groups[0].hosts);
}

TEST_F(Published, AHostHasItsDetail) {
  made.introduce();
  auto facts_of_one = made.facts_of(1);
  facts_of_one.kernel = "6.2.0";
  made.send_facts(1, facts_of_one);
  run(0, 10, peers::usual_level);
  const auto detail = detail_of(loop->fleet(), made.id(1), loop->situation().time_ns);
  ASSERT_TRUE(detail);
  EXPECT_EQ(detail->group, "role=train");
  EXPECT_EQ(detail->standing, peers::Standing::kCompared);
  EXPECT_EQ(detail->facts->kernel, "6.2.0");
  EXPECT_EQ(detail->counts.levels, 10U);
  ASSERT_THAT(detail->unlike, SizeIs(1));
  EXPECT_EQ(detail->unlike[0].observed, "6.2.0");
  EXPECT_FALSE(detail_of(loop->fleet(), "no such", 0));
}

TEST(KindOfDatabase, IsSaidByItsName) {
  EXPECT_EQ(kind_of_database(""), "none");
  EXPECT_EQ(kind_of_database("fleet.db"), "sqlite");
  EXPECT_EQ(kind_of_database("postgresql://a@b/c"), "postgresql");
  EXPECT_EQ(kind_of_database("postgres://a@b/c"), "postgresql");
}

}  // namespace
}  // namespace reveal::analyser

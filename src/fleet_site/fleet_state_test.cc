#include "fleet_site/fleet_state.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fleet_site/mark.h"
#include "fleet_site/run_incidents.h"
#include "fleet_site/testing/made_fleet_state.h"
#include "peers/json.h"

namespace reveal::fleet_site {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(NameOfGroup, IsWhatItsKeySays) {
  const auto expect = [](std::string_view key, std::string_view kind, std::string_view name) {
    EXPECT_EQ(name_of_group(key).kind, kind) << key;
    EXPECT_EQ(name_of_group(key).name, name) << key;
  };
  expect("role=train", "role", "role train");
  expect("a/role=train", "role", "role train, cluster a");
  expect("job=4711", "job", "job 4711");
  expect("hw=x86_64 48 processors", "hardware", "x86_64 48 processors");
  expect("a/b/hw=EPYC/2", "hardware", "EPYC/2, cluster a/b");
  expect("role=a/role=b", "role", "role a/role=b");
  expect("else", "other", "else");
}

TEST(Mark, TellsHowFarAHostLiesFromItsPeers) {
  EXPECT_EQ(mark_of(0), kLeastMark);
  EXPECT_EQ(mark_of(-1), kLeastMark);
  EXPECT_EQ(mark_of(std::nan("")), kLeastMark);
  EXPECT_EQ(mark_of(1), kAtLimit);
  EXPECT_EQ(mark_of(2), kAtLimit + 24);
  EXPECT_EQ(mark_of(0.5), kAtLimit - 24);
  EXPECT_EQ(mark_of(1e300), kMostMark);
  EXPECT_EQ(mark_of(1e-300), kLeastMark);
  for (double distance = 0.03; distance < 37; distance *= 1.1) {
    EXPECT_NEAR(distance_of(mark_of(distance)) / distance, 1, 0.0146);
  }
}

TEST(FleetState, AGroupIsFoundByItsKey) {
  const auto state = made_fleet_state();
  EXPECT_EQ(find_group(state, "role=train"), &state.groups[1]);
  EXPECT_EQ(find_group(state, "role=trai"), nullptr);
  EXPECT_EQ(find_group(state, "z"), nullptr);
}

TEST(RunIncidents, HaveTheNewestOfEach) {
  RunIncidents all;
  const auto empty = all.list();
  EXPECT_THAT(*empty, SizeIs(0));
  EXPECT_EQ(all.list(), empty);
  all.take(made_news(1, peers::Told::kOpened));
  all.take(made_news(2, peers::Told::kOpened));
  all.take(made_news(2, peers::Told::kUpdated, 2));
  const auto list = all.list();
  ASSERT_THAT(*list, SizeIs(2));
  EXPECT_EQ((*list)[0]->revision, 2U);
  EXPECT_EQ((*list)[0]->told, "updated");
  EXPECT_EQ((*list)[1]->id, "0000000000000011");
  // Who takes a group over tells again what is known.
  all.take(made_news(2, peers::Told::kUpdated, 2));
  EXPECT_EQ(all.list(), list);
}

TEST(RunIncidents, ForgetWhoseEndAnotherHasTold) {
  RunIncidents all;
  all.take(made_news(1, peers::Told::kOpened));
  all.take(made_news(2, peers::Told::kClosed, 3));
  all.keep_open({"0000000000000011"});
  EXPECT_THAT(*all.list(), SizeIs(2));
  all.keep_open({});
  ASSERT_THAT(*all.list(), SizeIs(1));
  EXPECT_EQ(all.list()->front()->id, "0000000000000012");
}

TEST(RunIncidents, AreBounded) {
  RunIncidents all;
  for (std::size_t i = 0; i < RunIncidents::kMostOver + 5; ++i) {
    all.take(made_news(1'000 + i, peers::Told::kClosed, 2));
  }
  EXPECT_THAT(*all.list(), SizeIs(RunIncidents::kMostOver));
  EXPECT_EQ(all.list()->back()->onset_ns, made_news(1'005, peers::Told::kClosed).incident.onset_ns);
}

// A database may say of one that it is over which was open when it was told of last.
TEST(ShownIncident, ThatEndedWhileNobodyLookedIsOver) {
  const auto one = shown(peers::json_of(made_news(1, peers::Told::kUpdated, 2)), false);
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->is_open);
  EXPECT_THAT(one->json, testing::HasSubstr("\"open\":false"));
  EXPECT_THAT(one->json, testing::HasSubstr("\"told\":\"closed\""));
  EXPECT_THAT(one->sentence, testing::HasSubstr("n1 is slow"));
  EXPECT_THAT(one->hosts, ElementsAre(peers::made_id(1)));
  EXPECT_FALSE(shown("{", true));
}

}  // namespace
}  // namespace reveal::fleet_site

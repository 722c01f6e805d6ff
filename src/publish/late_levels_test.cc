// A made host whose broker goes away and comes back, second by second of made time: what a reader
// of the broker has in the end.
#include "publish/late_levels.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "bus/testing/fake_bus.h"
#include "fleet/testing/made_host.h"
#include "publish/host_publisher.h"
#include "publish/testing/tape.h"
#include "wire/subject.h"

namespace reveal::publish {
namespace {

using fleet::kMadeBegin_ns;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
const std::string kHost = "abcdefghijklmnopqrstuvwxyz";

// A second as a reader has it.
struct Told {
  wire::LevelsHead head;
  std::map<std::string, float> levels;  // by metric
};

class Away : public testing::Test {
 protected:
  Away() : made(fleet::made_grid(0)) {
    made.facts.host = "node-7";
    made.facts.boot_id = "boot";
    made.facts.start_wall_ns = kMadeBegin_ns;
    made.also_to = &tape;
    load = made.add("load");
    start();
  }

  // A judge begins, or another one in its place.
  void start() {
    publisher.reset();
    sent = is_slow ? std::make_unique<SlowPublisher>(broker)
                   : std::make_unique<bus::FakePublisher>(broker);
    stream.emplace(now_ns());
    ASSERT_TRUE(stream->begin(made.facts));
    tape.to = &*stream;
    publisher.emplace(
        HostPublisherOptions{
            .host = kHost,
            .labels = {.site = "main", .role = "trainer", .labels = {}},
            .events_file = dir.path() / "events",
            .owed_file = dir.path() / "owed",
            .open_past = [this](auto from_ns, auto to_ns) { return tape.open(from_ns, to_ns); }},
        *sent);
  }
  // It ends, without a word if it is killed; the recorder goes on.
  void stop(bool is_killed) {
    if (!is_killed) publisher->save();
    publisher.reset();
    tape.to = nullptr;
  }
  std::int64_t now_ns() const {
    return kMadeBegin_ns + static_cast<std::int64_t>(made.next) * kSecond_ns;
  }
  // Lets so many seconds pass.
  void pass(int seconds) {
    for (int s = 0; s < seconds; ++s) {
      made.set(load, level_of(made.next));
      made.tick();
      if (!publisher) continue;
      const auto before = count_late();
      for (const auto& bucket : stream->take()) {
        publisher->tell_levels(*stream, bucket, std::nullopt, now_ns());
      }
      publisher->round(*stream, made.facts, {}, now_ns(), verdict_at);
      most_bytes = std::max(most_bytes, publisher->held_bytes());
      most_at_once = std::max(most_at_once, count_late() - before);
    }
  }
  void lose_broker() { broker.is_away = true; }
  void return_broker() {
    broker.is_away = false;
    sent->deliver();
  }
  static double level_of(std::uint64_t second) { return 1 << (second % 8); }

  std::size_t count_late() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        broker.kept, [](const auto& one) { return one.subject.starts_with("rv1.late."); }));
  }
  // Returns what a reader understands of one of the two kinds, in the order of the broker.
  std::vector<Told> told(bool is_late) const {
    std::vector<Told> out;
    wire::LevelsDecoder decoder;
    std::map<std::uint32_t, wire::Dictionary> dictionaries;
    for (const auto& one : broker.kept) {
      const auto sender = wire::sender_of(one.subject).value();
      if (sender.type == wire::Type::kDictionary) {
        const auto read = wire::read_dictionary(one.payload).value();
        dictionaries[wire::number_of(read.plain)] = read.dictionary;
      }
      if (sender.type != wire::Type::kLevels || sender.is_late != is_late) continue;
      if (is_late) decoder = {};  // each stands alone
      EXPECT_TRUE(decoder.decode(one.payload));
      Told second{.head = decoder.head(), .levels = {}};
      EXPECT_EQ(second.head.late, is_late);
      const auto& quantities = dictionaries.at(second.head.dictionary).quantities;
      for (std::size_t i = 0; i < quantities.size(); ++i) {
        second.levels[quantities[i].metric] =
            wire::level_of(decoder.codes()[i], quantities[i].floor);
      }
      out.push_back(std::move(second));
    }
    return out;
  }
  static std::vector<std::int64_t> seconds_of(const std::vector<Told>& all) {
    std::vector<std::int64_t> out;
    out.reserve(all.size());
    for (const auto& one : all) {
      out.push_back((one.head.head.time_ns - kMadeBegin_ns) / kSecond_ns);
    }
    return out;
  }
  // Each second of the recording that is over is told, live or late, with the level that it had;
  // and no second is told late twice.
  void expect_all_told() {
    std::set<std::int64_t> have;
    std::set<std::int64_t> late;
    for (const bool is_late : {false, true}) {
      const auto all = told(is_late);
      const auto seconds = seconds_of(all);
      for (std::size_t i = 0; i < all.size(); ++i) {
        have.insert(seconds[i]);
        EXPECT_TRUE(!is_late || late.insert(seconds[i]).second) << seconds[i] << " twice";
        EXPECT_EQ(all[i].levels.at("load"), level_of(static_cast<std::uint64_t>(seconds[i])));
        EXPECT_EQ(all[i].head.sequence, static_cast<std::uint64_t>(seconds[i]));
        EXPECT_EQ(all[i].head.head.run, wire::run_of("boot", kMadeBegin_ns));
      }
    }
    std::vector<std::int64_t> missing;
    for (std::int64_t s = 0; s + 1 < static_cast<std::int64_t>(made.next); ++s) {
      if (!have.contains(s)) missing.push_back(s);
    }
    EXPECT_THAT(missing, IsEmpty());
  }

  base::TempDir dir;
  bus::FakeBroker broker;
  bool is_slow = false;
  std::unique_ptr<bus::FakePublisher> sent;
  fleet::MadeHost made;
  Tape tape{made.facts, made.channels};
  model::ChannelId load{0};
  std::optional<fleet::LevelStream> stream;
  std::optional<HostPublisher> publisher;
  LateLevels::VerdictAt verdict_at;
  std::size_t most_bytes = 0;
  std::size_t most_at_once = 0;
};

class AwayFor : public Away, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Lengths, AwayFor, testing::Values(10, 600, 3600));

TEST_P(AwayFor, AllIsToldNewestFirstWhileTheLevelsOfNowGoOn) {
  const int length = GetParam();
  pass(30);
  lose_broker();
  pass(length);
  EXPECT_EQ(count_late(), 0u);
  return_broker();
  pass(9);
  EXPECT_EQ(count_late(), 0u) << "a fleet does not begin at once";
  pass(length / 6 + 31);
  expect_all_told();
  const auto late = seconds_of(told(true));
  ASSERT_GE(late.size(), static_cast<std::size_t>(length));
  EXPECT_EQ(std::ranges::adjacent_find(late, std::less_equal()), late.end());
  EXPECT_LE(late.back(), 30) << "where it began is the last";
  EXPECT_GE(late.front(), 30 + length - 2) << "its tail is the first";
  // Of now there is one in each second after it, none of them late.
  const auto live = seconds_of(told(false));
  const auto back = std::ranges::find_if(live, [&](auto s) { return s >= 30 + length - 1; });
  for (auto it = back; it != live.end(); ++it) EXPECT_EQ(*it, *back + (it - back));
  EXPECT_LE(most_at_once, LateLevels::kMaxOnTheirWay);
  // Two minutes of small messages, however long it was.
  EXPECT_LT(most_bytes, 120u * 100);
  const auto idle = tape.opened;
  pass(60);
  EXPECT_EQ(tape.opened, idle) << "nothing is read again";
}

TEST_F(Away, ANewHostOwesNothingOfBefore) {
  stop(false);
  pass(100);
  start();
  pass(60);
  EXPECT_THAT(told(true), IsEmpty());
  EXPECT_EQ(tape.opened, 0);
}

// Two minutes are no whole number of these.
TEST_F(Away, LongerBucketsAreWholeOnes) {
  constexpr std::int64_t kBucket_ns = 7 * kSecond_ns;
  made.facts.interval_ns = kBucket_ns;
  start();
  pass(70);
  lose_broker();
  pass(700);
  return_broker();
  pass(200);
  std::set<std::int64_t> times;
  std::set<std::int64_t> late;
  for (const bool is_late : {false, true}) {
    for (const auto& one : told(is_late)) {
      times.insert(one.head.head.time_ns);
      EXPECT_TRUE(!is_late || late.insert(one.head.head.time_ns).second);
    }
  }
  EXPECT_GE(late.size(), 100u);
  for (auto at = times.begin(); std::next(at) != times.end(); ++at) {
    EXPECT_EQ(*std::next(at) - *at, kBucket_ns);
  }
  EXPECT_GT(*times.rbegin(), now_ns() - 2 * kBucket_ns);
}

TEST_F(Away, ARestartWithinItForgetsNothing) {
  pass(30);
  lose_broker();
  pass(200);
  stop(false);
  pass(20);
  start();
  pass(50);
  return_broker();
  pass(120);
  expect_all_told();
}

// What was told since the last save is told once more.
TEST_F(Away, AKillWithinItLosesNothing) {
  pass(30);
  publisher->save();
  pass(20);
  lose_broker();
  pass(100);
  stop(true);
  pass(5);
  start();
  pass(5);
  return_broker();
  pass(100);
  expect_all_told();
  EXPECT_GE(count_late(), 110u);
  EXPECT_LE(count_late(), 135u);
}

TEST_F(Away, AKillBeforeTheFirstSaveLosesNothing) {
  pass(5);
  lose_broker();
  pass(20);
  stop(true);
  pass(5);
  start();
  pass(5);
  return_broker();
  pass(60);
  expect_all_told();
}

TEST_F(Away, ABrokerThatGoesAgainGetsTheRestLater) {
  pass(30);
  lose_broker();
  pass(600);
  return_broker();
  pass(60);
  const auto before = count_late();
  EXPECT_GT(before, 0u);
  EXPECT_LT(before, 600u);
  lose_broker();
  pass(60);
  EXPECT_EQ(publisher->held_bytes(), 0u) << "what is away needs no memory";
  return_broker();
  pass(200);
  expect_all_told();
  EXPECT_LE(count_late(), 672u) << "what it had is not sent again";
}

TEST_F(Away, ABrokerWithoutAStreamForItIsAskedSeldomAndNothingElseSuffers) {
  broker.has_no_past = true;
  pass(30);
  lose_broker();
  pass(60);
  return_broker();
  pass(3600);
  EXPECT_EQ(sent->counts().lost(), 60u);
  EXPECT_EQ(seconds_of(told(false)).back(), static_cast<std::int64_t>(made.next) - 2);
  EXPECT_GT(sent->counts().given_back, 10u);
  EXPECT_LT(sent->counts().given_back, 2000u);
  broker.has_no_past = false;
  pass(120);
  expect_all_told();
}

TEST_F(Away, ABrokerThatAnswersSlowlyIsSentLess) {
  is_slow = true;
  start();
  pass(30);
  lose_broker();
  pass(100);
  return_broker();
  pass(60);
  EXPECT_GT(count_late(), 1u);
  EXPECT_LT(count_late(), 50u) << "240 are sent to a fast one";
  pass(400);
  expect_all_told();
}

TEST_F(Away, WhatTheRecordingLacksIsOwedNoMore) {
  pass(30);
  lose_broker();
  pass(10);
  for (int i = 0; i < 7; ++i) made.skip();
  pass(10);
  return_broker();
  pass(60);
  const auto late = seconds_of(told(true));
  for (std::int64_t s = 40; s < 47; ++s) EXPECT_THAT(late, testing::Not(testing::Contains(s)));
  EXPECT_THAT(late, testing::IsSupersetOf({29, 39, 47, 55}));
  EXPECT_LE(publisher->owed_ns(), 2 * kSecond_ns);
  EXPECT_TRUE(std::ranges::any_of(told(true), [](const auto& one) { return one.head.gap_before; }));
}

TEST_F(Away, ARecordingThatCannotBeReadIsTriedAgain) {
  pass(30);
  lose_broker();
  pass(20);
  tape.is_broken = true;
  return_broker();
  pass(32);
  EXPECT_EQ(publisher->past_trouble(), "the disk is gone");
  EXPECT_EQ(publisher->trouble(), "") << "all of now is told";
  tape.is_broken = false;
  pass(100);
  EXPECT_EQ(publisher->past_trouble(), "");
  expect_all_told();
}

TEST_F(Away, ARecordingThatCanNeverBeReadIsGivenUp) {
  pass(30);
  lose_broker();
  pass(20);
  tape.is_broken = true;
  return_broker();
  pass(1000);
  EXPECT_EQ(tape.opened, LateLevels::kMostFailures);
  EXPECT_LE(publisher->owed_ns(), 2 * kSecond_ns);
}

// The detectors' words are not in the recording.
TEST_F(Away, AVerdictThatIsStillKnownIsToldAndNoOtherIsMadeUp) {
  pass(30);
  lose_broker();
  pass(40);
  return_broker();
  constexpr auto kSince_ns = kMadeBegin_ns + 50 * kSecond_ns;
  verdict_at = [](std::int64_t end_ns) -> std::optional<HostVerdict> {
    if (end_ns <= kSince_ns) return std::nullopt;
    return HostVerdict{.votes = 3, .strength = 1.5, .shares = {0.2, 0, 0, 0.8, 0}};
  };
  pass(60);
  const auto late = told(true);
  ASSERT_FALSE(late.empty());
  for (const auto& one : late) {
    const bool is_known = one.head.head.time_ns >= kSince_ns;
    EXPECT_EQ(one.head.learning, !is_known);
    EXPECT_EQ(one.head.votes, is_known ? 3 : 0);
    EXPECT_EQ(one.head.strength, is_known ? 1.5F : 0);
  }
}

// Channels of a restarted stream have other places, and one that is gone is in no dictionary.
TEST_F(Away, WhatItsDictionaryDoesNotHaveIsLeftOut) {
  const auto gone = made.add("gone");
  const auto other = made.add("other");
  made.set(gone, 5);
  made.set(other, 64);
  pass(30);
  lose_broker();
  pass(20);
  stop(false);
  made.set(gone, std::nan(""));
  pass(20);
  start();
  return_broker();
  pass(60);
  expect_all_told();
  for (const auto& one : told(true)) {
    EXPECT_THAT(one.levels,
                ElementsAre(testing::Pair("load", testing::_), testing::Pair("other", 64)));
  }
}

TEST_F(Away, NothingIsReadWhileTheBrokerAcknowledgesAll) {
  pass(300);
  EXPECT_EQ(tape.opened, 0);
  EXPECT_THAT(told(true), SizeIs(0));
}

}  // namespace
}  // namespace reveal::publish

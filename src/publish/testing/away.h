// Tests only: a made host whose broker goes away and comes back, second by second of made time.
#pragma once

#include <algorithm>
#include <cstdint>
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

inline constexpr std::int64_t kAwaySecond_ns = 1'000'000'000;
inline const std::string kAwayHost = "abcdefghijklmnopqrstuvwxyz";

// A second as a reader has it.
struct ToldSecond {
  wire::LevelsHead head;
  std::map<std::string, float> levels;  // by metric
};

class Away : public testing::Test {
 protected:
  Away() : made(fleet::made_grid(0)) {
    made.facts.host = "node-7";
    made.facts.boot_id = "boot";
    made.facts.start_wall_ns = fleet::kMadeBegin_ns;
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
            .host = kAwayHost,
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
    return fleet::kMadeBegin_ns + static_cast<std::int64_t>(made.next) * kAwaySecond_ns;
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
  std::vector<ToldSecond> told(bool is_late) const {
    std::vector<ToldSecond> out;
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
      ToldSecond second{.head = decoder.head(), .levels = {}};
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
  static std::vector<std::int64_t> seconds_of(const std::vector<ToldSecond>& all) {
    std::vector<std::int64_t> out;
    out.reserve(all.size());
    for (const auto& one : all) {
      out.push_back((one.head.head.time_ns - fleet::kMadeBegin_ns) / kAwaySecond_ns);
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
        EXPECT_EQ(all[i].head.head.run, wire::run_of("boot", fleet::kMadeBegin_ns));
      }
    }
    std::vector<std::int64_t> missing;
    for (std::int64_t s = 0; s + 1 < static_cast<std::int64_t>(made.next); ++s) {
      if (!have.contains(s)) missing.push_back(s);
    }
    EXPECT_THAT(missing, testing::IsEmpty());
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

}  // namespace reveal::publish

// A group's verdicts are those of the plain reference, bit for bit, on random groups.
#include "peers/testing/plain_group.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "peers/testing/made_fleet.h"

namespace reveal::peers {
namespace {

using testing::SizeIs;
using wire::Code;

// How a quantity goes, as codes.
enum class Course : std::uint8_t {
  kZero,      // but for a host now and then
  kCommon,    // one level of all hosts, always
  kSwitched,  // one level of all hosts, that changes
  kOwn,       // a level of each host
  kTies,      // three levels, of both signs
  kMostly,    // one level of more or less than half of the hosts
  kMoving,
  kSparse,   // without a level in every third second
  kRare,     // few hosts have it
  kEvents,   // in bursts
  kSteps,    // of one host after another
  kNoLevel,  // codes beyond those of levels, and levels that are too large
};
constexpr std::size_t kCourses = 12;

MeantQuantity quantity(std::size_t number) {
  const auto course = static_cast<Course>(number % kCourses);
  const bool is_counted = course == Course::kEvents;
  const bool is_signal = is_counted || course == Course::kZero || course == Course::kSteps ||
                         course == Course::kMostly;
  const float least_rise = is_counted ? 1.0F / 3 : 0.05F;
  const auto made = made_quantity(
      "metric_" + std::to_string(number), "Metric", is_counted ? "packets/s" : "ratio",
      is_counted ? model::Kind::kEvent : model::Kind::kGauge, model::Subsystem::kCpu,
      is_counted ? 0.1F : 0.001F, is_signal ? least_rise : 0);
  const auto floor = course == Course::kNoLevel ? std::uint16_t{16'300} : made.floor;
  return {.quantity = quantity_of(made), .floor = floor, .least_rise = made.least_rise};
}

Code next_code(Course course, std::size_t host, std::size_t second, Code now, base::Rng& rng) {
  const auto one_of = [&](std::uint64_t count) { return static_cast<Code>(rng.below(count)); };
  switch (course) {
    case Course::kZero:
      return rng.below(2000) == 0 ? static_cast<Code>(400 + one_of(300)) : Code{0};
    case Course::kCommon:
      return 500;
    case Course::kSwitched:
      return static_cast<Code>(300 + second / 7 % 5 * 11);
    case Course::kOwn:
      return static_cast<Code>(400 + host % 50);
    case Course::kTies:
      return static_cast<Code>(one_of(3) - 1);
    case Course::kMostly:
      return rng.below(20) < 11 ? Code{100} : static_cast<Code>(100 + one_of(30));
    case Course::kMoving:
      return now == 0 ? static_cast<Code>(600 + host % 9) : static_cast<Code>(now + one_of(5) - 2);
    case Course::kSparse:
      return rng.below(3) == 0 ? wire::kAbsent : static_cast<Code>(300 + one_of(20));
    case Course::kRare:
      return host % 16 == 0 ? static_cast<Code>(200 + one_of(2)) : wire::kAbsent;
    case Course::kEvents:
      return rng.below(400) == 0 ? static_cast<Code>(200 + one_of(300)) : Code{0};
    case Course::kSteps: {
      const bool is_slow = second >= 150 && (second / 30 + host) % 31 == 7;
      return static_cast<Code>(100 + one_of(4) + (is_slow ? 400 : 0));
    }
    case Course::kNoLevel:
      break;
  }
  return one_of(40);
}

// Of most hosts a dictionary in the order of the group's columns; of some with another one, which
// lacks a quantity.
std::shared_ptr<const Meaning> meaning(std::size_t quantities, bool is_other) {
  auto out = std::make_shared<Meaning>();
  out->number = is_other ? 2 : 1;
  out->bucket_ns = kSecond_ns;
  const auto count = quantities - (is_other ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i) out->add(quantity(is_other ? quantities - 1 - i : i));
  return out;
}

// Hosts that send random codes to a group and to its reference.
class Both {
 public:
  Both(std::size_t hosts, std::size_t quantities)
      : quantities_(quantities), hosts_(hosts), plain_(keys(quantities)) {
    const std::array meanings{meaning(quantities, false), meaning(quantities, true)};
    for (std::size_t i = 0; i < hosts; ++i) {
      auto& one = hosts_[i];
      one.is_other = i % 5 == 2;
      one.host = std::make_unique<Host>(made_id(i), "main");
      wire::Facts facts;
      facts.host = "n" + std::to_string(i);
      one.host->take_facts(std::move(facts));
      one.host->take_meaning(meanings.at(one.is_other ? 1 : 0));
      one.codes.resize(meanings.at(one.is_other ? 1 : 0)->quantities.size());
    }
  }

  // Of three hosts or more the last one comes later; of many, one is away for some seconds; and
  // messages are lost.
  void run(std::size_t seconds) {
    for (std::size_t s = 0; s < seconds; ++s) {
      const auto begin_ns = MadeFleet::begin_of(s);
      std::size_t heard = 0;
      for (std::size_t i = 0; i < hosts_.size(); ++i) {
        const bool is_there = hosts_.size() < 3 || i + 1 < hosts_.size() || s >= kJoins;
        if (is_there && s == (i + 1 < hosts_.size() || hosts_.size() < 3 ? 0 : kJoins)) {
          group_.add(*hosts_[i].host);
        }
        const bool is_away = hosts_.size() > 9 && i == 4 && s >= 100 && s < 110;
        const bool is_lost = i > 0 && rng_.below(70) == 0;
        move(i, s);
        if (is_there && !is_away && !is_lost) heard += send(i, s);
      }
      check(begin_ns, heard);
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  std::size_t judged() const { return judged_; }
  std::size_t slow() const { return slow_; }

 private:
  static constexpr std::size_t kJoins = 70;

  struct One {
    std::unique_ptr<Host> host{};
    bool is_other = false;  // its dictionary
    wire::LevelsEncoder encoder{};
    std::vector<Code> codes{};
  };

  static std::vector<std::string> keys(std::size_t quantities) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < quantities; ++i) out.push_back(quantity(i).quantity.key());
    return out;
  }

  void move(std::size_t host, std::size_t second) {
    auto& one = hosts_[host];
    for (std::size_t i = 0; i < one.codes.size(); ++i) {
      const auto number = one.is_other ? quantities_ - 1 - i : i;
      one.codes[i] =
          next_code(static_cast<Course>(number % kCourses), host, second, one.codes[i], rng_);
    }
  }

  // Returns how many seconds the group has heard of by it.
  std::size_t send(std::size_t host, std::size_t second) {
    auto& one = hosts_[host];
    wire::LevelsHead head;
    head.head = {.clock_error_us = 100, .run = host + 1, .time_ns = MadeFleet::begin_of(second)};
    head.sequence = second;
    head.dictionary = one.is_other ? 2 : 1;
    wire::Bytes message;
    // Each by itself, as some are lost.
    one.encoder.restart();
    one.encoder.encode(head, one.codes, message);
    const auto taken = one.host->take_levels(message, MadeFleet::end_of(second) + kSecond_ns / 10);
    EXPECT_TRUE(taken && *taken);
    group_.hear(MadeFleet::begin_of(second));
    return 1;
  }

  void check(std::int64_t begin_ns, std::size_t heard) {
    const auto now_ns = begin_ns + kSecond_ns + kPatience_ns;
    std::vector<const Host*> compared;
    for (const auto* host : group_.hosts()) {
      if (host->standing(now_ns) == Standing::kCompared) compared.push_back(host);
    }
    const auto judgment = group_.judge(now_ns, /*is_late=*/false);
    ASSERT_TRUE(judgment);
    ASSERT_EQ(judgment->begin_ns, begin_ns);
    plain_.judge(begin_ns, compared, heard);
    auto slow = judgment->slow.begin();
    for (const auto& view : group_.view()) {
      const bool is_present = std::ranges::count(plain_.present(), view.host) > 0;
      ASSERT_EQ(view.is_compared, is_present) << view.host->name();
      if (!is_present) continue;
      const auto& member = plain_.member(*view.host);
      judged_ += member.judged;
      ASSERT_EQ(view.distance, member.far_rise / member.far_limit) << view.host->name();
      ASSERT_EQ(view.is_slow, member.is_slow) << view.host->name();
      check_past(*view.host, member);
      if (!member.is_slow) continue;
      ++slow_;
      check_evidence(slow++->evidence, member);
    }
    ASSERT_EQ(slow, judgment->slow.end());
  }

  void check_evidence(const std::vector<Evidence>& evidence, const PlainGroup::Member& member) {
    ASSERT_THAT(evidence, SizeIs(member.found.size()));
    for (std::size_t i = 0; i < evidence.size(); ++i) {
      const auto& found = member.found[i];
      ASSERT_EQ(evidence[i].quantity.key(), quantity(found.column).quantity.key());
      ASSERT_EQ(evidence[i].observed, found.observed);
      ASSERT_EQ(evidence[i].usual, found.usual);
      ASSERT_EQ(evidence[i].rise, found.rise);
      ASSERT_EQ(evidence[i].limit, found.limit);
      ASSERT_EQ(evidence[i].least_rise, found.least_rise);
    }
  }

  void check_past(const Host& host, const PlainGroup::Member& member) const {
    const auto known = group_.known_of(host);
    for (const auto& quantity : member.quantities) {
      if (!quantity) continue;
      ASSERT_EQ(!std::isnan(known.offsets[quantity->place]), quantity->past.is_known());
      if (!quantity->past.is_known()) continue;
      ASSERT_EQ(known.offsets[quantity->place], quantity->past.offset());
      ASSERT_EQ(known.spreads[quantity->place], quantity->past.spread());
    }
  }

  base::Rng rng_{11};
  std::size_t quantities_;
  std::vector<One> hosts_;
  Group group_{"role=test"};
  PlainGroup plain_;
  std::size_t judged_ = 0;
  std::size_t slow_ = 0;
};

// More quantities than a tile has.
constexpr std::size_t kMany = 6 * kCourses;

TEST(PlainGroup, OfTwoHosts) {
  Both both(2, kMany);
  both.run(400);
  EXPECT_GT(both.judged(), 10'000U);
}

TEST(PlainGroup, OfThreeHosts) {
  Both both(3, kMany);
  both.run(500);
  EXPECT_GT(both.judged(), 20'000U);
}

TEST(PlainGroup, OfFourHosts) {
  Both both(4, kMany);
  both.run(800);
  EXPECT_GT(both.judged(), 40'000U);
  EXPECT_GT(both.slow(), 10U);
}

TEST(PlainGroup, OfThirtyOneHosts) {
  Both both(31, kMany);
  both.run(400);
  EXPECT_GT(both.judged(), 200'000U);
  EXPECT_GT(both.slow(), 100U);
}

TEST(PlainGroup, OfFiveHundredHosts) {
  Both both(500, kCourses);
  both.run(200);
  EXPECT_GT(both.judged(), 200'000U);
  EXPECT_GT(both.slow(), 100U);
}

}  // namespace
}  // namespace reveal::peers

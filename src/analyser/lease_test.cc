#include "analyser/lease.h"

#include <algorithm>
#include <array>
#include <optional>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::analyser {
namespace {

constexpr std::int64_t kS = kLeaseSecond_ns;
using Act = Lease::Act;
using Standing = Lease::Standing;

Lease::Seen seen(const char* holder, std::uint64_t revision) {
  return {holder, revision};
}

TEST(Lease, IsTakenAtOnceIfThereIsNone) {
  Lease lease("a");
  EXPECT_EQ(lease.due(kS, true), Act::kLook);
  lease.saw(std::nullopt, kS);
  EXPECT_EQ(lease.due(kS, false), Act::kNothing);
  EXPECT_EQ(lease.due(kS, true), Act::kTake);
  EXPECT_EQ(lease.last(), 0u);
  EXPECT_EQ(lease.standing(kS), Standing::kNot);
  lease.wrote(7, kS);
  EXPECT_EQ(lease.standing(kS), Standing::kHeld);
  EXPECT_EQ(lease.token(), 7u);
}

TEST(Lease, IsTakenAtOnceIfItWasGivenBack) {
  Lease lease("b");
  lease.saw(seen("a", 4), kS);
  EXPECT_EQ(lease.due(kS, true), Act::kNothing);
  EXPECT_EQ(lease.holder(), "a");
  lease.saw(seen("", 5), 2 * kS);
  EXPECT_EQ(lease.due(2 * kS, true), Act::kTake);
  EXPECT_EQ(lease.last(), 5u);
}

TEST(Lease, IsTakenOfOneThatDoesNotWriteItForFiveSeconds) {
  Lease lease("b");
  lease.saw(seen("a", 4), kS);
  lease.saw(seen("a", 5), 2 * kS);
  lease.saw(seen("a", 5), 7 * kS - 1);
  EXPECT_EQ(lease.due(7 * kS - 1, true), Act::kNothing);
  lease.saw(seen("a", 5), 7 * kS);
  EXPECT_EQ(lease.due(7 * kS, true), Act::kTake);
  EXPECT_EQ(lease.last(), 5u);
  EXPECT_EQ(lease.other_seen_ns(), 2 * kS);
  // What was seen may not hold any more.
  EXPECT_EQ(lease.due(8 * kS, true), Act::kLook);
}

TEST(Lease, IsWrittenEachSecondAndKeepsItsToken) {
  Lease lease("a");
  lease.saw(std::nullopt, 0);
  lease.wrote(7, 0);
  EXPECT_EQ(lease.due(kS - 1, true), Act::kNothing);
  EXPECT_EQ(lease.due(kS, true), Act::kRenew);
  EXPECT_EQ(lease.due(kS, false), Act::kNothing);
  EXPECT_EQ(lease.last(), 7u);
  lease.wrote(9, kS);
  EXPECT_EQ(lease.last(), 9u);
  EXPECT_EQ(lease.token(), 7u);
  EXPECT_EQ(lease.held_until_ns(), kS + Lease::kHold_ns);
}

TEST(Lease, RunsOutByItsOwnClock) {
  Lease lease("a");
  lease.saw(std::nullopt, 0);
  lease.wrote(7, 0);
  EXPECT_EQ(lease.standing(3 * kS - 1), Standing::kHeld);
  EXPECT_EQ(lease.standing(3 * kS), Standing::kExpiring);
  EXPECT_EQ(lease.standing(4 * kS - 1), Standing::kExpiring);
  EXPECT_EQ(lease.standing(4 * kS), Standing::kNot);
  // Its own entry of before it takes with another token.
  lease.saw(seen("a", 7), 9 * kS);
  EXPECT_EQ(lease.due(9 * kS, true), Act::kTake);
  lease.wrote(12, 9 * kS);
  EXPECT_EQ(lease.token(), 12u);
}

TEST(Lease, AWriteWithoutAnAnswerMayHaveBeenDone) {
  Lease lease("a");
  lease.saw(std::nullopt, 0);
  lease.wrote(7, 0);
  lease.failed(kS);
  EXPECT_EQ(lease.due(kS, true), Act::kLook);
  lease.saw(seen("a", 8), kS + 1);
  EXPECT_EQ(lease.last(), 8u);
  EXPECT_EQ(lease.token(), 7u);
  // From when it was sent, not from when it was seen.
  EXPECT_EQ(lease.held_until_ns(), kS + Lease::kHold_ns);
}

TEST(Lease, AWriteThatWasNotDoneProlongsNothing) {
  Lease lease("a");
  lease.saw(std::nullopt, 0);
  lease.wrote(7, 0);
  lease.failed(kS);
  lease.saw(seen("a", 7), kS + 1);
  EXPECT_EQ(lease.held_until_ns(), Lease::kHold_ns);
  EXPECT_EQ(lease.due(kS + 1, true), Act::kRenew);
}

TEST(Lease, IsLostIfAnotherHasIt) {
  Lease lease("a");
  lease.saw(std::nullopt, 0);
  lease.wrote(7, 0);
  lease.failed(kS);
  lease.saw(seen("b", 8), 2 * kS);
  EXPECT_EQ(lease.standing(2 * kS), Standing::kNot);
  EXPECT_EQ(lease.holder(), "b");
  EXPECT_EQ(lease.other_seen_ns(), 2 * kS);
}

TEST(Lease, GoneWhileItWasThoughtToBeHeldIsLost) {
  Lease lease("a");
  lease.saw(std::nullopt, 0);
  lease.wrote(7, 0);
  lease.failed(kS);
  lease.saw(std::nullopt, 2 * kS);
  EXPECT_EQ(lease.standing(2 * kS), Standing::kNot);
  EXPECT_EQ(lease.due(2 * kS, true), Act::kTake);
}

// A broker that three analysers ask, each with answers that get lost or come late, and with stops.
struct World {
  std::uint64_t revision = 0;
  std::optional<Lease::Seen> entry;
  std::int64_t written_ns = 0;

  std::optional<Lease::Seen> look(std::int64_t now_ns) {
    if (entry && now_ns - written_ns > 5 * kS) entry.reset();
    return entry;
  }
  std::optional<std::uint64_t> write(const char* who, std::uint64_t last, std::int64_t now_ns) {
    const auto is = look(now_ns) ? entry->revision : 0;
    if (is != last) return std::nullopt;
    entry = Lease::Seen{who, ++revision};
    written_ns = now_ns;
    return revision;
  }
};

class Lossy : public testing::Test {
 protected:
  static constexpr std::array<const char*, 3> kNames{"a", "b", "c"};
  static constexpr std::int64_t kStep = kS / 20;

  bool one_in(std::uint64_t many) { return rng.below(many) == 0; }
  void attend(std::size_t i) {
    auto& lease = leases[i];
    const bool is_heard = !one_in(20);
    const bool is_answered = is_heard && !one_in(20);
    auto act = lease.due(now, true);
    if (act == Act::kLook && is_answered) {
      lease.saw(world.look(now), now);
      act = lease.due(now, true);
    }
    if (act != Act::kTake && act != Act::kRenew) return;
    const auto written =
        is_heard ? world.write(kNames.at(i), lease.last(), now) : std::optional<std::uint64_t>();
    if (written && is_answered) {
      lease.wrote(*written, now);
    } else {
      lease.failed(now);
    }
  }
  void step() {
    for (std::size_t i = 0; i < leases.size(); ++i) {
      if (now < stopped_until.at(i)) continue;
      // Every two minutes for up to eight seconds.
      if (one_in(2400)) stopped_until.at(i) = now + static_cast<std::int64_t>(rng.below(9)) * kS;
      attend(i);
    }
    now += kStep;
  }
  void check() {
    int holders = 0;
    for (const auto& lease : leases) {
      if (lease.standing(now) == Standing::kNot) continue;
      ++holders;
      changes += lease.token() != token ? 1 : 0;
      ASSERT_GE(lease.token(), token);
      token = lease.token();
    }
    ASSERT_LE(holders, 1) << now;
    if (holders > 0) held_at = now;
    longest_ns = std::max(longest_ns, now - held_at);
  }

  base::Rng rng{1};
  World world;
  std::array<Lease, 3> leases{Lease(kNames[0]), Lease(kNames[1]), Lease(kNames[2])};
  std::array<std::int64_t, 3> stopped_until{};
  std::int64_t now = 0;
  std::uint64_t token = 0;
  int changes = 0;
  std::int64_t held_at = 0;
  std::int64_t longest_ns = 0;
};

TEST_F(Lossy, NoTwoHoldItAndSomebodyDoesWhateverGetsLost) {
  while (now < 20'000 * kS) {
    step();
    check();
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_GT(changes, 50);
  // Two or all three may be stopped at once.
  EXPECT_LT(longest_ns, 12 * kS);
}

}  // namespace
}  // namespace reveal::analyser

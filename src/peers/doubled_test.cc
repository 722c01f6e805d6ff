// Two hosts that have one id: they are named, and what one tells is never taken for the other's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/fleet.h"
#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(Doubled, TwoHostsWithOneIdAreNamedAndNotJudged) {
  Lab lab(9);
  lab.made.introduce();
  Lab other(9);
  other.made.set_run(4, 99);
  lab.run(0, kFrom, usual_level);
  lab.fleet.take_standings();
  for (std::size_t s = kFrom; s < kFrom + 40; ++s) {
    lab.made.send_second(s, usual_level);
    // Its twin is slow, which must not be told of it.
    other.made.send_levels(4, s, spliced({4}, kRetransmits, 0.9F));
    for (auto& [stored_ns, message] : other.waiting) lab.waiting.emplace(stored_ns + 1, message);
    other.waiting.clear();
    lab.deliver();
    if (s == kFrom + 4) {
      const auto told = lab.fleet.take_standings();
      ASSERT_THAT(told, SizeIs(1));
      EXPECT_EQ(told[0].name, "n04");
      EXPECT_EQ(told[0].standing, Standing::kDoubled);
    }
  }
  EXPECT_THAT(lab.news, IsEmpty());
}

// A copy has the same run, too, and its key messages are bases of what the other one tells.
TEST(Doubled, AHostAndItsCopyAreNamedAndNothingIsMixed) {
  Lab lab(9);
  lab.made.introduce();
  Lab copy(9);
  lab.run(0, kFrom, usual_level);
  lab.fleet.take_standings();
  const auto slow = spliced({4}, kRetransmits, 0.9F);
  for (std::size_t s = kFrom; s < kFrom + 200; ++s) {
    lab.made.send_second(s, usual_level);
    if (s < kFrom + 40) copy.made.send_levels(4, s, slow);
    for (auto& [stored_ns, message] : copy.waiting) lab.waiting.emplace(stored_ns + 1, message);
    copy.waiting.clear();
    lab.deliver();
    const auto* kept = lab.fleet.find(lab.made.id(4))->second(MadeFleet::begin_of(s));
    if (kept != nullptr) {
      EXPECT_EQ(kept->codes[kRetransmits], 0) << s;
    }
    if (s == kFrom + 4) {
      const auto told = lab.fleet.take_standings();
      ASSERT_THAT(told, SizeIs(1));
      EXPECT_EQ(told[0].standing, Standing::kDoubled);
    }
  }
  EXPECT_THAT(lab.news, IsEmpty());
  // Once the copy is gone it is compared again.
  EXPECT_NE(lab.fleet.find(lab.made.id(4))->second(MadeFleet::begin_of(kFrom + 199)), nullptr);
}

}  // namespace
}  // namespace reveal::peers

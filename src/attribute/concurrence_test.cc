#include "attribute/concurrence.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::attribute {
namespace {

using testing::ElementsAre;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr auto kCpu = static_cast<std::size_t>(model::Subsystem::kCpu);
constexpr auto kNetwork = static_cast<std::size_t>(model::Subsystem::kNetwork);
constexpr auto kStorage = static_cast<std::size_t>(model::Subsystem::kStorage);

// What a line of text says of a window: '.' nothing, a small letter a stall, a capital an alarm.
FamilyStall stall_of(char one) {
  return {.stalled = one != '.', .alarmed = one >= 'A' && one <= 'Z'};
}

std::string_view name_of(Concurrence::Step step) {
  constexpr std::array<std::string_view, 5> kNames{"same", "may", "not", "counts", "ends"};
  return kNames[static_cast<std::size_t>(step)];
}

// Takes windows of 3 s each second, a line of text for each family, of equal lengths. Opens what
// counts if `own`. Returns what happens, as "6 may", at which window.
std::vector<std::string> steps(std::string_view cpu, std::string_view network,
                               std::string_view storage, bool own = true) {
  Concurrence concurrence;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < cpu.size(); ++i) {
    FamilyStalls stalls{};
    stalls[kCpu] = stall_of(cpu[i]);
    stalls[kNetwork] = stall_of(network[i]);
    stalls[kStorage] = stall_of(storage[i]);
    const auto at_ns = static_cast<std::int64_t>(i) * kSecond_ns;
    const auto taken =
        concurrence.take({window::WindowId(i), at_ns, at_ns + 3 * kSecond_ns, i, 0}, stalls);
    for (std::size_t place = 0; place < taken.size(); ++place) {
      if (taken[place] == Concurrence::Step::kSame) continue;
      out.push_back(std::to_string(i) + " " + std::string(name_of(taken[place])));
      if (own && taken[place] == Concurrence::Step::kCounts) concurrence.open(place);
    }
  }
  return out;
}

TEST(Concurrence, ASecondFaultCountsOnceItsWindowsShareNoSampleWhileTheFirstGoesOn) {
  EXPECT_THAT(steps(".....CCCCCC",  //
                    "...........",  //
                    "SSSSSSSSSSS"),
              ElementsAre("5 may", "8 counts"));
}

TEST(Concurrence, WhatRisesAtOnceIsOneFault) {
  EXPECT_THAT(steps("..CCCCCCCCC",  // within 3 s: its first window shares a sample
                    "CCCCCCCCCCC",  //
                    "SSSSSSSSSSS"),
              ElementsAre());
  EXPECT_THAT(steps(".....CCCCCC",  // a second one with two symptoms
                    ".......NNNN",  //
                    "SSSSSSSSSSS"),
              ElementsAre("5 may", "8 counts"));
}

TEST(Concurrence, AnAlarmOfABriefStallIsNoFault) {
  EXPECT_THAT(steps(".....CCC............",  // one sample lifts three windows
                    "....................",  //
                    "SSSSSSSSSSSSSSSSSSSS"),
              ElementsAre("5 may", "14 not"));
  EXPECT_THAT(steps(".....cccccc",  // no alarm
                    "...........",  //
                    "SSSSSSSSSSS"),
              ElementsAre("5 may"));
}

TEST(Concurrence, TheFirstMustCountAndStillGoOn) {
  EXPECT_THAT(steps(".....CCCCCCC",  //
                    "............",  //
                    "sssssssSSSSS"),
              ElementsAre("5 may", "8 counts"));
  EXPECT_THAT(steps(".....CCCCCCCCCCCC",  // one after the other
                    ".................",  //
                    "SSSSSS..........."),
              ElementsAre("5 may", "12 not", "12 ends"));
}

TEST(Concurrence, WhatIsRefusedIsAskedAboutAgain) {
  EXPECT_THAT(steps(".....CCCCC",  //
                    "..........",  //
                    "SSSSSSSSSS", false),
              ElementsAre("5 may", "8 counts", "9 counts"));
}

TEST(Concurrence, TheSecondEndsBeforeTheFirst) {
  EXPECT_THAT(steps(".....CCCC................",  //
                    ".........................",  //
                    "SSSSSSSSSSSSSSSSSSSSSSSSS"),
              ElementsAre("5 may", "8 counts", "15 ends"));
}

TEST(Concurrence, WhenTheFirstEndsTheSecondIsTheFirst) {
  EXPECT_THAT(steps(".....CCCCCCCCCCCCCCCCCCCCCCC",  //
                    "....................NNNNNNNN",  //
                    "SSSSSSSSSS.................."),
              ElementsAre("5 may", "8 counts", "16 ends", "20 may", "23 counts"));
}

TEST(Concurrence, ThreeFaultsAtOneTimeAreThree) {
  EXPECT_THAT(steps(".....CCCCCCCCCC",  //
                    ".........NNNNNN",  //
                    "SSSSSSSSSSSSSSS"),
              ElementsAre("5 may", "8 counts", "9 may", "12 counts"));
}

TEST(Concurrence, TellsWhichFamiliesTellOfAFaultAndWhetherItStallsAWindow) {
  Concurrence concurrence;
  const auto take = [&](std::size_t i, bool cpu, bool network, bool storage) {
    FamilyStalls stalls{};
    stalls[kCpu].stalled = cpu;
    stalls[kNetwork].stalled = network;
    stalls[kStorage].stalled = storage;
    const auto at_ns = static_cast<std::int64_t>(i) * kSecond_ns;
    return concurrence.take({window::WindowId(i), at_ns, at_ns + 3 * kSecond_ns, i, 0}, stalls);
  };
  EXPECT_FALSE(concurrence.first());
  take(0, false, true, true);
  const auto first = concurrence.first().value();
  EXPECT_EQ(concurrence.families(first), Families((1U << kNetwork) | (1U << kStorage)));
  EXPECT_TRUE(concurrence.stalls(first));
  take(4, true, false, false);
  EXPECT_EQ(concurrence.first(), first);
  EXPECT_FALSE(concurrence.stalls(first));
  take(20, false, false, false);
  EXPECT_FALSE(concurrence.first());
  EXPECT_TRUE(concurrence.families(first).none());
}

}  // namespace
}  // namespace reveal::attribute

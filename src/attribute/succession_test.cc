#include "attribute/succession.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace reveal::attribute {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

// Takes windows of 3 s each second: s, m, n and c are stalled by that subsystem, capitals raise an
// alarm, a dot is clearly stalled by none. Returns a step each: '.', 'b', 'x' or '!'.
std::string steps(std::string_view windows) {
  Succession succession;
  std::string out;
  std::int64_t at_ns = 0;
  for (const char one : windows) {
    std::optional<model::Subsystem> by;
    const bool alarmed = one >= 'A' && one <= 'Z';
    switch (alarmed ? one - 'A' + 'a' : one) {
      case 's':
        by = model::Subsystem::kStorage;
        break;
      case 'm':
        by = model::Subsystem::kMemory;
        break;
      case 'n':
        by = model::Subsystem::kNetwork;
        break;
      case 'c':
        by = model::Subsystem::kCpu;
        break;
      default:
        break;
    }
    const window::WindowSpan span{window::WindowId(0), at_ns, at_ns + 3 * kSecond_ns, 0, 0};
    at_ns += kSecond_ns;
    out += ".bx!"[static_cast<int>(succession.take(span, by, alarmed))];
  }
  return out;
}

TEST(Succession, AnotherSubsystemTakesOverOnceItsWindowsShareNoSample) {
  EXPECT_EQ(steps("SSSSCCCCC"), "....b..!.");
  EXPECT_EQ(steps("SSSSCccc"), "....b..!");
  EXPECT_EQ(steps("SSSSC..C"), "....b..!");
}

TEST(Succession, ThenTheFirstOneMayTakeOverAgain) {
  EXPECT_EQ(steps("SSSSCCCCSSSS"), "....b..!b..!");
}

TEST(Succession, WithoutAnAlarmNothingTakesOver) {
  EXPECT_EQ(steps("SSSScccccc"), "....b.....");
}

TEST(Succession, MemoryAndStorageAreOne) {
  EXPECT_EQ(steps("SSSSMMMMM"), ".........");
}

TEST(Succession, AWindowOrTwoEndNothing) {
  EXPECT_EQ(steps("SSSSCSCSS"), "....b....") << "its windows share a sample";
  EXPECT_EQ(steps("SSSSCCSSC"), "....b...!") << "two of the former kind do not end it";
  EXPECT_EQ(steps("SSSSCCSSSCCCC"), "....b...xb..!") << "three do";
}

TEST(Succession, WhatIsTooShortToCountIsPartOfWhatFollows) {
  EXPECT_EQ(steps("SCCCC"), ".b..x");
  EXPECT_EQ(steps("SSSSNNCCCC"), "....b.b..!");
}

TEST(Succession, ASubsystemIsClearlyOneByItsShare) {
  // cpu, gpu, memory, network, storage
  EXPECT_EQ(clearly_one({0.7, 0, 0.1, 0, 0.2}, 0.6), model::Subsystem::kCpu);
  EXPECT_EQ(clearly_one({0.5, 0, 0.2, 0, 0.3}, 0.6), std::nullopt);
  EXPECT_EQ(clearly_one({0.3, 0, 0.3, 0, 0.4}, 0.6), model::Subsystem::kStorage);
  EXPECT_EQ(clearly_one({0.3, 0, 0.4, 0, 0.3}, 0.6), model::Subsystem::kMemory);
  EXPECT_EQ(clearly_one({0, 0, 0, 0, 0}, 0.6), std::nullopt);
}

}  // namespace
}  // namespace reveal::attribute

#include "analyser/gaps.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "peers/host.h"

namespace reveal::analyser {
namespace {

using peers::kSecond_ns;

constexpr std::int64_t s(std::int64_t seconds) {
  return seconds * kSecond_ns;
}

class GapsOfAGroup : public testing::Test {
 protected:
  // Seconds from - 1 down to - as hosts tell them.
  void tell(std::int64_t from, std::int64_t to, std::int64_t steady) {
    for (auto second = to; second-- > from;) gaps.take("g", s(second), s(9000), s(steady));
  }
  std::optional<ledger::Gap> ready(std::int64_t steady) {
    return gaps.take_ready(s(steady), [&](const std::string&) { return is_wanted; });
  }

  Gaps gaps;
  bool is_wanted = true;
};

TEST_F(GapsOfAGroup, OneIsReadyOnceNothingMoreComesOfIt) {
  tell(150, 200, 10);
  tell(100, 150, 70);
  EXPECT_FALSE(ready(70 + 119));
  const auto gap = ready(70 + 120);
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->group, "g");
  EXPECT_EQ(gap->begin_ns, s(100));
  EXPECT_EQ(gap->end_ns, s(200));
  EXPECT_EQ(gap->stored_ns, s(9000));
  EXPECT_FALSE(ready(1000)) << "it is taken";
}

TEST_F(GapsOfAGroup, ThoseFarApartAreTwoUntilWhatLiesBetweenComes) {
  tell(100, 110, 0);
  tell(300, 310, 0);
  tell(500, 510, 80);
  tell(175, 235, 60);
  const auto first = ready(150);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->begin_ns, s(100));
  EXPECT_EQ(first->end_ns, s(110));
  tell(236, 240, 70);
  EXPECT_FALSE(ready(189));
  const auto second = ready(190);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->begin_ns, s(175));
  EXPECT_EQ(second->end_ns, s(310));
  EXPECT_FALSE(ready(199));
  EXPECT_TRUE(ready(200));
}

TEST_F(GapsOfAGroup, OfAGroupThatIsNotWantedItWaits) {
  tell(100, 110, 0);
  is_wanted = false;
  EXPECT_FALSE(ready(500));
  is_wanted = true;
  EXPECT_TRUE(ready(500));
}

TEST_F(GapsOfAGroup, OneThatIsPutBackIsReadyAgainLater) {
  tell(100, 110, 0);
  const auto gap = ready(200);
  ASSERT_TRUE(gap);
  gaps.put_back(*gap, s(200));
  EXPECT_FALSE(ready(319));
  EXPECT_TRUE(ready(320));
}

TEST_F(GapsOfAGroup, ThereAreAtMostSoManyAndNoneIsForgotten) {
  for (std::int64_t i = 0; i < 200; ++i) tell(1000 * i, 1000 * i + 1, 0);
  tell(1'000'000, 1'000'001, 0);
  std::size_t count = 0;
  std::int64_t begin_ns = s(1'000'000);
  std::int64_t end_ns = 0;
  while (const auto gap = ready(500)) {
    ++count;
    begin_ns = std::min(begin_ns, gap->begin_ns);
    end_ns = std::max(end_ns, gap->end_ns);
  }
  EXPECT_EQ(count, Gaps::kMaxOfGroup);
  EXPECT_EQ(begin_ns, 0);
  EXPECT_EQ(end_ns, s(1'000'001));
}

}  // namespace
}  // namespace reveal::analyser

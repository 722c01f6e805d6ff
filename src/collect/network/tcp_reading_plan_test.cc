// Times and costs are counted by hand: 0.3 ms are saved each second, at most 10 ms.
#include "collect/network/tcp_reading_plan.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>

namespace reveal::collect {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::int64_t kSecondNs = 1'000'000'000;

struct Host {
  std::uint64_t in_use = 5;
  microseconds walk{250};
  microseconds known{50};
  bool can_ask = true;
};

// Reads a host each second, and writes down how: A(ll), K(nown) or '.' for none.
class Reader {
 public:
  std::string read(const Host& host, int seconds) {
    std::string out;
    for (int i = 0; i < seconds; ++i) {
      now_ += kSecondNs;
      const auto how = plan_.next(now_, host.in_use, host.can_ask);
      if (how == TcpReading::kAll) plan_.note_walk(now_, host.in_use);
      plan_.charge(how == TcpReading::kAll     ? host.walk
                   : how == TcpReading::kKnown ? host.known
                                               : microseconds(0));
      out += how == TcpReading::kAll ? 'A' : how == TcpReading::kKnown ? 'K' : '.';
    }
    return out;
  }

 private:
  TcpReadingPlan plan_;
  std::int64_t now_ = 77 * kSecondNs;
};

TEST(TcpReadingPlan, WalksEveryTenSecondsIfNothingMoves) {
  Reader reader;
  EXPECT_EQ(reader.read({}, 25), "AKKKKKKKKKAKKKKKKKKKAKKKK");
}

TEST(TcpReadingPlan, WalksAsSoonAsASocketComesOrGoes) {
  Reader reader;
  EXPECT_EQ(reader.read({.in_use = 5}, 3), "AKK");
  EXPECT_EQ(reader.read({.in_use = 6}, 3), "AKK");
  EXPECT_EQ(reader.read({.in_use = 5}, 11), "AKKKKKKKKKA");
}

TEST(TcpReadingPlan, CountThatIsNotKnownMayHaveMoved) {
  TcpReadingPlan plan;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(plan.next(i * kSecondNs, std::nullopt, true), TcpReading::kAll);
    plan.note_walk(i * kSecondNs, std::nullopt);
  }
}

TEST(TcpReadingPlan, WalkThatFailedIsMadeAgain) {
  TcpReadingPlan plan;
  EXPECT_EQ(plan.next(0, 5, false), TcpReading::kAll);
  EXPECT_EQ(plan.next(kSecondNs, 5, false), TcpReading::kAll);
}

TEST(TcpReadingPlan, CheapWalksMayComeEachSecond) {
  Reader reader;
  EXPECT_EQ(reader.read({.can_ask = false}, 60), std::string(60, 'A'));
}

// What was saved, 10 ms, is spent first; then 1.2 ms are had every fourth second.
TEST(TcpReadingPlan, CostlyWalksComeAsOftenAsTheirShareAllows) {
  Reader reader;
  const Host busy{.walk = microseconds(1200), .can_ask = false};
  EXPECT_TRUE(reader.read(busy, 40).starts_with("AAAAAAAAAA"));
  const std::string steady = reader.read(busy, 400);
  EXPECT_NEAR(static_cast<double>(std::count(steady.begin(), steady.end(), 'A')), 100, 1) << steady;
}

// 20 ms a walk would be due every 67 s.
TEST(TcpReadingPlan, EveryTenSecondsWhateverItCosts) {
  Reader reader;
  const Host huge{.walk = milliseconds(20), .can_ask = false};
  EXPECT_EQ(reader.read(huge, 31), "A.........A.........A.........A");
}

// An hour of walks that cost too much is not paid for once they are cheap.
TEST(TcpReadingPlan, DebtIsThatOfOneWalk) {
  Reader reader;
  reader.read({.walk = milliseconds(20), .can_ask = false}, 3600);
  EXPECT_THAT(reader.read({}, 40), ::testing::EndsWith("KKKKKKKKK"));
}

// No more than 10 ms are saved.
TEST(TcpReadingPlan, QuietTimeSavesForABurst) {
  Reader reader;
  EXPECT_EQ(reader.read({}, 1000).find('.'), std::string::npos);
  const Host burst{.walk = milliseconds(2), .can_ask = false};
  const std::string told = reader.read(burst, 12);
  EXPECT_TRUE(told.starts_with("AAAAAA.A")) << told;
}

}  // namespace
}  // namespace reveal::collect

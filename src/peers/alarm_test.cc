// When a rise of a host above its peers makes it slow: after how long, alone and in company.
#include <cstddef>
#include <cstdint>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::Ge;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

constexpr std::size_t kSlow = 4;
constexpr std::size_t kDrops = kMadeQuantities;
constexpr std::size_t kErrors = kDrops + 1;
constexpr float kWaits = 0.3F;  // three times the least rise, above 0.02

// The usual ones, and drops and errors, which are counted; of these one matters.
wire::Dictionary with_drops() {
  auto out = made_dictionary();
  out.quantities.push_back(made_quantity("network_receive_drops_total", "Dropped packets",
                                         "packets/s", model::Kind::kEvent,
                                         model::Subsystem::kNetwork, 0.1F, 10.0F / 3));
  out.quantities.push_back(made_quantity("network_receive_crc_errors_total", "Damaged packets",
                                         "packets/s", model::Kind::kEvent,
                                         model::Subsystem::kNetwork, 0.1F, 1.0F / 3));
  return out;
}

float with_drops_level(std::size_t host, std::size_t quantity, std::size_t second) {
  return quantity >= kDrops ? 0 : usual_level(host, quantity, second);
}

class Alarms : public testing::Test {
 protected:
  Alarms() : lab_(9, with_drops()) { lab_.made.introduce(); }

  // What a quantity of a host is from a second on, for so many seconds.
  struct Span {
    std::size_t from = 0;
    std::size_t seconds = 0;
    std::size_t every = 1;  // second of these
    std::set<std::size_t> quantities{kCpuPressure};
    float to = kWaits;
    std::size_t host = kSlow;
  };
  void run(std::size_t until, const std::vector<Span>& spans) {
    lab_.run(now_, until, [&](std::size_t host, std::size_t quantity, std::size_t second) {
      for (const auto& span : spans) {
        if (host != span.host || !span.quantities.contains(quantity)) continue;
        if (second < span.from || second >= span.from + span.seconds) continue;
        if ((second - span.from) % span.every != 0) continue;
        return quantity == kReads ? 5e8F : span.to;
      }
      return with_drops_level(host, quantity, second);
    });
    now_ = until;
  }
  std::vector<News> opened() const { return lab_.of(Told::kOpened); }
  // Returns how many seconds there were of what was told last, until it was.
  std::int64_t told_after(std::size_t from) const {
    return (opened().back().incident.end_ns - MadeFleet::begin_of(from)) / kMadeSecond_ns;
  }

  Lab lab_;
  std::size_t now_ = 0;
};

TEST_F(Alarms, AStepIsToldAfterThreeSeconds) {
  run(300, {{.from = kFrom, .seconds = 60, .to = 0.13F}});
  ASSERT_THAT(opened(), SizeIs(1));
  EXPECT_EQ(told_after(kFrom), 3);
  EXPECT_EQ(opened()[0].incident.onset_ns, MadeFleet::begin_of(kFrom));
}

// Of three windows that have it, each is above the least rise.
TEST_F(Alarms, ASecondIsNone) {
  run(300,
      {{.from = kFrom, .seconds = 1, .to = 0.9F}, {.from = kFrom + 30, .seconds = 2, .to = 0.6F}});
  EXPECT_THAT(lab_.news, IsEmpty());
}

TEST_F(Alarms, WhatIsCountedComesAtOnce) {
  run(300, {{.from = kFrom, .seconds = 1, .quantities = {kDrops}, .to = 40}});
  ASSERT_THAT(opened(), SizeIs(1));
  EXPECT_THAT(told_after(kFrom), Le(3));
}

TEST_F(Alarms, OfErrorsOfWhichOneMattersEachBurstIsTold) {
  run(300, {{.from = kFrom, .seconds = 1, .quantities = {kErrors, kDrops}, .to = 20},
            {.from = kFrom + 50, .seconds = 1, .quantities = {kDrops}, .to = 20}});
  EXPECT_THAT(opened(), SizeIs(1));
  run(400, {{.from = 350, .seconds = 1, .quantities = {kErrors}, .to = 20}});
  ASSERT_THAT(opened(), SizeIs(2));
  EXPECT_THAT(told_after(350), Le(3));
}

TEST_F(Alarms, AWaitInEachThirdSecondLasts) {
  run(300, {{.from = kFrom, .seconds = 60, .every = 3, .to = 0.6F}});
  ASSERT_THAT(opened(), SizeIs(1));
  EXPECT_THAT(told_after(kFrom), testing::AllOf(Ge(12), Le(14)));
  EXPECT_EQ(opened()[0].incident.onset_ns, MadeFleet::begin_of(kFrom));
}

TEST_F(Alarms, AfterABriefRiseOneAloneMustLast) {
  // As brief rises go: half of the least rise, on another host.
  run(kFrom + 10, {{.from = kFrom, .seconds = 2, .to = 0.075F, .host = 7}});
  run(kFrom + 60, {{.from = kFrom + 20, .seconds = 8}});
  EXPECT_THAT(lab_.news, IsEmpty());
  run(kFrom + 120, {{.from = kFrom + 80, .seconds = 30}});
  ASSERT_THAT(opened(), SizeIs(1));
  EXPECT_THAT(told_after(kFrom + 80), testing::AllOf(Ge(12), Le(14)));
  // A host's first seconds above its peers are not kept for so long.
  EXPECT_THAT(opened()[0].incident.onset_ns, testing::AllOf(Ge(MadeFleet::begin_of(kFrom + 80)),
                                                            Le(MadeFleet::begin_of(kFrom + 82))));
}

TEST_F(Alarms, AfterABriefRiseOneInCompanyIsToldSoon) {
  run(kFrom + 10, {{.from = kFrom, .seconds = 2}});
  run(kFrom + 100,
      {{.from = kFrom + 50, .seconds = 30, .quantities = {kCpuPressure, kReads, kBusy}}});
  ASSERT_THAT(opened(), SizeIs(1));
  EXPECT_EQ(told_after(kFrom + 50), 3);
}

TEST_F(Alarms, AStrongOneInCompanyIsToldAfterTwoSeconds) {
  run(300, {{.from = kFrom, .seconds = 30, .quantities = {kBusy, kReads}},
            {.from = kFrom, .seconds = 30, .to = 0.6F}});
  ASSERT_THAT(opened(), SizeIs(1));
  EXPECT_EQ(told_after(kFrom), 2);
  EXPECT_EQ(opened()[0].incident.onset_ns, MadeFleet::begin_of(kFrom));
}

TEST_F(Alarms, OneOtherQuantityIsNoCompany) {
  run(kFrom + 10, {{.from = kFrom, .seconds = 2}});
  run(kFrom + 100, {{.from = kFrom + 50, .seconds = 8, .quantities = {kCpuPressure, kReads}}});
  EXPECT_THAT(lab_.news, IsEmpty());
}

TEST_F(Alarms, TheHostsOwnDetectorsAreCompany) {
  run(kFrom + 10, {{.from = kFrom, .seconds = 2}});
  lab_.made.more(kSlow).votes = kFewestVotes;
  run(kFrom + 100, {{.from = kFrom + 50, .seconds = 30}});
  ASSERT_THAT(opened(), SizeIs(1));
  EXPECT_EQ(told_after(kFrom + 50), 3);
}

TEST_F(Alarms, ABriefRiseOfAnotherQuantityChangesNothing) {
  run(kFrom + 10, {{.from = kFrom, .seconds = 2, .quantities = {kRetransmits}, .to = 0.02F}});
  run(kFrom + 100, {{.from = kFrom + 50, .seconds = 30}});
  ASSERT_THAT(opened(), SizeIs(1));
  EXPECT_EQ(told_after(kFrom + 50), 3);
}

TEST_F(Alarms, OneThatIsToldGoesOnWithoutCompany) {
  run(kFrom + 10, {{.from = kFrom, .seconds = 2}});
  run(kFrom + 120, {{.from = kFrom + 50, .seconds = 4, .quantities = {kReads, kBusy}},
                    {.from = kFrom + 50, .seconds = 9}});
  ASSERT_THAT(lab_.of(Told::kClosed), SizeIs(1));
  EXPECT_THAT(lab_.of(Told::kClosed)[0].incident.end_ns, Ge(MadeFleet::end_of(kFrom + 58)));
}

TEST_F(Alarms, AfterADayAQuantityIsTrustedAgain) {
  run(kFrom + 10, {{.from = kFrom, .seconds = 2}});
  // Nobody speaks for a day.
  const std::size_t later = kFrom + 86'400;
  now_ = later;
  run(later + 400, {{.from = later + 300, .seconds = 8}});
  ASSERT_THAT(opened(), SizeIs(1));
  EXPECT_EQ(told_after(later + 300), 3);
}

}  // namespace
}  // namespace reveal::peers

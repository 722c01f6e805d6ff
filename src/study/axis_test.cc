#include "study/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::study {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const Axis& axis) {
  std::vector<std::string> out;
  for (const double tick : axis.ticks()) out.push_back(axis.label(tick));
  return out;
}

std::vector<std::string> texts(double low, double high, std::string_view unit) {
  return texts(Axis({low, high}, {0, 100}, unit));
}

TEST(Axis, ValuesLieInProportion) {
  const Axis axis({10, 15}, {200, 100}, "");
  EXPECT_EQ(axis.place(10), 200);
  EXPECT_EQ(axis.place(15), 100);
  EXPECT_NEAR(axis.place(12), 160, 1e-9);
}

TEST(Axis, BeginsAtZeroIfThatTakesNoMoreThanHalf) {
  EXPECT_EQ(Axis({5, 10}, {0, 100}, "").place(0), 0);
  EXPECT_EQ(Axis({5.1, 10}, {0, 100}, "").place(5.1), 0);
  EXPECT_NEAR(Axis({-1, 10}, {0, 110}, "").place(0), 10, 1e-9);
}

TEST(Axis, WhatHardlyDiffersLooksAlike) {
  const Axis axis({100, 101}, {0, 101}, "");
  EXPECT_NEAR(axis.place(101) - axis.place(100), 20, 1e-9);  // of 5.05
  EXPECT_NEAR(axis.place(100.5), 50.5, 1e-9);
  EXPECT_THAT(texts(7, 7, ""), ElementsAre("6.9", "7", "7.1"));
  EXPECT_EQ(Axis({0, 0}, {0, 100}, "").place(0), 0);
}

TEST(Axis, NumbersAreRound) {
  EXPECT_THAT(texts(0, 1, "ratio"), ElementsAre("0 %", "20 %", "40 %", "60 %", "80 %", "100 %"));
  EXPECT_THAT(texts(0, 12, ""), ElementsAre("0", "5", "10"));
  EXPECT_THAT(texts(-3, 3, ""), ElementsAre("-2", "0", "2"));
  EXPECT_THAT(texts(0, 0.6, "seconds"), ElementsAre("0 s", "200 ms", "400 ms", "600 ms"));
}

TEST(Axis, BytesAreInPowersOfTwo) {
  const double gib = 1024.0 * 1024 * 1024;
  EXPECT_THAT(texts(0, 3 * gib, "bytes"), ElementsAre("0 bytes", "1 GiB", "2 GiB", "3 GiB"));
  EXPECT_THAT(texts(0, gib, "bytes/s"),
              ElementsAre("0 bytes/s", "256 MiB/s", "512 MiB/s", "768 MiB/s", "1 GiB/s"));
}

TEST(Axis, LongTimesAreInMinutesHoursOrDays) {
  EXPECT_THAT(texts(0, 120, "seconds"), ElementsAre("0 s", "50 s", "100 s"));
  EXPECT_THAT(texts(0, 1500, "seconds"),
              ElementsAre("0 min", "5 min", "10 min", "15 min", "20 min", "25 min"));
  EXPECT_THAT(texts(0, 86'400, "seconds"), ElementsAre("0 h", "5 h", "10 h", "15 h", "20 h"));
  EXPECT_THAT(texts(0, 10 * 86'400, "seconds"),
              ElementsAre("0 d", "2 d", "4 d", "6 d", "8 d", "10 d"));
}

TEST(Axis, AUnitWithoutWordsOfItsOwnStandsBeside) {
  EXPECT_EQ(Axis({0, 1}, {0, 1}, "packets/s").unit_beside(), "packets/s");
  EXPECT_THAT(texts(0, 10, "packets/s"), ElementsAre("0", "2", "4", "6", "8", "10"));
  EXPECT_EQ(Axis({0, 1}, {0, 1}, "bytes").unit_beside(), "");
}

}  // namespace
}  // namespace reveal::study

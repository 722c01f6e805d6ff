#include "probes/statsd.h"

#include <cmath>
#include <random>
#include <string>

#include <gmock/gmock.h>

namespace reveal::probes {
namespace {

using ::testing::HasSubstr;
using Type = StatsdType;

Datagram read(std::string_view text) {
  Datagram out;
  read_datagram(text, out);
  return out;
}

void expect_sample(std::string_view text, std::string_view metric, std::string_view instance,
                   Type type, double value) {
  const auto got = read(text);
  ASSERT_EQ(got.samples.size(), 1u) << text << ": " << (got.refusal ? got.refusal : "");
  EXPECT_EQ(got.samples[0].metric, metric) << text;
  EXPECT_EQ(got.samples[0].instance, instance) << text;
  EXPECT_EQ(got.samples[0].type, type) << text;
  EXPECT_DOUBLE_EQ(got.samples[0].value, value) << text;
  EXPECT_EQ(got.refused, 0u) << text;
}

// The lines of StatsD's and DogStatsD's own descriptions.
TEST(StatsdLines, ReadsEachType) {
  expect_sample("gorets:1|c", "gorets", "", Type::kCount, 1);
  expect_sample("gorets:1|c|@0.1", "gorets", "", Type::kCount, 10);
  expect_sample("glork:320|ms|@0.1", "glork", "", Type::kTiming, 320);
  expect_sample("gaugor:333|g", "gaugor", "", Type::kLevel, 333);
  expect_sample("gaugor:-10|g", "gaugor", "", Type::kLevelStep, -10);
  expect_sample("gaugor:+4|g", "gaugor", "", Type::kLevelStep, 4);
  expect_sample("page.views:1|c\n", "page_views", "", Type::kCount, 1);
  expect_sample("song.length:240|h|@0.5", "song_length", "", Type::kTiming, 240);
  expect_sample("users.online:1|c|#country:china,env", "users_online", "country=china,env=yes",
                Type::kCount, 1);
  expect_sample("a:1|c|@0.5|#route:/v1/x:y|c:ci-123|T1656581400", "a", "route=/v1/x:y",
                Type::kCount, 2);
}

TEST(StatsdLines, ReadsManyLinesAndManyValues) {
  const auto got = read("a:1|c\r\nb:2:3:4|ms\n\nc:5|g");
  ASSERT_EQ(got.samples.size(), 5u);
  EXPECT_EQ(got.samples[1].value, 2);
  EXPECT_EQ(got.samples[3].value, 4);
  EXPECT_EQ(got.samples[3].metric, "b");
  EXPECT_EQ(got.samples[4].metric, "c");
  EXPECT_EQ(got.refused, 0u);
}

TEST(StatsdLines, RefusesWhatItCannotMean) {
  const auto refusal = [](std::string_view line) {
    const auto got = read(line);
    EXPECT_TRUE(got.samples.empty()) << line;
    EXPECT_EQ(got.refused, 1u) << line;
    return std::string(got.refusal == nullptr ? "" : got.refusal);
  };
  EXPECT_THAT(refusal("a"), HasSubstr("type"));
  EXPECT_THAT(refusal("a:1"), HasSubstr("type"));
  EXPECT_THAT(refusal("a:1|s"), HasSubstr("type"));
  EXPECT_THAT(refusal("a:|c"), HasSubstr("value"));
  EXPECT_THAT(refusal("a:x|c"), HasSubstr("value"));
  EXPECT_THAT(refusal("a:inf|g"), HasSubstr("value"));
  EXPECT_THAT(refusal("a:nan|ms"), HasSubstr("value"));
  EXPECT_THAT(refusal("a:-1|c"), HasSubstr("below 0"));
  EXPECT_THAT(refusal("a:1|c|@0"), HasSubstr("rate"));
  EXPECT_THAT(refusal("a:1|c|@2"), HasSubstr("rate"));
  EXPECT_THAT(refusal(":1|c"), HasSubstr("name"));
  EXPECT_THAT(refusal("9a:1|c"), HasSubstr("name"));
  EXPECT_THAT(refusal(std::string(300, 'a') + ":1|c"), HasSubstr("name"));
  EXPECT_THAT(refusal("a:1|c|#x:" + std::string(300, 'y')), HasSubstr("tags"));
  EXPECT_THAT(refusal("_e{5,4}:title|text"), HasSubstr("events"));
  EXPECT_THAT(refusal("_sc|name|0"), HasSubstr("events"));
}

TEST(StatsdLines, SurvivesAnyBytes) {
  const std::string sound = "a.b:1:2|c|@0.5|#rank:3,job:x\nq:+7|g\n";
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text = sound.substr(0, random() % (sound.size() + 1));
    for (int i = 0; i < 3 && !text.empty(); ++i) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    for (const auto& sample : read(text).samples) {
      EXPECT_FALSE(sample.metric.empty());
      EXPECT_TRUE(std::isfinite(sample.value)) << text;
    }
  }
}

}  // namespace
}  // namespace reveal::probes

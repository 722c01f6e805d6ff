#include "probes/exposition.h"

#include <cmath>
#include <random>
#include <string>

#include <gmock/gmock.h>

namespace reveal::probes {
namespace {

using ::testing::HasSubstr;

void expect_sample(std::string_view text, std::string_view metric, std::string_view instance,
                   double value) {
  const auto read = read_exposition(text);
  ASSERT_EQ(read.samples.size(), 1u) << text << ": " << read.first_refusal;
  EXPECT_EQ(read.samples[0].metric, metric) << text;
  EXPECT_EQ(read.samples[0].instance, instance) << text;
  EXPECT_EQ(read.samples[0].value, value) << text;
  EXPECT_EQ(read.refused, 0u) << text;
}

std::string refusal(std::string_view line) {
  const auto read = read_exposition(line);
  EXPECT_TRUE(read.samples.empty()) << line;
  EXPECT_EQ(read.refused, 1u) << line;
  return read.first_refusal;
}

TEST(Exposition, ReadsSamplesAsTheFormatHasThem) {
  expect_sample("a 1\n", "a", "", 1);
  expect_sample("a 1", "a", "", 1);
  expect_sample("  a\t 1.5e-3  \r\n", "a", "", 0.0015);
  expect_sample("a +4", "a", "", 4);
  expect_sample("a{} -7", "a", "", -7);
  expect_sample("a{rank=\"3\"} 1", "a", "rank=3", 1);
  expect_sample("a {rank=\"3\", host=\"x\" , } 1", "a", "host=x,rank=3", 1);
  expect_sample("a{rank=\"}\\\"\\\\\\n\"}1", "a", "rank=__\\_", 1);
  expect_sample("job:steps_total 9007199254740993", "job:steps_total", "", 9007199254740992.0);
}

TEST(Exposition, PassesOverWhatIsNoSample) {
  const auto read =
      read_exposition("# HELP a b\n# TYPE a gauge\n\n  # note\r\n\r\na NaN\nb +Inf\n");
  EXPECT_TRUE(read.samples.empty());
  EXPECT_EQ(read.refused, 0u) << read.first_refusal;
}

TEST(Exposition, AnOddLineCostsItself) {
  const auto read = read_exposition("a 1\nb one\nc{x=1} 2\nd 3\n");
  ASSERT_EQ(read.samples.size(), 2u);
  EXPECT_EQ(read.samples[0].metric, "a");
  EXPECT_EQ(read.samples[1].metric, "d");
  EXPECT_EQ(read.refused, 2u);
  EXPECT_EQ(read.first_refusal, "line 2: the value is not a number");
}

TEST(Exposition, SaysWhatIsWrong) {
  EXPECT_THAT(refusal("4a 1"), HasSubstr("the name"));
  EXPECT_THAT(refusal("a"), HasSubstr("the value"));
  EXPECT_THAT(refusal("a b"), HasSubstr("the value"));
  EXPECT_THAT(refusal("a 1 1700000000000"), HasSubstr("a time of its own"));
  EXPECT_THAT(refusal("a{x=\"1\"} 1 1700000000000"), HasSubstr("a time of its own"));
  for (const char* labels : {"a{x=\"1\" 2", "a{x=\"1} 2", "a{x=\"1\"y=\"2\"} 2", "a{=\"1\"} 2",
                             "a{x} 2", "a{x=\"1\\", "a{x=\"1\",x=\"2\"} 2", "a{\"x\"} 2", "a{"}) {
    EXPECT_THAT(refusal(labels), HasSubstr("the labels are not")) << labels;
  }
  EXPECT_THAT(refusal("a{x=\"" + std::string(300, 'y') + "\"} 1"), HasSubstr("too long"));
}

TEST(Exposition, TakesSoManySamplesAndNoMore) {
  std::string text;
  for (std::size_t i = 0; i <= kMostSamples; ++i) {
    text += "a{i=\"" + std::to_string(i) + "\"} 1\n";
  }
  const auto read = read_exposition(text);
  EXPECT_EQ(read.samples.size(), kMostSamples);
  EXPECT_EQ(read.refused, 1u);
  EXPECT_THAT(read.first_refusal, HasSubstr("more than 2000 samples"));
}

// Whatever a byte becomes, and wherever the text ends, what is read is whole.
TEST(Exposition, SurvivesAnyBytes) {
  const std::string sound = "# TYPE a gauge\na{rank=\"3\",job=\"x \\\"y\\\"\"} 1.5\nb_total 7\n";
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text = sound.substr(0, random() % (sound.size() + 1));
    for (int i = 0; i < 3 && !text.empty(); ++i) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    for (const auto& sample : read_exposition(text).samples) {
      EXPECT_FALSE(sample.metric.empty());
      EXPECT_TRUE(std::isfinite(sample.value));
      EXPECT_EQ(sample.instance.find_first_of("\n\"{}"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace reveal::probes

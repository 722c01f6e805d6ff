#include "wire/levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/testing/made_messages.h"

namespace reveal::wire {
namespace {

using testing::ElementsAre;

// An encoder and a decoder, with the messages between them.
class Line {
 public:
  explicit Line(std::uint64_t phase = 30) : encoder(phase) { head.sequence = 100; }

  // Sends the codes as the next second.
  Bytes send(const std::vector<Code>& codes, std::uint64_t skipped = 0) {
    head.sequence += 1 + skipped;
    Bytes out;
    encoder.encode(head, codes, out);
    return out;
  }

  LevelsEncoder encoder;
  LevelsDecoder decoder;
  LevelsHead head;
};

std::vector<Code> codes_of(const LevelsDecoder& decoder) {
  return {decoder.codes().begin(), decoder.codes().end()};
}

TEST(Levels, OnlyTheFirstMessageIsWhole) {
  Line line;
  ASSERT_TRUE(line.decoder.decode(line.send({5, 0, -7})));
  EXPECT_TRUE(line.decoder.is_key());
  EXPECT_THAT(codes_of(line.decoder), ElementsAre(5, 0, -7));
  EXPECT_THAT(line.decoder.moved(), ElementsAre(0, 2));
  ASSERT_TRUE(line.decoder.decode(line.send({5, kAbsent, -7})));
  EXPECT_FALSE(line.decoder.is_key());
  EXPECT_THAT(codes_of(line.decoder), ElementsAre(5, kAbsent, -7));
  EXPECT_THAT(line.decoder.moved(), ElementsAre(1));
}

TEST(Levels, WhoMissedAMessageWaitsForAKeyMessage) {
  Line line;
  ASSERT_TRUE(line.decoder.decode(line.send({1, 2})));
  line.send({3, 4});  // lost
  const auto refused = line.decoder.decode(line.send({5, 6}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::kTooLittle);
  EXPECT_THAT(codes_of(line.decoder), ElementsAre(1, 2));
  line.encoder.restart();
  ASSERT_TRUE(line.decoder.decode(line.send({7, 8})));
  EXPECT_THAT(codes_of(line.decoder), ElementsAre(7, 8));
}

TEST(Levels, ASkippedSecondIsNoLoss) {
  Line line;
  ASSERT_TRUE(line.decoder.decode(line.send({1})));
  ASSERT_TRUE(line.decoder.decode(line.send({2}, 3)));
  EXPECT_FALSE(line.decoder.is_key());
  ASSERT_TRUE(line.decoder.decode(line.send({3}, 255)));
  EXPECT_TRUE(line.decoder.is_key());
}

TEST(Levels, KeyMessagesComeEachMinuteInThePhaseOfTheHost) {
  for (const std::uint64_t phase : {0U, 1U, 30U, 59U, 60U}) {
    Line line(phase);
    line.head.sequence = 1000;
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(line.decoder.decode(line.send({static_cast<Code>(i)})));
      if (line.decoder.is_key()) keys.push_back(line.head.sequence);
    }
    ASSERT_GE(keys.size(), 4u);
    EXPECT_EQ(keys.front(), 1001u);
    for (std::size_t i = 1; i < keys.size(); ++i) EXPECT_EQ(keys[i] % kKeyEvery, phase % kKeyEvery);
  }
}

TEST(Levels, AKeyThatFellIntoAGapComesAfterIt) {
  Line line(10);
  line.head.sequence = 60;
  ASSERT_TRUE(line.decoder.decode(line.send({1})));
  ASSERT_TRUE(line.decoder.decode(line.send({1}, 20)));
  EXPECT_TRUE(line.decoder.is_key());
}

TEST(Levels, AnotherRunDictionaryOrNumberOfQuantitiesBeginsAnew) {
  Line line;
  ASSERT_TRUE(line.decoder.decode(line.send({1})));
  line.head.head.run = 7;
  ASSERT_TRUE(line.decoder.decode(line.send({2})));
  EXPECT_TRUE(line.decoder.is_key());
  line.head.dictionary = 7;
  ASSERT_TRUE(line.decoder.decode(line.send({3})));
  EXPECT_TRUE(line.decoder.is_key());
  ASSERT_TRUE(line.decoder.decode(line.send({3, 4})));
  EXPECT_TRUE(line.decoder.is_key());
  line.head.sequence -= 2;  // the same bucket again
  ASSERT_TRUE(line.decoder.decode(line.send({3, 5})));
  EXPECT_TRUE(line.decoder.is_key());
}

TEST(Levels, WhatIsSaidBesideTheLevelsComesBack) {
  base::Rng rng(3);
  LevelsHead head;
  head.head = random_head(rng);
  for (int i = 0; i < 300; ++i) {
    head = random_levels_head(rng, head);
    LevelsEncoder encoder;
    Bytes message;
    encoder.encode(head, std::vector<Code>{1}, message);
    LevelsDecoder decoder;
    ASSERT_TRUE(decoder.decode(message));
    const LevelsHead& got = decoder.head();
    EXPECT_EQ(got.head, head.head);
    EXPECT_EQ(got.sequence, head.sequence);
    EXPECT_EQ(got.late, head.late);
    EXPECT_EQ(got.learning, head.learning);
    EXPECT_NEAR(got.strength, head.strength, head.strength / 256);
    for (std::size_t s = 0; s < head.shares.size(); ++s) {
      EXPECT_NEAR(got.shares[s], head.shares[s], 0.5 / 255 + 1e-6);
    }
    // What was rounded once is not rounded again.
    Bytes again;
    LevelsEncoder().encode(got, std::vector<Code>{1}, again);
    EXPECT_EQ(again, message);
  }
}

TEST(Levels, RandomCodesComeBackAndThereIsOneWayToWriteThem) {
  base::Rng rng(1);
  for (const std::size_t count : {1U, 7U, 8U, 9U, 63U, 64U, 65U, 744U, 16'384U}) {
    Line line;
    std::vector<Code> codes(count, 0);
    for (int i = 0; i < 70; ++i) {
      move(rng, codes);
      ASSERT_TRUE(line.decoder.decode(line.send(codes)));
      ASSERT_EQ(codes_of(line.decoder), codes);
    }
  }
}

// Of damaged messages few are messages, and these say something else.
TEST(Levels, DamageIsRefusedOrIsAnotherMessage) {
  base::Rng rng(1);
  Line line;
  std::vector<Code> codes(40, 0);
  move(rng, codes);
  const Bytes key = line.send(codes);
  move(rng, codes);
  const Bytes sound = line.send(codes);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    Bytes damaged = sound;
    damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ (1U << (bit % 8)));
    LevelsDecoder decoder;
    ASSERT_TRUE(decoder.decode(key));
    const auto before = codes_of(decoder);
    if (!decoder.decode(damaged)) {
      ++refused;
      EXPECT_EQ(codes_of(decoder), before);
      EXPECT_EQ(decoder.head().sequence, line.head.sequence - 1);
      continue;
    }
    LevelsDecoder whole;
    ASSERT_TRUE(whole.decode(key));
    ASSERT_TRUE(whole.decode(sound));
    EXPECT_TRUE(!(whole.head() == decoder.head()) || codes_of(whole) != codes_of(decoder));
  }
  EXPECT_GT(refused, sound.size());
}

// Of ten quantities the upper map has no third group, and the second group no bit above the second.
TEST(Levels, MapsThatNameQuantitiesThatAreNotThereAreRefused) {
  constexpr std::size_t kUpper = 48;
  Line line;
  ASSERT_TRUE(line.decoder.decode(line.send(std::vector<Code>(10, 1))));
  const Bytes sound = line.send({2, 1, 1, 1, 1, 1, 1, 1, 2, 1});
  ASSERT_EQ(sound[kUpper], 0b11);
  for (const unsigned upper : {0b111U, 0b101U, 0b1000'0001U}) {
    Bytes damaged = sound;
    damaged[kUpper] = static_cast<std::uint8_t>(upper);
    EXPECT_FALSE(line.decoder.decode(damaged));
  }
  Bytes damaged = sound;
  damaged[kUpper + 2] = 0b100;
  EXPECT_FALSE(line.decoder.decode(damaged));
  EXPECT_TRUE(line.decoder.decode(sound));
}

TEST(Levels, EveryPartOfAMessageIsNeeded) {
  Line line;
  const Bytes sound = line.send({1, 2, 300, 0, 0, 0, 0, 0, 0, 5});
  for (std::size_t size = 0; size < sound.size(); ++size) {
    EXPECT_FALSE(line.decoder.decode(ByteView(sound).first(size))) << size;
  }
  Bytes longer = sound;
  longer.push_back(0);
  EXPECT_FALSE(line.decoder.decode(longer));
  EXPECT_TRUE(line.decoder.decode(sound));
}

}  // namespace
}  // namespace reveal::wire

#include "store/range_coder.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::store {
namespace {

struct Decision {
  std::size_t probability;
  bool yes;
  std::uint64_t raw;
  int raw_bits;
};

// Decisions of which some are nearly certain, some even, with raw bits between them.
std::vector<Decision> decisions(base::Rng& rng, std::size_t count) {
  std::vector<Decision> out;
  const std::uint64_t rare = 1 + rng.below(200);
  for (std::size_t i = 0; i < count; ++i) {
    Decision d{};
    d.probability = rng.below(3);
    d.yes = d.probability == 0 ? rng.below(2) == 0 : rng.below(rare) == 0;
    d.raw_bits = rng.below(4) == 0 ? static_cast<int>(rng.below(65)) : 0;
    const std::uint64_t mask = d.raw_bits == 64 ? ~0ull : (1ull << d.raw_bits) - 1;
    d.raw = rng.below(8) == 0 ? mask : rng.next() & mask;
    out.push_back(d);
  }
  return out;
}

TEST(RangeCoder, DecodesWhatWasEncoded) {
  base::Rng rng(1);
  for (std::size_t round = 0; round < 2000; ++round) {
    const auto all = decisions(rng, rng.below(400));
    Bytes out = {1, 2, 3};  // a code begins anywhere
    {
      BitProbability probabilities[3];
      RangeEncoder encoder(out);
      for (const auto& d : all) {
        encoder.bit(probabilities[d.probability], d.yes);
        encoder.raw(d.raw, d.raw_bits);
      }
      encoder.finish();
    }
    ASSERT_EQ((Bytes{out[0], out[1], out[2]}), (Bytes{1, 2, 3}));
    BitProbability probabilities[3];
    RangeDecoder decoder(ByteView(out).subspan(3));
    for (const auto& d : all) {
      ASSERT_EQ(decoder.bit(probabilities[d.probability]), d.yes);
      ASSERT_EQ(decoder.raw(0, d.raw_bits), d.raw);
    }
  }
}

TEST(RangeCoder, CostsNearlyNothingWhereEverythingIsAsExpected) {
  Bytes out;
  RangeEncoder encoder(out);
  BitProbability probability;
  for (int i = 0; i < 600; ++i) encoder.bit(probability, false);
  encoder.finish();
  EXPECT_LE(out.size(), 2u);
}

// The entropy of one decision in ten is 0.469 bits.
TEST(RangeCoder, ComesNearTheEntropy) {
  base::Rng rng(2);
  Bytes out;
  RangeEncoder encoder(out);
  BitProbability probability;
  for (int i = 0; i < 100'000; ++i) encoder.bit(probability, rng.below(10) == 0);
  encoder.finish();
  EXPECT_NEAR(8e-5 * static_cast<double>(out.size()), 0.469, 0.02);
}

TEST(RangeCoder, DecodesAnyBytesToSomething) {
  base::Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    Bytes bytes(rng.below(30));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(rng.next());
    RangeDecoder decoder(bytes);
    BitProbability probability;
    for (int i = 0; i < 500; ++i) {
      decoder.bit(probability);
      EXPECT_LT(decoder.raw(0, 13), 1u << 13);
    }
  }
}

}  // namespace
}  // namespace reveal::store

#include "store/block_codec.h"

#include <vector>

#include <gtest/gtest.h>

#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using model::Frame;

Bytes encode(const std::vector<Frame>& frames, std::size_t columns_at_once = 1000) {
  BlockBuilder builder;
  for (const Frame& frame : frames) builder.add(frame, frame.gap, frame.notes);
  BlockEncoder encoder(std::move(builder), {});
  while (!encoder.advance(columns_at_once)) {
  }
  Bytes out;
  encoder.finish(out);
  return out;
}

void expect_frames(const Bytes& payload, const std::vector<Frame>& want) {
  auto block = BlockDecoder::open(payload, 1000);
  ASSERT_TRUE(block) << block.error().message();
  ASSERT_TRUE(block->decode());
  ASSERT_EQ(block->ticks(), want.size());
  Frame got;
  for (std::size_t tick = 0; tick < want.size(); ++tick) {
    block->frame(tick, got);
    testing_run::expect_same(got, want[tick]);
    EXPECT_EQ(got.notes, want[tick].notes);
  }
}

TEST(BlockCodec, BringsAwkwardFramesBackBitForBit) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto frames = testing_run::frames(seed, 1 + seed * 7, seed * 3 % 40);
    expect_frames(encode(frames), frames);
  }
}

TEST(BlockCodec, ChannelsMayAppearAndGoInsideABlock) {
  base::Rng rng(3);
  std::vector<Frame> frames;
  Frame frame;
  for (std::size_t i = 0; i < 80; ++i) {
    frame = testing_run::next_frame(rng, frame, i % 17 == 16 ? 2 : i / 5);
    if (i % 13 == 0) frame.read_ns.resize(i % 5);
    frames.push_back(frame);
  }
  expect_frames(encode(frames), frames);
}

TEST(BlockCodec, IsTheSameHoweverItsEncodingIsSpreadOut) {
  const auto frames = testing_run::frames(5, 100, 30);
  EXPECT_EQ(encode(frames, 1), encode(frames));
}

TEST(BlockCodec, ChannelsThatAreNotWantedAreMissing) {
  const auto frames = testing_run::frames(6, 60, 12);
  const Bytes payload = encode(frames);
  auto block = BlockDecoder::open(payload, 12);
  ASSERT_TRUE(block);
  std::vector<bool> wanted(12, false);
  wanted[4] = wanted[11] = true;
  ASSERT_TRUE(block->decode(&wanted));
  Frame got;
  for (std::size_t tick = 0; tick < frames.size(); ++tick) {
    block->frame(tick, got);
    ASSERT_EQ(got.bits.size(), 12u);
    EXPECT_EQ(got.bits[4], frames[tick].bits[4]);
    EXPECT_EQ(got.validity[11], frames[tick].validity[11]);
    EXPECT_EQ(got.validity[5], model::Validity::kMissing);
    EXPECT_EQ(got.read_ns, frames[tick].read_ns);
  }
}

TEST(BlockCodec, FramesMayBeReadInAnyOrder) {
  const auto frames = testing_run::frames(7, 50, 9);
  const Bytes payload = encode(frames);
  auto block = BlockDecoder::open(payload, 9);
  ASSERT_TRUE(block && block->decode());
  Frame got;
  for (const std::size_t tick : {49u, 0u, 1u, 2u, 30u, 29u, 31u}) {
    block->frame(tick, got);
    testing_run::expect_same(got, frames[tick]);
  }
}

TEST(BlockCodec, MoreChannelsThanAreKnownAreRefused) {
  const Bytes payload = encode(testing_run::frames(8, 5, 9));
  EXPECT_FALSE(BlockDecoder::open(payload, 8));
  EXPECT_TRUE(BlockDecoder::open(payload, 9));
}

TEST(BlockCodec, DamagedBytesAreRefusedOrDecodeToSomething) {
  base::Rng rng(9);
  const Bytes sound = encode(testing_run::frames(9, 20, 9));
  for (int round = 0; round < 5000; ++round) {
    Bytes damaged = sound;
    if (rng.below(3) == 0) {
      damaged.resize(rng.below(damaged.size()));
    } else {
      damaged[rng.below(damaged.size())] ^= static_cast<std::uint8_t>(1 + rng.below(255));
    }
    auto block = BlockDecoder::open(damaged, 9);
    if (!block || !block->decode()) continue;
    Frame got;
    for (std::size_t tick = 0; tick < block->ticks(); ++tick) block->frame(tick, got);
  }
}

}  // namespace
}  // namespace reveal::store

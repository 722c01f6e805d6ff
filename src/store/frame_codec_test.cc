#include "store/frame_codec.h"

#include <gtest/gtest.h>

#include "store/testing/test_run.h"
#include "store/validity_codec.h"

namespace reveal::store {
namespace {

using model::Frame;
using model::Validity;

// An encoder and a decoder that talk to each other.
class Codec {
 public:
  RecordType pass(const Frame& frame) {
    Bytes payload;
    const RecordType type = encoder.encode(frame, frame.gap, payload);
    const auto decoded = decoder.decode(type, payload, frame.bits.size());
    EXPECT_TRUE(decoded) << decoded.error().message();
    testing_run::expect_same(decoder.frame(), frame);
    return type;
  }
  FrameEncoder encoder;
  FrameDecoder decoder;
};

TEST(FrameCodec, EveryBitComesBack) {
  for (const std::size_t channels : {0u, 1u, 7u, 8u, 9u, 64u, 200u}) {
    Codec codec;
    for (const Frame& frame : testing_run::frames(channels + 1, 35, channels)) codec.pass(frame);
  }
}

TEST(FrameCodec, ClocksAndSequenceMayJumpAnywhere) {
  Codec codec;
  Frame frame;
  frame.resize(2);
  for (const std::int64_t time : {std::int64_t{0}, std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}}) {
    frame.wall_ns = time;
    frame.mono_ns = ~time;
    frame.sequence = static_cast<std::uint64_t>(time);
    frame.cost_ns = static_cast<std::uint64_t>(time);
    frame.gap = 0xFF;
    codec.pass(frame);
  }
}

TEST(FrameCodec, AKeyFrameEveryFiftyAndWhereChannelsAppear) {
  Codec codec;
  const auto all = testing_run::frames(3, 125, 4);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(codec.pass(all[i]) == RecordType::kKeyFrame, i % 50 == 0) << i;
  }
  Frame wider = all.back();
  wider.resize(5);
  EXPECT_EQ(codec.pass(wider), RecordType::kKeyFrame);
  EXPECT_EQ(codec.pass(wider), RecordType::kDeltaFrame);
  codec.encoder.reset();
  EXPECT_EQ(codec.pass(wider), RecordType::kKeyFrame);
}

TEST(FrameCodec, ADeltaIsNeverAppliedToAnotherFrame) {
  const auto all = testing_run::frames(4, 3, 4);
  FrameEncoder encoder;
  Bytes payloads[3];
  for (std::size_t i = 0; i < 3; ++i) encoder.encode(all[i], 0, payloads[i]);

  FrameDecoder decoder;
  EXPECT_FALSE(decoder.decode(RecordType::kDeltaFrame, payloads[1], 4));
  ASSERT_TRUE(decoder.decode(RecordType::kKeyFrame, payloads[0], 4));
  EXPECT_FALSE(decoder.decode(RecordType::kDeltaFrame, payloads[2], 4));
  EXPECT_FALSE(decoder.decode(RecordType::kDeltaFrame, payloads[1], 4));
  ASSERT_TRUE(decoder.decode(RecordType::kKeyFrame, payloads[0], 4));
  EXPECT_TRUE(decoder.decode(RecordType::kDeltaFrame, payloads[1], 4));
}

TEST(FrameCodec, AFrameOfUnknownChannelsOrCutOffIsRefused) {
  Frame frame = testing_run::frames(5, 1, 9)[0];
  ASSERT_FALSE(frame.read_ns.empty());
  Bytes key;
  FrameEncoder().encode(frame, 0, key);
  frame.read_ns.clear();
  Bytes undated;  // what a writer from before there were reading times yields
  FrameEncoder().encode(frame, 0, undated);
  FrameDecoder decoder;
  EXPECT_FALSE(decoder.decode(RecordType::kKeyFrame, key, 8));
  for (std::size_t length = 0; length < key.size(); ++length) {
    EXPECT_EQ(decoder.decode(RecordType::kKeyFrame, ByteView(key).first(length), 9).has_value(),
              length == undated.size())
        << length;
  }
  key.push_back(0x55);  // a field of a later writer
  EXPECT_TRUE(decoder.decode(RecordType::kKeyFrame, key, 9));
}

TEST(FrameCodec, AnUnchangedFrameCostsItsBitmapAndLittleMore) {
  Frame frame;
  frame.resize(1600);
  frame.validity.assign(1600, Validity::kFresh);
  FrameEncoder encoder;
  Bytes key;
  Bytes delta;
  encoder.encode(frame, 0, key);
  encoder.encode(frame, 0, delta);
  EXPECT_EQ(delta.size(), 200u + 7u);  // seven fields of one byte, then the bitmap
}

TEST(Validity, OneByteWhenAllAreFreshElseRuns) {
  Bytes out;
  put_validity(out, std::vector<Validity>(1000, Validity::kFresh));
  EXPECT_EQ(out, Bytes{0});
  out.clear();
  const std::vector<Validity> mixed{Validity::kFresh, Validity::kStale, Validity::kStale,
                                    Validity::kMissing, Validity::kFresh};
  put_validity(out, mixed);
  EXPECT_EQ(out, (Bytes{2, 1, 2, 2, 0, 1, 0}));
}

TEST(Validity, RunsThatDoNotFitAreRefused) {
  const Bytes beyond{1, 3, 2, 0};
  const Bytes unknown{1, 0, 1, 4};
  const Bytes far{1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 2, 0};
  const Bytes endless{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0, 1};
  for (const Bytes& bytes : {beyond, unknown, far, endless}) {
    std::vector<Validity> validity(4);
    ByteCursor in(bytes);
    EXPECT_FALSE(read_validity(in, validity));
  }
}

}  // namespace
}  // namespace reveal::store

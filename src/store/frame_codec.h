// Frames to payloads and back, bit for bit: docs/storage_format.md, "Key frame" and "Delta frame".
// Encoder and decoder each remember the frame before; a delta names the sequence of the frame that
// it is based on, so a decoder never applies it to another one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "model/frame.h"
#include "store/bytes.h"
#include "store/record.h"

namespace reveal::store {

inline constexpr int kFramesPerKey = 50;

class FrameEncoder {
 public:
  // Appends the payload of `frame`, with `gap` in place of its own, and returns its record type.
  // REQUIRES: frame.bits and frame.validity have the same length.
  RecordType encode(const model::Frame& frame, std::uint8_t gap, Bytes& payload);

  // Makes the next frame a key frame.
  void reset() { until_key_ = 0; }

 private:
  void remember(const model::Frame& frame);

  model::Frame before_;
  int until_key_ = 0;
};

class FrameDecoder {
 public:
  // Decodes the payload of a key or delta frame into frame(). `channels` is how many are known.
  // After a failure, only a key frame can be decoded.
  base::Result<void> decode(RecordType type, ByteView payload, std::size_t channels);

  // Returns the frame decoded last, which is also the base of the next delta.
  const model::Frame& frame() const { return frame_; }

  // Makes deltas undecodable until the next key frame.
  void reset() { has_base_ = false; }
  bool has_base() const { return has_base_; }

 private:
  bool decode_key(ByteCursor& in, std::size_t channels);
  bool decode_delta(ByteCursor& in);

  model::Frame frame_;
  bool has_base_ = false;
};

}  // namespace reveal::store

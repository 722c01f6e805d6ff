#include "store/frame_codec.h"

#include "store/read_times_codec.h"
#include "store/validity_codec.h"

namespace reveal::store {
namespace {

std::uint64_t as_unsigned(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

std::size_t bitmap_bytes(std::size_t channels) {
  return (channels + 7) / 8;
}

std::uint8_t bit_of(std::size_t channel) {
  return static_cast<std::uint8_t>(1u << (channel % 8));
}

void put_key(Bytes& out, const model::Frame& frame, std::uint8_t gap) {
  put_varint(out, frame.sequence);
  put_zigzag(out, frame.wall_ns);
  put_zigzag(out, frame.mono_ns);
  put_varint(out, frame.cost_ns);
  out.push_back(gap);
  put_varint(out, frame.bits.size());
  put_validity(out, frame.validity);
  for (const std::uint64_t bits : frame.bits) put_varint(out, bits);
  put_read_times(out, frame.mono_ns, frame.read_ns);
}

void put_changes(Bytes& out, const std::vector<std::uint64_t>& from,
                 const std::vector<std::uint64_t>& to) {
  const std::size_t bitmap = out.size();
  out.resize(bitmap + bitmap_bytes(to.size()), 0);
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (from[i] == to[i]) continue;
    out[bitmap + i / 8] |= bit_of(i);
    put_difference(out, from[i], to[i]);
  }
}

void put_delta(Bytes& out, const model::Frame& before, const model::Frame& frame,
               std::uint8_t gap) {
  put_varint(out, before.sequence);
  put_varint(out, frame.sequence - before.sequence);
  put_difference(out, as_unsigned(before.wall_ns), as_unsigned(frame.wall_ns));
  put_difference(out, as_unsigned(before.mono_ns), as_unsigned(frame.mono_ns));
  put_varint(out, frame.cost_ns);
  out.push_back(gap);
  put_validity(out, frame.validity);
  put_changes(out, before.bits, frame.bits);
  put_read_time_changes(out, frame.mono_ns, before.read_ns, frame.read_ns);
}

// Returns whether no bit stands beyond the last channel.
bool unused_bits_clear(ByteView bitmap, std::size_t channels) {
  return channels % 8 == 0 || (bitmap.back() >> (channels % 8)) == 0;
}

bool apply_changes(ByteCursor& in, std::vector<std::uint64_t>& bits) {
  const ByteView bitmap = in.bytes(bitmap_bytes(bits.size()));
  if (!in.ok() || !unused_bits_clear(bitmap, bits.size())) return false;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if ((bitmap[i / 8] & bit_of(i)) != 0) bits[i] = in.plus_difference(bits[i]);
  }
  return in.ok();
}

}  // namespace

RecordType FrameEncoder::encode(const model::Frame& frame, std::uint8_t gap, Bytes& payload) {
  const bool key = until_key_ == 0 || frame.bits.size() != before_.bits.size() ||
                   frame.read_ns.size() != before_.read_ns.size();
  if (key) {
    put_key(payload, frame, gap);
    until_key_ = kFramesPerKey;
  } else {
    put_delta(payload, before_, frame, gap);
  }
  --until_key_;
  remember(frame);
  return key ? RecordType::kKeyFrame : RecordType::kDeltaFrame;
}

// Notes are no part of what the next frame is based on.
void FrameEncoder::remember(const model::Frame& frame) {
  before_.sequence = frame.sequence;
  before_.wall_ns = frame.wall_ns;
  before_.mono_ns = frame.mono_ns;
  before_.bits = frame.bits;
  before_.read_ns = frame.read_ns;
}

base::Result<void> FrameDecoder::decode(RecordType type, ByteView payload, std::size_t channels) {
  const bool key = type == RecordType::kKeyFrame;
  if (!key && !has_base_) {
    return base::fail(base::ErrorKind::kCorrupt, "a delta frame without the frame before it");
  }
  ByteCursor in(payload);
  has_base_ = key ? decode_key(in, channels) : decode_delta(in);
  if (has_base_) return {};
  return base::fail(base::ErrorKind::kCorrupt, "a frame that does not fit its channels");
}

bool FrameDecoder::decode_key(ByteCursor& in, std::size_t channels) {
  frame_.sequence = in.varint();
  frame_.wall_ns = in.zigzag();
  frame_.mono_ns = in.zigzag();
  frame_.cost_ns = in.varint();
  frame_.gap = in.u8();
  const std::uint64_t count = in.varint();
  if (!in.ok() || count > channels) return false;
  frame_.bits.resize(static_cast<std::size_t>(count));
  frame_.validity.resize(frame_.bits.size());
  if (!read_validity(in, frame_.validity)) return false;
  for (std::uint64_t& bits : frame_.bits) bits = in.varint();
  return in.ok() && read_read_times(in, frame_.mono_ns, frame_.read_ns);
}

bool FrameDecoder::decode_delta(ByteCursor& in) {
  if (in.varint() != frame_.sequence) return false;
  frame_.sequence += in.varint();
  frame_.wall_ns = static_cast<std::int64_t>(in.plus_difference(as_unsigned(frame_.wall_ns)));
  frame_.mono_ns = static_cast<std::int64_t>(in.plus_difference(as_unsigned(frame_.mono_ns)));
  frame_.cost_ns = in.varint();
  frame_.gap = in.u8();
  return read_validity(in, frame_.validity) && apply_changes(in, frame_.bits) &&
         apply_read_time_changes(in, frame_.mono_ns, frame_.read_ns);
}

}  // namespace reveal::store

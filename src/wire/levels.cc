#include "wire/levels.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace reveal::wire {
namespace {

constexpr std::uint16_t kLearning = 1;
constexpr std::uint16_t kGapBefore = 2;
constexpr std::uint16_t kJobsChanged = 4;
constexpr std::uint16_t kLate = 8;
constexpr std::uint16_t kKnownFlags = kLearning | kGapBefore | kJobsChanged | kLate;

constexpr std::uint64_t kFarthestBase = 255;
constexpr std::uint32_t kLargestBf16 = 0x7F7F;  // finite

std::size_t bytes_for(std::size_t bits) {
  return (bits + 7) / 8;
}

std::uint16_t flags_of(const LevelsHead& head) {
  return static_cast<std::uint16_t>(
      (head.learning ? kLearning : 0) | (head.gap_before ? kGapBefore : 0) |
      (head.jobs_changed ? kJobsChanged : 0) | (head.late ? kLate : 0));
}

std::uint16_t bf16_of(float value) {
  if (!(value > 0)) return 0;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  // To the nearest, of two to the even one.
  const std::uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
  return static_cast<std::uint16_t>(std::min(rounded, kLargestBf16));
}

std::uint8_t share_of(float ratio) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(ratio, 0.0F, 1.0F)));
}

float ratio_of(std::uint8_t share) {
  return static_cast<float>(share) / 255;
}

float read_bf16(Reader& in) {
  const std::uint32_t bits = in.u16();
  in.require(bits <= kLargestBf16);
  return in.ok() ? std::bit_cast<float>(bits << 16) : 0;
}

void put_levels_head(Bytes& out, const LevelsHead& head, std::uint8_t back) {
  put_head(out, Type::kLevels, flags_of(head), head.head);
  put_u64(out, head.sequence);
  put_u32(out, head.dictionary);
  out.push_back(back);
  out.push_back(head.votes);
  put_u16(out, bf16_of(head.strength));
  for (const float share : head.shares) out.push_back(share_of(share));
  out.push_back(share_of(head.missing));
  out.push_back(head.hung_sources);
}

LevelsHead read_levels_head(Reader& in, std::uint8_t& back) {
  LevelsHead out;
  std::uint16_t flags = 0;
  out.head = read_head(in, Type::kLevels, kKnownFlags, flags);
  out.learning = (flags & kLearning) != 0;
  out.gap_before = (flags & kGapBefore) != 0;
  out.jobs_changed = (flags & kJobsChanged) != 0;
  out.late = (flags & kLate) != 0;
  out.sequence = in.u64();
  out.dictionary = in.u32();
  back = in.u8();
  in.require(back <= out.sequence);
  out.votes = in.u8();
  out.strength = read_bf16(in);
  for (float& share : out.shares) share = ratio_of(in.u8());
  out.missing = ratio_of(in.u8());
  out.hung_sources = in.u8();
  const bool says = out.votes != 0 || out.strength != 0 ||
                    std::ranges::any_of(out.shares, [](float share) { return share != 0; });
  in.require(!(out.learning && says));
  return out;
}

// Appends both maps of where codes moved. `codes` and `base` have the same number.
void put_maps(Bytes& out, std::span<const Code> codes, std::span<const Code> base) {
  const std::size_t groups = bytes_for(codes.size());
  const std::size_t upper = out.size();
  out.resize(upper + bytes_for(groups));
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t end = std::min(codes.size(), 8 * group + 8);
    unsigned bits = 0;
    for (std::size_t i = 8 * group; i < end; ++i) {
      bits |= static_cast<unsigned>(codes[i] != base[i]) << (i % 8);
    }
    if (bits == 0) continue;
    out[upper + group / 8] |= static_cast<std::uint8_t>(1U << (group % 8));
    out.push_back(static_cast<std::uint8_t>(bits));
  }
}

// Reads both maps. Makes the reader bad if a bit is set for what is not there, or a byte of the
// lower one is 0.
void read_maps(Reader& in, std::size_t count, std::vector<std::uint16_t>& moved) {
  const std::size_t groups = bytes_for(count);
  const ByteView upper = in.bytes(bytes_for(groups));
  for (std::size_t group = 0; group < 8 * upper.size() && in.ok(); ++group) {
    if ((upper[group / 8] >> (group % 8) & 1U) == 0) continue;
    unsigned bits = in.u8();
    in.require(group < groups && bits != 0);
    in.require(8 * group + static_cast<std::size_t>(std::bit_width(bits)) <= count);
    for (; in.ok() && bits != 0; bits &= bits - 1) {
      moved.push_back(
          static_cast<std::uint16_t>(8 * group + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }
}

}  // namespace

std::uint8_t LevelsEncoder::back_of(const LevelsHead& head, std::size_t count) const {
  const bool same = codes_.size() == count && last_.head.run == head.head.run &&
                    last_.dictionary == head.dictionary;
  if (!same || head.sequence <= last_.sequence) return 0;
  // A key message that was due at a skipped sequence is due now.
  const auto keys_until = [&](std::uint64_t sequence) {
    return (sequence + kKeyEvery - phase_) / kKeyEvery;
  };
  if (keys_until(head.sequence) != keys_until(last_.sequence)) return 0;
  const std::uint64_t back = head.sequence - last_.sequence;
  return back > kFarthestBase ? 0 : static_cast<std::uint8_t>(back);
}

void LevelsEncoder::encode(const LevelsHead& head, std::span<const Code> codes, Bytes& out) {
  assert(!codes.empty() && codes.size() <= kMaxQuantities);
  const std::uint8_t back = back_of(head, codes.size());
  if (back == 0) codes_.assign(codes.size(), 0);
  put_levels_head(out, head, back);
  put_varint(out, codes.size());
  put_maps(out, codes, codes_);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] != codes_[i]) put_zigzag(out, std::int64_t{codes[i]} - codes_[i]);
  }
  codes_.assign(codes.begin(), codes.end());
  last_ = head;
}

bool LevelsDecoder::read_moves(Reader& in, std::size_t count, bool is_key) {
  new_moved_.clear();
  new_codes_.clear();
  read_maps(in, count, new_moved_);
  for (const std::uint16_t place : new_moved_) {
    const std::int64_t step = in.zigzag();
    const std::int64_t base = is_key ? 0 : codes_[place];
    // A step that is no code's cannot lead from one code to another.
    in.require(step != 0 && std::abs(step / 2) <= kAbsent && is_code(base + step));
    if (!in.ok()) return false;
    new_codes_.push_back(static_cast<Code>(base + step));
  }
  return in.is_done();
}

bool says_late(ByteView message) {
  Reader in(message);
  in.u8();  // version
  if (in.u8() != static_cast<std::uint8_t>(Type::kLevels)) return false;
  return (in.u16() & kLate) != 0 && in.ok();
}

base::Result<void> LevelsDecoder::decode(ByteView message) {
  Reader in(message);
  std::uint8_t back = 0;
  const LevelsHead head = read_levels_head(in, back);
  const auto count = static_cast<std::size_t>(in.varint_within(1, kMaxQuantities));
  if (!in.ok()) return malformed("a message of levels whose head cannot be read");
  const bool is_key = back == 0;
  if (!is_key && (codes_.empty() || head.head.run != head_.head.run ||
                  head.sequence - back != head_.sequence)) {
    return base::fail(
        base::ErrorKind::kTooLittle, "levels whose base was not received", "",
        "wait for the next key message, within " + std::to_string(kKeyEvery) + " messages");
  }
  if (!is_key && (head.dictionary != head_.dictionary || count != codes_.size())) {
    return malformed("levels with another dictionary than their base");
  }
  if (!read_moves(in, count, is_key)) return malformed("levels whose codes cannot be read");
  if (is_key) codes_.assign(count, 0);
  for (std::size_t i = 0; i < new_moved_.size(); ++i) codes_[new_moved_[i]] = new_codes_[i];
  moved_.swap(new_moved_);
  head_ = head;
  is_key_ = is_key;
  return {};
}

}  // namespace reveal::wire

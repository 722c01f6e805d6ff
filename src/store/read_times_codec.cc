#include "store/read_times_codec.h"

#include <cstddef>

namespace reveal::store {
namespace {

constexpr std::int64_t kStepNs = 10'000;
constexpr std::int64_t kMaxSteps = std::int64_t{1} << 40;
constexpr std::uint64_t kExact = 1;  // an odd head: the exact difference follows

std::uint64_t as_unsigned(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

// An offset of whole steps is its zigzag times two; any other is a 1 and the difference.
void put_time(Bytes& out, std::int64_t mono_ns, std::int64_t time) {
  const auto offset = static_cast<std::int64_t>(as_unsigned(time) - as_unsigned(mono_ns));
  const std::int64_t steps = offset / kStepNs;
  if (offset % kStepNs == 0 && steps < kMaxSteps && steps > -kMaxSteps) {
    const std::uint64_t magnitude = as_unsigned(steps < 0 ? -(steps + 1) : steps);
    return put_varint(out, (magnitude << 2) | (steps < 0 ? 2U : 0U));
  }
  put_varint(out, kExact);
  put_difference(out, as_unsigned(mono_ns), as_unsigned(time));
}

std::int64_t read_time(ByteCursor& in, std::int64_t mono_ns) {
  const std::uint64_t head = in.varint();
  if ((head & kExact) != 0) {
    return static_cast<std::int64_t>(in.plus_difference(as_unsigned(mono_ns)));
  }
  const auto magnitude = static_cast<std::int64_t>(head >> 2);
  const std::int64_t steps = (head & 2U) != 0 ? -magnitude - 1 : magnitude;
  return static_cast<std::int64_t>(as_unsigned(mono_ns) + as_unsigned(steps) * kStepNs);
}

std::uint8_t bit_of(std::size_t i) {
  return static_cast<std::uint8_t>(1U << (i % 8));
}

}  // namespace

void put_read_times(Bytes& out, std::int64_t mono_ns, std::span<const std::int64_t> times) {
  if (times.empty()) return;
  put_varint(out, times.size());
  for (const std::int64_t time : times) put_time(out, mono_ns, time);
}

bool read_read_times(ByteCursor& in, std::int64_t mono_ns, std::vector<std::int64_t>& times) {
  times.clear();
  if (in.left() == 0) return in.ok();
  for (std::uint64_t left = in.varint(); left > 0 && in.ok(); --left) {
    times.push_back(read_time(in, mono_ns));
  }
  return in.ok();
}

void put_read_time_changes(Bytes& out, std::int64_t mono_ns, std::span<const std::int64_t> before,
                           std::span<const std::int64_t> times) {
  if (times.empty()) return;
  const std::size_t bitmap = out.size();
  out.resize(bitmap + (times.size() + 7) / 8, 0);
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] == before[i]) continue;
    out[bitmap + i / 8] |= bit_of(i);
    put_time(out, mono_ns, times[i]);
  }
}

bool apply_read_time_changes(ByteCursor& in, std::int64_t mono_ns, std::span<std::int64_t> times) {
  if (times.empty()) return in.ok();
  const ByteView bitmap = in.bytes((times.size() + 7) / 8);
  if (!in.ok()) return false;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if ((bitmap[i / 8] & bit_of(i)) != 0) times[i] = read_time(in, mono_ns);
  }
  return in.ok();
}

}  // namespace reveal::store

// Vectors of channels: lane i of each holds the number of the i-th channel of a pack, so one
// instruction works on up to eight channels. No operation crosses lanes and none is fused, so every
// channel gets the same bits whatever the width of the machine's vectors is.
//
// Included once for each instruction set (Highway's foreach_target.h), hence the guard.
#if defined(REVEAL_FEATURE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_LANES_INL_H_
#undef REVEAL_FEATURE_LANES_INL_H_
#else
#define REVEAL_FEATURE_LANES_INL_H_
#endif

#include <array>
#include <cstddef>
#include <limits>

#include <hwy/highway.h>

#include "feature/pack.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, kPackLanes>;
using V = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

inline constexpr Tag kTag{};
// How many channels go at once: 2, 4 or 8.
inline constexpr std::size_t kWidth = hn::MaxLanes(Tag{});

HWY_INLINE V all(double value) {
  return hn::Set(kTag, value);
}
HWY_INLINE V all(std::size_t value) {
  return hn::Set(kTag, static_cast<double>(value));
}
HWY_INLINE V undefined() {
  return all(std::numeric_limits<double>::quiet_NaN());
}
// Returns `yes` in the lanes of the mask, `no` in the others.
HWY_INLINE V choose(Mask mask, V yes, V no) {
  return hn::IfThenElse(mask, yes, no);
}
// Returns 1 in the lanes of the mask, 0 in the others.
HWY_INLINE V one_if(Mask mask) {
  return hn::IfThenElseZero(mask, all(1.0));
}
HWY_INLINE V root(V value) {
  return hn::Sqrt(value);
}
HWY_INLINE V magnitude(V value) {
  return hn::Abs(value);
}
HWY_INLINE Mask both(Mask a, Mask b) {
  return hn::And(a, b);
}
HWY_INLINE Mask opposite(Mask mask) {
  return hn::Not(mask);
}
HWY_INLINE Mask differ(Mask a, Mask b) {
  return hn::Xor(a, b);
}

// The numbers of the lanes one by one, for what no vector instruction computes.
struct EachLane {
  HWY_ALIGN std::array<double, kPackLanes> at{};

  EachLane() = default;
  explicit EachLane(V value) { hn::Store(value, kTag, at.data()); }
  V vector() const { return hn::Load(kTag, at.data()); }
};

// Returns a count that is one higher in the lanes of the mask.
HWY_INLINE V count_if(V count, Mask mask) {
  return hn::IfThenElse(mask, count + all(1.0), count);
}

// Returns the function's value in each lane.
template <typename Function>
HWY_INLINE V each_lane(V value, Function function) {
  EachLane lanes(value);
  for (std::size_t lane = 0; lane < kWidth; ++lane) lanes.at[lane] = function(lanes.at[lane]);
  return lanes.vector();
}

// A series of vectors in memory, one a step, kPackLanes numbers apart whatever their width.
class Series {
 public:
  Series() = default;
  explicit Series(double* data) : data_(data) {}
  V operator[](std::size_t step) const { return hn::Load(kTag, data_ + step * kPackLanes); }
  void set(std::size_t step, V value) { hn::Store(value, kTag, data_ + step * kPackLanes); }
  bool empty() const { return data_ == nullptr; }
  // Returns one lane's number.
  double lane(std::size_t step, std::size_t lane) const { return data_[step * kPackLanes + lane]; }
  void set_lane(std::size_t step, std::size_t lane, double value) {
    data_[step * kPackLanes + lane] = value;
  }

 private:
  double* data_ = nullptr;
};

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

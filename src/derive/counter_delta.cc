#include "derive/counter_delta.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace reveal::derive {

template <typename Value>
auto CounterDelta<Value>::read(Value value, std::int64_t mono_ns) -> Step {
  const Level now{value, mono_ns};
  misses_ = 0;
  if (!started_ || mono_ns <= base_.mono_ns) return start(now);
  recall(value);
  if (former_count_ > 0) return value < base_.value ? fall(now) : std::nullopt;
  if constexpr (std::is_same_v<Value, double>) {
    if (value >= base_.value) return rise(now, value - base_.value);
    return small_step_back(base_.value, base_.value - value) ? hold(now) : fall(now);
  } else {
    // A value too wide for the declared width shows that the kernel has widened the counter.
    if (std::max(value, base_.value) > range_mask()) traits_.bits = 64;
    const Value up = (value - base_.value) & range_mask();
    const Value down = (base_.value - value) & range_mask();
    if (value >= base_.value && !below_zero(base_.value, value)) return rise(now, up);
    if (small_step_back(base_.value, down)) return hold(now);
    const bool wrapped = value < base_.value && plausible_wrap(up, mono_ns - base_.mono_ns);
    return wrapped ? rise(now, up) : fall(now);
  }
}

template <typename Value>
void CounterDelta<Value>::miss() {
  if (misses_ < kMissesSpanned) {
    ++misses_;
  } else {
    started_ = false;
  }
}

template <typename Value>
auto CounterDelta<Value>::start(Level now) -> Step {
  started_ = true;
  holding_ = false;
  former_count_ = 0;
  base_ = now;
  return std::nullopt;
}

template <typename Value>
auto CounterDelta<Value>::rise(Level now, Value amount) -> Step {
  const std::int64_t elapsed_ns = now.mono_ns - base_.mono_ns;
  if (left_ && is_back(now, amount)) return start(now);
  holding_ = false;
  base_ = now;
  fastest_per_ns_ =
      std::max(fastest_per_ns_, static_cast<double>(amount) / static_cast<double>(elapsed_ns));
  return Increment<Value>{amount, elapsed_ns};
}

// A counter that began anew passes its old level as it always moves, one that is back jumps there,
// or a little further for what it counted meanwhile.
template <typename Value>
bool CounterDelta<Value>::is_back(Level now, Value amount) {
  const Level left = *left_;
  const bool short_of =
      now.value < left.value && !small_step_back(left.value, left.value - now.value);
  if (short_of) return false;
  left_.reset();
  const auto most_in = [&](std::int64_t time_ns) {
    return kWrapSpeedup * fastest_per_ns_ * static_cast<double>(time_ns);
  };
  if (static_cast<double>(amount) <= most_in(now.mono_ns - base_.mono_ns)) return false;
  const double beyond = now.value > left.value ? static_cast<double>(now.value - left.value) : 0.0;
  return beyond <= static_cast<double>(left.value) / 8 ||
         beyond <= most_in(now.mono_ns - left.mono_ns);
}

template <typename Value>
auto CounterDelta<Value>::hold(Level now) -> Step {
  if (!holding_) {
    holding_ = true;
    held_since_ns_ = now.mono_ns;
  }
  if (now.mono_ns - held_since_ns_ > kHoldNs) return start(now);
  const Increment<Value> none{Value{0}, now.mono_ns - base_.mono_ns};
  base_.mono_ns = now.mono_ns;
  return none;
}

template <typename Value>
auto CounterDelta<Value>::fall(Level now) -> Step {
  remember(base_);
  holding_ = false;
  base_ = now;
  return std::nullopt;
}

template <typename Value>
void CounterDelta<Value>::remember(Level level) {
  if (base_is_false()) return;
  if (former_count_ == former_.size()) {
    std::shift_left(former_.begin(), former_.end(), 1);
    --former_count_;
  }
  former_[former_count_++] = level;
  doubt_left_ = kDoubtReadings;
}

// Returns to the highest level that the counter is back at, up to a small step back, and ends the
// doubt when it has lasted long enough.
template <typename Value>
void CounterDelta<Value>::recall(Value value) {
  for (; former_count_ > 0; --former_count_) {
    const Level level = former_[former_count_ - 1];
    const bool short_of = value < level.value && !small_step_back(level.value, level.value - value);
    if (short_of || below_zero(level.value, value)) break;
    base_ = level;
  }
  if (former_count_ == 0 || --doubt_left_ > 0) return;
  if (!left_ || left_->value < former_.front().value) left_ = former_.front();
  former_count_ = 0;
}

// Above a level that is still in doubt stands only a reading that rose by over half the range.
template <typename Value>
bool CounterDelta<Value>::base_is_false() const {
  return former_count_ > 0 && base_.value >= former_[former_count_ - 1].value;
}

// Returns whether the value rose by more than counters do: it is a small negative number.
template <typename Value>
bool CounterDelta<Value>::below_zero(Value from, Value value) const {
  return value > from && value - from > range_mask() / 2;
}

// A reading near zero is a reset or a false reading, however low the counter was.
template <typename Value>
bool CounterDelta<Value>::small_step_back(Value from, Value fell) const {
  return fell <= from / 2 && static_cast<double>(fell) <= traits_.step_back;
}

template <typename Value>
bool CounterDelta<Value>::plausible_wrap(Value amount, std::int64_t elapsed_ns) const {
  if constexpr (std::is_same_v<Value, double>) {
    return false;
  } else {
    if (traits_.bits >= 64 || amount > range_mask() / 2) return false;
    if (amount <= range_mask() >> kWrapFreeShift) return true;
    return static_cast<double>(amount) <=
           kWrapSpeedup * fastest_per_ns_ * static_cast<double>(elapsed_ns);
  }
}

template <typename Value>
Value CounterDelta<Value>::range_mask() const {
  if constexpr (std::is_same_v<Value, double>) {
    return std::numeric_limits<double>::max();
  } else {
    return traits_.bits >= 64 ? std::numeric_limits<Value>::max() : (Value{1} << traits_.bits) - 1;
  }
}

template class CounterDelta<std::uint64_t>;
template class CounterDelta<double>;

}  // namespace reveal::derive

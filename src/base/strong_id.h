// Dense indices that cannot be mixed up: a ChannelId is not a MetricId, though both are a u32.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace reveal::base {

template <typename Tag>
class StrongId {
 public:
  constexpr StrongId() = default;
  constexpr explicit StrongId(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}

  // Returns the id as an index into the table that issued it.
  constexpr std::size_t index() const { return value_; }
  constexpr std::uint32_t value() const { return value_; }

  friend constexpr auto operator<=>(StrongId, StrongId) = default;

 private:
  std::uint32_t value_ = 0;
};

}  // namespace reveal::base

template <typename Tag>
struct std::hash<reveal::base::StrongId<Tag>> {
  std::size_t operator()(reveal::base::StrongId<Tag> id) const noexcept { return id.index(); }
};

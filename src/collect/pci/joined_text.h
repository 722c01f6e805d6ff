// Literals put together while compiling, so that metrics that exist once for each kind of device
// (gpu_pcie_lanes, network_pcie_lanes, ...) are written once and are literals all the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace reveal::collect {

template <std::size_t N>
struct Text {
  constexpr Text(const char (&text)[N]) { std::copy_n(text, N, chars.begin()); }  // NOLINT
  constexpr std::string_view view() const { return {chars.data(), N - 1}; }

  std::array<char, N> chars{};
};

namespace internal {

template <Text A, Text B>
constexpr auto join() {
  std::array<char, A.view().size() + B.view().size()> out{};
  const auto middle = std::copy(A.view().begin(), A.view().end(), out.begin());
  std::copy(B.view().begin(), B.view().end(), middle);
  return out;
}

template <Text A, Text B>
inline constexpr auto kJoin = join<A, B>();

}  // namespace internal

// The text of A with that of B behind it.
template <Text A, Text B>
inline constexpr std::string_view kJoined{internal::kJoin<A, B>.data(),
                                          internal::kJoin<A, B>.size()};

}  // namespace reveal::collect

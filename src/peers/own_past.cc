#include "peers/own_past.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace reveal::peers {
namespace {

// Both leave the codes in another order.
float middle_of(std::vector<wire::Code>& codes) {
  const auto middle = codes.begin() + static_cast<std::ptrdiff_t>(codes.size() / 2);
  std::nth_element(codes.begin(), middle, codes.end());
  const float upper = CodeRings::number_of(*middle);
  if (codes.size() % 2 == 1) return upper;
  return (upper + CodeRings::number_of(*std::max_element(codes.begin(), middle))) / 2;
}

// Returns the smallest number that the share kLargestQuantile of them is not above. Few are above
// it, so those are put in order.
float high_quantile(std::span<const wire::Code> codes, std::vector<wire::Code>& highest) {
  const auto rank = std::ceil(kLargestQuantile * static_cast<double>(codes.size()));
  highest.resize(codes.size() - static_cast<std::size_t>(rank) + 1);
  std::ranges::partial_sort_copy(codes, highest, std::ranges::greater());
  return CodeRings::number_of(highest.back());
}

}  // namespace

OwnPast::OwnPast(std::size_t quantities, std::size_t offset_blocks, std::size_t spread_blocks)
    : means_(offset_blocks), largest_(spread_blocks) {
  grow(quantities);
}

void OwnPast::grow(std::size_t quantities) {
  known_.resize(quantities);
  zeros_.resize(quantities);
  usual_.resize(quantities);
  means_.grow(quantities);
  largest_.grow(quantities);
}

OwnPast OwnPast::rearranged(std::span<const std::int32_t> from) const {
  OwnPast out(from.size(), means_.length(), largest_.length());
  out.windows_ = windows_;
  for (std::size_t to = 0; to < from.size(); ++to) {
    if (from[to] < 0) continue;
    const auto at = static_cast<std::size_t>(from[to]);
    out.known_[to] = known_[at];
    out.zeros_[to] = zeros_[at];
    out.usual_[to] = usual_[at];
    out.means_.copy(means_, at, to);
    out.largest_.copy(largest_, at, to);
  }
  return out;
}

void OwnPast::set(std::size_t quantity, float offset, float spread) {
  means_.set(quantity, offset, kFewestBlocks);
  largest_.set(quantity, spread * static_cast<float>(kTailOfNormal), kFewestBlocks);
  usual_[quantity].offset = offset;
  usual_[quantity].spread = spread;
  set_known(quantity);
}

void OwnPast::set_known(std::size_t quantity) {
  if (largest_.kept(quantity) < kFewestBlocks) return;
  known_[quantity] = usual_[quantity].offset == 0 ? Known::kAtZero : Known::kElsewhere;
}

void OwnPast::add(std::size_t quantity, float distance, Lesson lesson) {
  if (distance == 0 && lesson == Lesson::kAll) {
    add_zero(quantity);
    return;
  }
  auto& block = usual_[quantity].running;
  if (lesson == Lesson::kNone) {
    block = {};
    zeros_[quantity] = 0;
    return;
  }
  block.low = block.count == 0 ? distance : std::min(block.low, distance);
  block.high = block.count == 0 ? distance : std::max(block.high, distance);
  ++block.count;
  if (lesson != Lesson::kAll) return;
  block.sum += distance;
  ++block.located;
}

bool OwnPast::end_window() {
  if (++windows_ < kWindowsInBlock) return false;
  windows_ = 0;
  for (std::size_t i = 0; i < usual_.size(); ++i) end_block(i);
  return true;
}

// Returns the block that ends, with its zeros, and begins another.
OwnPast::Running OwnPast::take_block(std::size_t quantity) {
  auto out = std::exchange(usual_[quantity].running, {});
  const auto zeros = std::exchange(zeros_[quantity], std::uint8_t{0});
  if (zeros == 0) return out;
  // As none were there, both are 0 of a block without others.
  out.low = std::min(out.low, 0.0F);
  out.high = std::max(out.high, 0.0F);
  out.count = static_cast<std::uint8_t>(out.count + zeros);
  out.located = static_cast<std::uint8_t>(out.located + zeros);
  return out;
}

void OwnPast::end_block(std::size_t quantity) {
  const auto block = take_block(quantity);
  if (block.count < kFewestInBlock) return;
  auto& offset = usual_[quantity].offset;
  if (block.located >= kFewestInBlock &&
      means_.keep(quantity, block.sum / static_cast<float>(block.located))) {
    const auto means = means_.of(quantity);
    codes_.assign(means.begin(), means.end());
    offset = middle_of(codes_);
  }
  const float largest = std::max(std::fabs(block.low - offset), std::fabs(block.high - offset));
  if (largest_.keep(quantity, largest)) {
    usual_[quantity].spread =
        high_quantile(largest_.of(quantity), codes_) / static_cast<float>(kTailOfNormal);
  }
  set_known(quantity);
}

}  // namespace reveal::peers

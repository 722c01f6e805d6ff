#include "peers/own_past.h"

#include <algorithm>
#include <cmath>

namespace reveal::peers {
namespace {

// Codes keep seven bits of any number; below the floor of 1 there is only 0.
constexpr std::uint16_t kFloor = 1;

float middle_of(std::vector<float>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// Returns the smallest value that the share kLargestQuantile of them is not above.
float high_quantile(std::vector<float>& values) {
  const auto rank = std::ceil(kLargestQuantile * static_cast<double>(values.size()));
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

OwnPast::OwnPast(std::size_t quantities, std::size_t offset_blocks, std::size_t spread_blocks)
    : offset_blocks_(offset_blocks), spread_blocks_(spread_blocks) {
  grow(quantities);
}

void OwnPast::grow(std::size_t quantities) {
  running_.resize(quantities);
  means_.resize(quantities * offset_blocks_);
  largest_.resize(quantities * spread_blocks_);
  mean_blocks_.resize(quantities);
  known_blocks_.resize(quantities);
  offsets_.resize(quantities);
  spreads_.resize(quantities);
}

OwnPast OwnPast::rearranged(std::span<const std::int32_t> from) const {
  OwnPast out(from.size(), offset_blocks_, spread_blocks_);
  out.windows_ = windows_;
  const auto copy_ring = [](const auto& ring, std::size_t at, auto& into, std::size_t to,
                            std::size_t blocks) {
    std::copy_n(ring.begin() + static_cast<std::ptrdiff_t>(at * blocks), blocks,
                into.begin() + static_cast<std::ptrdiff_t>(to * blocks));
  };
  for (std::size_t to = 0; to < from.size(); ++to) {
    if (from[to] < 0) continue;
    const auto at = static_cast<std::size_t>(from[to]);
    out.running_[to] = running_[at];
    copy_ring(means_, at, out.means_, to, offset_blocks_);
    copy_ring(largest_, at, out.largest_, to, spread_blocks_);
    out.mean_blocks_[to] = mean_blocks_[at];
    out.known_blocks_[to] = known_blocks_[at];
    out.offsets_[to] = offsets_[at];
    out.spreads_[to] = spreads_[at];
  }
  return out;
}

void OwnPast::set(std::size_t quantity, float offset, float spread) {
  const auto largest = spread * static_cast<float>(kTailOfNormal);
  for (std::size_t block = 0; block < kFewestBlocks; ++block) {
    means_[quantity * offset_blocks_ + block] = wire::code_of(offset, kFloor);
    largest_[quantity * spread_blocks_ + block] = wire::code_of(largest, kFloor);
  }
  mean_blocks_[quantity] = kFewestBlocks;
  known_blocks_[quantity] = kFewestBlocks;
  offsets_[quantity] = offset;
  spreads_[quantity] = spread;
}

void OwnPast::add(std::size_t quantity, float distance, Lesson lesson) {
  auto& block = running_[quantity];
  if (lesson == Lesson::kNone) {
    block = {};
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
  for (std::size_t i = 0; i < running_.size(); ++i) end_block(i);
  return true;
}

void OwnPast::end_block(std::size_t quantity) {
  const Running block = running_[quantity];
  running_[quantity] = {};
  if (block.count < kFewestInBlock) return;
  if (block.located >= kFewestInBlock) {
    const float mean = block.sum / static_cast<float>(block.located);
    means_[quantity * offset_blocks_ + mean_blocks_[quantity]++ % offset_blocks_] =
        wire::code_of(mean, kFloor);
    fetch(means_, quantity, offset_blocks_, mean_blocks_[quantity]);
    offsets_[quantity] = middle_of(values_);
  }
  const float from = offsets_[quantity];
  const float largest = std::max(std::fabs(block.low - from), std::fabs(block.high - from));
  largest_[quantity * spread_blocks_ + known_blocks_[quantity]++ % spread_blocks_] =
      wire::code_of(largest, kFloor);
  fetch(largest_, quantity, spread_blocks_, known_blocks_[quantity]);
  spreads_[quantity] = high_quantile(values_) / static_cast<float>(kTailOfNormal);
}

void OwnPast::fetch(const std::vector<wire::Code>& ring, std::size_t quantity, std::size_t blocks,
                    std::size_t filled) {
  values_.clear();
  for (std::size_t i = 0; i < std::min(blocks, filled); ++i) {
    values_.push_back(wire::level_of(ring[quantity * blocks + i], kFloor));
  }
}

}  // namespace reveal::peers

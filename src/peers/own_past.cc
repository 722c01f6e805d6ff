#include "peers/own_past.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace reveal::peers {
namespace {

constexpr std::size_t kFewestPlaces = 16;  // that are got at once

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
  places_.resize(quantities, kStill);
  still_blocks_.resize(quantities);
}

OwnPast OwnPast::rearranged(std::span<const std::int32_t> from) const {
  OwnPast out(from.size(), means_.length(), largest_.length());
  out.windows_ = windows_;
  for (std::size_t to = 0; to < from.size(); ++to) {
    if (from[to] < 0) continue;
    const auto at = static_cast<std::size_t>(from[to]);
    out.known_[to] = known_[at];
    out.zeros_[to] = zeros_[at];
    out.still_blocks_[to] = still_blocks_[at];
    if (is_still(at)) continue;
    const auto place = out.place_of(to);
    out.usual_[place] = usual_[places_[at]];
    out.means_.copy(means_, places_[at], place);
    out.largest_.copy(largest_, places_[at], place);
  }
  return out;
}

OwnPast::Place OwnPast::place_of(std::size_t quantity) {
  auto& place = places_[quantity];
  if (place != kStill) return place;
  if (free_.empty()) {
    // There are many pasts, so they get little more memory than they need.
    if (usual_.size() == usual_.capacity()) {
      const auto more = usual_.size() + std::max(kFewestPlaces, usual_.size() / 8);
      usual_.reserve(more);
      means_.reserve(more);
      largest_.reserve(more);
    }
    free_.push_back(static_cast<Place>(usual_.size()));
    usual_.emplace_back();
    means_.grow(usual_.size());
    largest_.grow(usual_.size());
  }
  place = free_.back();
  free_.pop_back();
  usual_[place] = {};
  const std::size_t blocks = still_blocks_[quantity];
  means_.set(place, 0, std::min(blocks, means_.length()));
  largest_.set(place, 0, std::min(blocks, largest_.length()));
  return place;
}

bool OwnPast::is_all_zero(Place place) const {
  const auto& usual = usual_[place];
  if (usual.offset != 0 || usual.spread != 0 || usual.running.count > 0) return false;
  const auto is_full = [&](const CodeRings& rings) {
    return rings.kept(place) == rings.length() &&
           std::ranges::all_of(rings.of(place), [](wire::Code code) { return code == 0; });
  };
  return is_full(means_) && is_full(largest_);
}

void OwnPast::make_still_again(std::size_t quantity) {
  still_blocks_[quantity] = static_cast<std::uint8_t>(std::max(means_.length(), largest_.length()));
  free_.push_back(std::exchange(places_[quantity], kStill));
}

void OwnPast::set(std::size_t quantity, float offset, float spread) {
  const auto place = place_of(quantity);
  means_.set(place, offset, kFewestBlocks);
  largest_.set(place, spread * static_cast<float>(kTailOfNormal), kFewestBlocks);
  usual_[place].offset = offset;
  usual_[place].spread = spread;
  set_known(quantity);
}

void OwnPast::set_known(std::size_t quantity) {
  const auto blocks =
      is_still(quantity) ? std::size_t{still_blocks_[quantity]} : largest_.kept(places_[quantity]);
  if (blocks < kFewestBlocks) return;
  known_[quantity] = offset(quantity) == 0 ? Known::kAtZero : Known::kElsewhere;
}

void OwnPast::add(std::size_t quantity, float distance, Lesson lesson) {
  if (distance == 0 && lesson == Lesson::kAll) {
    add_zero(quantity);
    return;
  }
  if (lesson == Lesson::kNone) {
    if (!is_still(quantity)) usual_[places_[quantity]].running = {};
    zeros_[quantity] = 0;
    return;
  }
  auto& block = usual_[place_of(quantity)].running;
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
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (is_still(i)) {
      end_still_block(i);
    } else {
      end_block(i);
    }
  }
  return true;
}

// All of the block is 0, and so is what follows from it.
void OwnPast::end_still_block(std::size_t quantity) {
  if (std::exchange(zeros_[quantity], std::uint8_t{0}) < kFewestInBlock) return;
  auto& blocks = still_blocks_[quantity];
  if (blocks < std::max(means_.length(), largest_.length())) ++blocks;
  set_known(quantity);
}

// Returns the block that ends, with its zeros, and begins another.
OwnPast::Running OwnPast::take_block(std::size_t quantity) {
  auto out = std::exchange(usual_[places_[quantity]].running, {});
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
  const auto place = places_[quantity];
  if (block.count >= kFewestInBlock) {
    auto& offset = usual_[place].offset;
    if (block.located >= kFewestInBlock &&
        means_.keep(place, block.sum / static_cast<float>(block.located))) {
      const auto means = means_.of(place);
      codes_.assign(means.begin(), means.end());
      offset = middle_of(codes_);
    }
    const float largest = std::max(std::fabs(block.low - offset), std::fabs(block.high - offset));
    if (largest_.keep(place, largest)) {
      usual_[place].spread =
          high_quantile(largest_.of(place), codes_) / static_cast<float>(kTailOfNormal);
    }
    set_known(quantity);
  }
  if (is_all_zero(place)) make_still_again(quantity);
}

}  // namespace reveal::peers

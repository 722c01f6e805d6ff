// What OwnPast says, found in the plainest way: all that is learnt is kept as it came, and sorted
// when it is asked for. A reference for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "peers/own_past.h"
#include "wire/level_code.h"

namespace reveal::peers {

// Of one quantity.
class PlainPast {
 public:
  PlainPast(std::size_t offset_blocks, std::size_t spread_blocks)
      : offset_blocks_(offset_blocks), spread_blocks_(spread_blocks) {}

  void add(float distance, Lesson lesson) {
    if (lesson == Lesson::kNone) {
      block_.clear();
      return;
    }
    block_.push_back({distance, lesson == Lesson::kAll});
  }

  void end_window() {
    if (++windows_ % kWindowsInBlock != 0) return;
    const auto block = std::exchange(block_, {});
    if (block.size() < kFewestInBlock) return;
    keep_mean(block);
    float largest = 0;
    for (const auto& one : block) largest = std::max(largest, std::fabs(one.distance - offset_));
    keep(largest_, largest, spread_blocks_);
    ++known_;
    auto sizes = sorted(largest_);
    const auto rank = std::ceil(kLargestQuantile * static_cast<double>(sizes.size()));
    spread_ = sizes[static_cast<std::size_t>(rank) - 1] / static_cast<float>(kTailOfNormal);
  }

  bool is_known() const { return known_ >= kFewestBlocks; }
  float offset() const { return offset_; }
  float spread() const { return spread_; }

 private:
  struct One {
    float distance = 0;
    bool is_located = false;  // it teaches where the quantity lies
  };

  void keep_mean(const std::vector<One>& block) {
    float sum = 0;
    std::size_t count = 0;
    for (const auto& one : block) {
      if (!one.is_located) continue;
      sum += one.distance;
      ++count;
    }
    if (count < kFewestInBlock) return;
    keep(means_, sum / static_cast<float>(count), offset_blocks_);
    const auto means = sorted(means_);
    const auto half = means.size() / 2;
    offset_ = means.size() % 2 == 1 ? means[half] : (means[half - 1] + means[half]) / 2;
  }
  static void keep(std::deque<float>& in, float number, std::size_t most) {
    in.push_back(wire::level_of(wire::code_of(number, 1), 1));
    if (in.size() > most) in.pop_front();
  }
  static std::vector<float> sorted(const std::deque<float>& from) {
    std::vector<float> out(from.begin(), from.end());
    std::ranges::sort(out);
    return out;
  }

  std::size_t offset_blocks_;
  std::size_t spread_blocks_;
  std::size_t windows_ = 0;
  std::size_t known_ = 0;
  std::vector<One> block_;
  std::deque<float> means_;
  std::deque<float> largest_;
  float offset_ = 0;
  float spread_ = 0;
};

}  // namespace reveal::peers

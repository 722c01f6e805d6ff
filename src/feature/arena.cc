#include "feature/arena.h"

#include <algorithm>

namespace reveal::feature {
namespace {

constexpr std::size_t kMin = 4096;
constexpr std::size_t kAlignment = 16;  // numbers: 128 bytes, as the allocator's own

}  // namespace

double* Arena::take(std::size_t count) {
  const std::size_t rounded = (count + kAlignment - 1) / kAlignment * kAlignment;
  if (chunks_.empty() || used_ + rounded > chunks_.back().size) {
    const std::size_t size = std::max({kMin, rounded, chunks_.empty() ? 0 : chunks_.back().size});
    chunks_.push_back({hwy::AllocateAligned<double>(size), size});
    used_ = 0;
  }
  double* out = chunks_.back().memory.get() + used_;
  used_ += rounded;
  return out;
}

void Arena::reset() {
  used_ = 0;
  if (chunks_.size() < 2) return;
  std::size_t size = 0;
  for (const auto& chunk : chunks_) size += chunk.size;
  chunks_.clear();
  chunks_.push_back({hwy::AllocateAligned<double>(size), size});
}

}  // namespace reveal::feature

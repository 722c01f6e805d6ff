#include "model/fingerprint.h"

#include <algorithm>
#include <utility>

namespace reveal::model {
namespace {

// The finalizer of MurmurHash3 (Appleby, public domain): every bit of the input changes half of the
// output's.
std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 33U;
  value *= 0xff51afd7ed558ccdU;
  value ^= value >> 33U;
  value *= 0xc4ceb9fe1a85ec53U;
  return value ^ (value >> 33U);
}

// What was not read in this tick is left out: a reader that begins in the middle of a recording
// does not know it.
std::uint64_t hash_of(const Frame& frame) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;
  std::uint64_t out = mixed(static_cast<std::uint64_t>(frame.wall_ns));
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    if (!frame.was_read(ChannelId(i))) continue;
    out = (out ^ frame.bits[i]) * kOdd + i;
    out ^= out >> 32U;
  }
  return mixed(out);
}

}  // namespace

bool Fingerprint::are_hashes(const std::vector<std::uint64_t>& hashes) {
  return hashes.size() <= kMost &&
         std::ranges::adjacent_find(hashes, std::ranges::greater_equal()) == hashes.end();
}

Fingerprint::Fingerprint(std::vector<std::uint64_t> hashes) : lowest_(std::move(hashes)) {
  std::ranges::make_heap(lowest_);
}

void Fingerprint::add(const Frame& frame) {
  const std::uint64_t hash = hash_of(frame);
  if (lowest_.size() == kMost) {
    if (hash >= lowest_.front()) return;
    std::ranges::pop_heap(lowest_);
    lowest_.pop_back();
  }
  lowest_.push_back(hash);
  std::ranges::push_heap(lowest_);
}

std::vector<std::uint64_t> Fingerprint::hashes() const {
  auto out = lowest_;
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Below the highest hash that a full sample holds, it holds every frame of its run.
double Fingerprint::share_in(const Fingerprint& other) const {
  const auto own = hashes();
  const auto known = other.hashes();
  std::size_t comparable = 0;
  std::size_t shared = 0;
  for (const auto hash : own) {
    if (known.size() == kMost && hash > known.back()) break;
    ++comparable;
    if (std::ranges::binary_search(known, hash)) ++shared;
  }
  return comparable == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(comparable);
}

}  // namespace reveal::model

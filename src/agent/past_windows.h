// How strong the windows of the last hours were, for the live page: of each kStretch_ns the
// strongest. A judge that starts again knows what it judges anew: the last minutes.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "live/history.h"
#include "serve/shown_state.h"

namespace reveal::agent {

inline constexpr std::int64_t kStretch_ns = 10'000'000'000;
inline constexpr std::size_t kMostStretches = 2160;  // six hours

class PastWindows {
 public:
  // Takes the next window.
  void add(const live::JudgedWindow& window);

  // Returns what is known, without the stretch that goes on; null if that is nothing.
  std::shared_ptr<const serve::Past> past() const { return past_; }

 private:
  void close();

  serve::PastStretch open_;
  bool is_open_ = false;
  std::shared_ptr<const serve::Past> past_;  // a new one every kStretch_ns: others read the old one
};

}  // namespace reveal::agent

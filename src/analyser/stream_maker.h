// Has the streams made once the broker is there: like all else that needs it, it is tried again.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "base/backoff.h"
#include "base/result.h"

namespace reveal::analyser {

class StreamMaker {
 public:
  // `make` makes them; `tell` gets a line if that fails, and one if it works after that.
  StreamMaker(std::function<base::Result<void>()> make, std::function<void(std::string_view)> tell)
      : make_(std::move(make)), tell_(std::move(tell)) {}

  // Tries it, unless it is done or a pause lasts. `steady_ns` is the steady clock.
  void round(std::int64_t steady_ns);

  bool is_done() const { return is_done_; }

 private:
  std::function<base::Result<void>()> make_;
  std::function<void(std::string_view)> tell_;
  base::Backoff backoff_{1, std::chrono::milliseconds(500), std::chrono::milliseconds(10'000)};
  std::int64_t pause_until_ns_ = 0;
  bool is_done_ = false;
  bool has_failed_ = false;
};

}  // namespace reveal::analyser

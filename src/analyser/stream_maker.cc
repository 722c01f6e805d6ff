#include "analyser/stream_maker.h"

#include <string>

namespace reveal::analyser {

void StreamMaker::round(std::int64_t steady_ns) {
  if (is_done_ || steady_ns < pause_until_ns_) return;
  const auto made = make_();
  is_done_ = made.has_value();
  if (is_done_) {
    if (has_failed_) tell_("the streams are made");
    return;
  }
  if (!has_failed_) tell_("the streams are not made yet: " + made.error().message());
  has_failed_ = true;
  pause_until_ns_ = steady_ns + std::int64_t{backoff_.failed().count()} * 1'000'000;
}

}  // namespace reveal::analyser

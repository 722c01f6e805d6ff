#include "analyser/lag_watch.h"

#include <utility>

namespace reveal::analyser {
namespace {

constexpr std::string_view kLate =
    "messages are taken up more than 3 s late, so nobody is accused: this machine is too busy for "
    "so many hosts, or what came before is still read (give the broker or the analyser a processor "
    "of its own, or part the fleet)";
constexpr std::string_view kInTime = "messages are taken up in time";

}  // namespace

std::optional<std::string_view> LagWatch::take(bool is_late, std::int64_t steady_ns) {
  if (is_late) {
    late_ns_ = steady_ns;
    if (!late_since_ns_) late_since_ns_ = steady_ns;
  } else if (late_since_ns_ && steady_ns - late_ns_ >= kPatience_ns) {
    late_since_ns_.reset();
    if (std::exchange(has_told_, false)) return kInTime;
  }
  if (!late_since_ns_ || has_told_ || late_ns_ - *late_since_ns_ < kPatience_ns) {
    return std::nullopt;
  }
  has_told_ = true;
  return kLate;
}

}  // namespace reveal::analyser

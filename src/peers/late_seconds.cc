#include "peers/late_seconds.h"

#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace reveal::peers {
namespace {

// What waits to be fetched, if nobody does.
constexpr std::size_t kMaxWaiting = 100'000;
constexpr std::size_t kMaxTold = 10'000;
constexpr std::int64_t kToldAgain_ns = 600'000'000'000;
// By so much a host's clock may be ahead of the broker's.
constexpr std::int64_t kAhead_ns = 3'600'000'000'000;

std::string digits_of(wire::ByteView bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace

base::Result<void> LateSeconds::take(const wire::Sender& sender, wire::ByteView message,
                                     std::int64_t stored_ns, const Meanings& meanings) {
  wire::LevelsDecoder decoder;
  if (const auto read = decoder.decode(message); !read) {
    return base::fail(base::ErrorKind::kCorrupt, read.error().message());
  }
  const auto& head = decoder.head();
  if (!head.late || head.head.time_ns < 0 || head.head.time_ns - kAhead_ns > stored_ns) {
    return base::fail(base::ErrorKind::kCorrupt, "late levels that are not of the past");
  }
  if (seconds_.size() < kMaxWaiting) {
    seconds_.push_back({sender.host, head, digits_of(message), stored_ns});
  }
  const bool is_due = stored_ns < told_since_ns_ || stored_ns >= told_since_ns_ + kToldAgain_ns;
  if (is_due || told_.size() >= kMaxTold) {
    told_.clear();
    told_since_ns_ = stored_ns;
  }
  if (told_.contains(head.dictionary)) return {};
  const auto* plain = meanings.plain_of(head.dictionary);
  // It may come yet, and more seconds that need it.
  if (plain == nullptr) return {};
  told_.insert(head.dictionary);
  dictionaries_.push_back({head.dictionary, digits_of(*plain)});
  return {};
}

}  // namespace reveal::peers

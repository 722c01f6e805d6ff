// Takes marks from whoever may use the agent's unix socket, and hands them to the recorder: "v2 is
// deployed", "job-start 81723", "job-end 81723". For any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/allowance.h"
#include "base/result.h"
#include "record/mark_queue.h"

namespace reveal::agent {

class MarkDesk {
 public:
  // So many marks may come at once, and then one each kBetween_ns: a recording must not grow by
  // what a script says in a loop.
  static constexpr double kAtOnce = 30;
  static constexpr std::int64_t kBetween_ns = 2'000'000'000;

  explicit MarkDesk(record::MarkQueue queue) : queue_(std::move(queue)) {}

  // Takes a mark at `wall_ns`; `now_ns` is of a monotonic clock. Returns a line for whoever sent
  // it. Fails with kBusy if there are too many, with kUsage if it is too long. What could steer a
  // terminal is made harmless first.
  base::Result<std::string> take(std::string_view text, std::int64_t wall_ns, std::int64_t now_ns);

 private:
  std::mutex mutex_;
  record::MarkQueue queue_;
  base::Allowance allowance_{kAtOnce, kBetween_ns};
};

}  // namespace reveal::agent

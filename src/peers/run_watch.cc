#include "peers/run_watch.h"

namespace reveal::peers {

bool RunWatch::take(std::uint64_t run, std::int64_t now_ns) {
  if (has_run_ && run == run_) return false;
  for (auto& old : replaced_) {
    if (!old.is_there || old.run != run || now_ns - old.at_ns > kMemory_ns) continue;
    old.is_there = false;
    has_double_ = true;
    doubled_until_ns_ = now_ns + kMemory_ns;
  }
  if (has_run_) replaced_[next_++ % replaced_.size()] = {run_, now_ns, true};
  run_ = run;
  const bool is_first = !has_run_;
  has_run_ = true;
  return !is_first;
}

}  // namespace reveal::peers

#include "peers/run_watch.h"

namespace reveal::peers {

RunWatch::Seen RunWatch::take(std::uint64_t run, std::uint64_t sequence, std::int64_t now_ns) {
  Seen out;
  if (has_run_) {
    out.other_run = run != run_;
    out.went_back = !out.other_run && sequence <= sequence_;
  }
  if (out.other_run) change_run(run, now_ns);
  if (out.went_back) step_back(now_ns);
  has_run_ = true;
  run_ = run;
  sequence_ = sequence;
  return out;
}

void RunWatch::change_run(std::uint64_t run, std::int64_t now_ns) {
  unsure_until_ns_ = now_ns + kUnsure_ns;
  for (auto& old : replaced_) {
    if (!old.is_there || old.run != run || now_ns - old.at_ns > kMemory_ns) continue;
    old.is_there = false;
    set_doubled(now_ns);
  }
  replaced_[next_++ % replaced_.size()] = {run_, now_ns, true};
}

void RunWatch::step_back(std::int64_t now_ns) {
  unsure_until_ns_ = now_ns + kUnsure_ns;
  steps_ns_[steps_++ % kSteps] = now_ns;
  // The place of the next one has the oldest.
  if (steps_ >= kSteps && now_ns - steps_ns_[steps_ % kSteps] <= kSteps_ns) set_doubled(now_ns);
}

void RunWatch::set_doubled(std::int64_t now_ns) {
  has_double_ = true;
  doubled_until_ns_ = now_ns + kMemory_ns;
}

}  // namespace reveal::peers

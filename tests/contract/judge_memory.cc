#include "judge_memory.h"

#include <optional>

#include "heap_bytes.h"
#include "live/live_judge.h"
#include "live/testing/churning_host.h"

namespace {

using reveal::live::ChurningHost;
using reveal::live::LiveJudge;

struct Bytes {
  double held = 0;
  double most = 0;
  std::size_t gone_channels = 0;
};

// Returns what a host takes, and its judge if it has one.
Bytes bytes_of(std::size_t groups_at_once, int seconds, bool is_judged) {
  const auto before = static_cast<double>(heap_bytes());
  forget_most_heap_bytes();
  ChurningHost host(groups_at_once);
  std::optional<LiveJudge> judge;
  if (is_judged) {
    judge.emplace(reveal::pipeline::PipelineConfig{});
    if (!judge->begin(host.facts)) return {};
  }
  for (int i = 0; i < seconds * ChurningHost::kTicksPerSecond; ++i) {
    const auto& frame = host.tick();
    if (judge && !judge->write(host.channels, frame)) return {};
  }
  return {static_cast<double>(heap_bytes()) - before,
          static_cast<double>(most_heap_bytes()) - before, host.gone_channels()};
}

// Returns what the judge of a host takes. The host's own tables are largest at the end.
Bytes bytes_of_judge(std::size_t groups_at_once, int seconds) {
  const auto host = bytes_of(groups_at_once, seconds, false);
  auto out = bytes_of(groups_at_once, seconds, true);
  out.held -= host.held;
  out.most -= host.most;
  return out;
}

}  // namespace

JudgeMemory judge_memory(std::size_t groups_at_once, int seconds) {
  const auto quiet = bytes_of_judge(0, seconds);
  const auto churning = bytes_of_judge(groups_at_once, seconds);
  const auto gone = static_cast<double>(churning.gone_channels);
  return {churning.gone_channels, (churning.held - quiet.held) / gone,
          (churning.most - quiet.most) / gone};
}

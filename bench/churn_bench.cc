// What control groups that come and go cost the judge of a live host in memory: bytes for each
// channel that is gone.
//
//   churn_bench
//
// Five groups of 15 channels at once, each for 3 s, for twelve minutes: more than the windows that
// a judge keeps. Counted is what operator new gave, beyond the host's own tables and what the same
// host without groups takes: at the end, and at the most, fits included. In the process of an agent
// come the pages that malloc cannot give back.
#include <fmt/format.h>

#include "../tests/contract/judge_memory.h"

int main() {
  constexpr std::size_t kGroups = 5;
  constexpr int kSeconds = 720;
  const auto memory = judge_memory(kGroups, kSeconds);
  fmt::print("What a channel that is gone costs the judge: {} channels in {} s\n",
             memory.gone_channels, kSeconds);
  fmt::print("  at the end  {:7.0f} bytes\n  at the most {:7.0f} bytes\n", memory.held,
             memory.most);
}

// Has fewer of the recording's old frames kept, if that is asked for: runs `reveal downsample` each
// hour, as a process of its own, which may be killed at any time without loss.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/paths.h"
#include "record/own_process.h"
#include "settings/settings.h"

namespace reveal::agent {

// Returns the words of that command; empty if it is not asked for.
std::vector<std::string> downsampling_words(const settings::Settings& settings, const Paths& paths);

class HourlyDownsampling {
 public:
  static constexpr std::int64_t kEvery_ns = std::int64_t{3600} * 1'000'000'000;

  // Sets what is run from now on, the next time when it is due.
  void use(std::vector<std::string> words) { words_ = std::move(words); }

  // Runs it if it is due, first at the first call; the log says if it failed. `now_ns` is of a
  // monotonic clock. REQUIRES: the recording has begun.
  void keep_up(std::int64_t now_ns);

 private:
  std::vector<std::string> words_;  // empty: nothing
  std::optional<record::OwnProcess> process_;
  std::int64_t due_ns_ = 0;
};

}  // namespace reveal::agent

#include "agent/hourly_downsampling.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/log.h"
#include "agent/size_shares.h"
#include "settings/value_text.h"

namespace reveal::agent {

std::vector<std::string> downsampling_words(const settings::Settings& settings,
                                            const Paths& paths) {
  if (!settings.agent.downsample) return {};
  const auto& ages = settings.retention;
  std::vector<std::string> out{"downsample",
                               paths.recording().string(),
                               "--quiet",
                               "--full",
                               settings::time_text(ages.full_ns),
                               "--1s",
                               settings::time_text(ages.second_ns),
                               "--1min",
                               settings::time_text(ages.minute_ns)};
  // The lesser of the two that are set.
  const auto share = shares_of(settings.record.max_bytes).rollups;
  const auto most = share > 0 && ages.max_bytes > 0 ? std::min(share, ages.max_bytes)
                                                    : std::max(share, ages.max_bytes);
  if (most > 0) out.insert(out.end(), {"--max-size", settings::size_text(most)});
  return out;
}

void HourlyDownsampling::keep_up(std::int64_t now_ns) {
  if (process_ && process_->runs()) return;
  if (process_) {
    const int status = process_->wait_status();
    process_.reset();
    // Why is what it has said itself.
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      log(Priority::kWarning, "old frames were not downsampled; that is tried again in an hour");
    }
  }
  if (words_.empty() || now_ns < due_ns_) return;
  due_ns_ = now_ns + kEvery_ns;
  auto started = record::OwnProcess::start(words_, STDERR_FILENO);
  if (started) {
    process_.emplace(std::move(*started));
  } else {
    log(Priority::kWarning, started.error().message());
  }
}

}  // namespace reveal::agent

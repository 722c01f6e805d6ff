#include "agent/hourly_downsampling.h"

#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/log.h"
#include "settings/value_text.h"

namespace reveal::agent {

std::vector<std::string> downsampling_words(const settings::Settings& settings,
                                            const Paths& paths) {
  if (!settings.agent.downsample) return {};
  const auto& ages = settings.retention;
  return {"downsample",
          paths.recording().string(),
          "--quiet",
          "--full",
          settings::time_text(ages.full_ns),
          "--1s",
          settings::time_text(ages.second_ns),
          "--1min",
          settings::time_text(ages.minute_ns)};
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

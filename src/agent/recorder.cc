#include "agent/recorder.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agent/log.h"
#include "agent/size_shares.h"
#include "record/from_settings.h"
#include "record/mark_queue.h"
#include "record/recording.h"
#include "record/shared_status.h"

namespace reveal::agent {

base::Result<void> run_recorder(const AgentOptions& options, const settings::Settings& settings,
                                int status_fd, int marks_fd) {
  auto status = record::SharedStatus::open(status_fd);
  if (!status) return base::pass(status);
  auto marks = record::MarkQueue::open(marks_fd);
  if (!marks) return base::pass(marks);
  auto plan = record::recording_options(settings, options.root, options.paths.recording(), {});
  if (!plan) return base::pass(plan);
  plan->resume = true;
  plan->storage.retention.max_bytes = shares_of(settings.record.max_bytes).frames;
  plan->marks = &*marks;
  plan->duration_ns.reset();  // a service has no end of its own
  auto recording = record::Recording::prepare(*plan, nullptr);
  if (!recording) return base::pass(recording);
  if (auto started = recording->start(); !started) {
    auto why = base::pass(started);
    recording->take_back();
    return why;
  }
  recording->run([&](const record::Recording::State& state) { status->write(state); });
  log(Priority::kInfo, recording->summary());
  const auto losses = recording->losses();
  if (losses.empty()) return {};
  return base::fail(base::ErrorKind::kIo, fmt::format("{}", fmt::join(losses, "; ")));
}

}  // namespace reveal::agent

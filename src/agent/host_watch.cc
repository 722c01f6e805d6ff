#include "agent/host_watch.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "agent/evidence.h"
#include "base/heap.h"
#include "base/new_file.h"
#include "base/whole_file.h"
#include "collect/tick_clock.h"
#include "text/bounded_number.h"

namespace reveal::agent {
namespace {

// Another window joins a finding if at most a window's length lies between them
// (attribute/merge.h): it ends two lengths later, and its verdict comes a little after that.
constexpr std::int64_t kSlack_ns = 2'000'000'000;
// A change becomes a finding once a job turns out to be slow in it, so its begin must be judged,
// too; and what is usual shall not be learned from a fault that nobody had found yet.
constexpr std::int64_t kJudgedAgain_ns = 60'000'000'000;

// Returns up to when the judge before had judged. 0 if that is not known: something that is known
// may be told once more then, which is better than silence.
std::int64_t judged_before_ns(const Paths& paths) {
  const auto judged = base::read_whole_file(paths.judged(), "state of the judge", 64);
  if (!judged) return 0;
  const auto end = std::min(judged->find('\n'), judged->size());
  const auto ns = text::number_within(std::string_view(*judged).substr(0, end), std::int64_t{0},
                                      std::numeric_limits<std::int64_t>::max());
  return ns ? *ns : 0;
}

FindingLogOptions log_options(const Paths& paths, const pipeline::PipelineConfig& config,
                              std::int64_t judged_ns) {
  FindingLogOptions out;
  out.directory = paths.findings();
  out.judged_ns = judged_ns;
  const auto& length = config.windows.length;
  if (length && length->unit == window::Length::Unit::kNanoseconds) {
    out.over_ns = std::max(out.over_ns, 2 * length->amount + kSlack_ns);
  }
  return out;
}

// Returns until when windows are only learned from. A finding that began before and goes on then
// would be judged by its tail alone.
std::int64_t learns_until_ns(const FindingLog& log, std::int64_t now_ns) {
  const auto oldest_ns = now_ns - live::kPast_ns;
  return log.uncut_since_ns(log.untold_since_ns(oldest_ns) - kJudgedAgain_ns, kJudgedAgain_ns,
                            oldest_ns);
}

// Hands frames on until the judge is asked to end, and looks at each.
class UntilEnd final : public model::FrameSink {
 public:
  UntilEnd(model::FrameSink& sink, model::FrameSink* beside, const HostWatch::Ends& ends,
           SelfTimes& times, RecordedMetrics& recorded)
      : sink_(sink), beside_(beside), ends_(ends), times_(times), recorded_(recorded) {}

  base::Result<void> begin(const model::RunFacts& facts) override {
    if (beside_ != nullptr) static_cast<void>(beside_->begin(facts));
    return sink_.begin(facts);
  }
  base::Result<void> write(const model::ChannelTable& channels,
                           const model::Frame& frame) override {
    if (ends_()) return base::fail(base::ErrorKind::kBusy, "the judge is asked to end");
    times_.take(channels, frame);
    recorded_.take(channels, frame);
    if (beside_ != nullptr) static_cast<void>(beside_->write(channels, frame));
    return sink_.write(channels, frame);
  }
  base::Result<void> finish() override { return sink_.finish(); }

 private:
  model::FrameSink& sink_;
  model::FrameSink* beside_;
  const HostWatch::Ends& ends_;
  SelfTimes& times_;
  RecordedMetrics& recorded_;
};

}  // namespace

HostWatch::HostWatch(const Paths& paths, const pipeline::PipelineConfig& config,
                     std::int64_t interval_ns, std::int64_t now_ns, Ends ends,
                     std::size_t many_channels)
    : paths_(paths),
      judged_before_ns_(std::min(judged_before_ns(paths), now_ns)),  // a clock may be set back
      log_(log_options(paths, config, judged_before_ns_), now_ns),
      learns_until_ns_(learns_until_ns(log_, now_ns)),
      recording_(paths.recording(),
                 std::max(now_ns - live::kPast_ns,
                          learns_until_ns_ - live::learned_from_ns(config.windows, interval_ns))),
      judge_(config),
      times_(now_ns),
      ends_(std::move(ends)),
      many_channels_(many_channels) {
  judge_.learn_until(learns_until_ns_);
}

base::Result<std::vector<std::string>> HostWatch::refresh() {
  // Until its first frame is stored, it is not a recording.
  if (!recording_.has_begun() && !recording_.is_growing()) return std::vector<std::string>();
  UntilEnd sink(judge_, beside_, ends_, times_, *recorded_);
  const auto done = recording_.read_new(sink);
  if (const auto* facts = recording_.latest_facts()) judge_.take_unseen(facts->unseen);
  // What has been judged until now is told: save() says that it was.
  if (ends_()) return log_.update(judge_.history());
  times_.judged(judge_.history(), collect::clock_ns(CLOCK_REALTIME));
  // What was there before it was followed has been read, and needed memory for its fits.
  if (recording_.has_begun() && !caught_up_) {
    judge_.fit_in_background();
    base::return_freed_memory();
    caught_up_ = true;
    met_in_the_past_ = recording_.channels_met();
  }
  if (!done) return base::pass(done);
  return log_.update(judge_.history());
}

std::vector<std::string> HostWatch::take_troubles() {
  auto out = log_.take_troubles();
  for (auto& line : judge_.take_troubles()) out.push_back(std::move(line));
  return out;
}

bool HostWatch::has_outgrown() const {
  const std::size_t met_since = recording_.channels_met() - met_in_the_past_;
  return caught_up_ && met_since > met_in_the_past_ / 2 + many_channels_;
}

base::Result<void> HostWatch::pin(KeptSpace& space, std::int64_t now_ns) {
  base::Result<void> out;
  for (const auto& id : log_.take_final()) {
    const auto* finding = log_.find(id);
    if (finding == nullptr) continue;
    if (auto kept = pin(*finding, space, now_ns); !kept && out) out = std::move(kept);
  }
  return out;
}

base::Result<void> HostWatch::pin(const LoggedFinding& finding, KeptSpace& space,
                                  std::int64_t now_ns) const {
  const auto folder = folder_of(paths_.findings(), finding);
  const auto room = space.room_for_evidence(now_ns);
  if (!room) {
    note_evidence_gone(folder, now_ns);
    return base::pass(room);
  }
  return pin_evidence(paths_.recording(), folder, finding,
                      {.max_bytes = *room, .min_free_bytes = space.limits().min_free_bytes});
}

base::Result<void> HostWatch::save() const {
  const auto& windows = judge_.history().windows;
  if (windows.empty() || !windows.back().judged) return {};
  const auto judged_ns = std::max(judged_before_ns_, windows.back().span.end_ns);
  return base::write_new_file(paths_.judged(), fmt::format("{}\n", judged_ns));
}

}  // namespace reveal::agent

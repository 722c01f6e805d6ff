#include "record/recording.h"

#include <cerrno>
#include <chrono>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "probes/sources.h"
#include "record/address_space.h"
#include "record/recorded_channels.h"
#include "store/recording_dir.h"
#include "text/quantity.h"
#include "text/time_text.h"

namespace reveal::record {
namespace {

// Returns what the summary adds if the recorder has removed what it was not to keep.
std::string removed_text(const store::RetentionTotals& removed) {
  if (removed.segments() == 0) return "";
  std::vector<std::string_view> who;
  if (removed.for_age > 0) who.emplace_back("--keep");
  if (removed.for_size > 0) who.emplace_back("--max-size");
  if (removed.for_space > 0) who.emplace_back("--min-free");
  return fmt::format("; the oldest {} were removed, as {} {}", text::span_text(removed.span_ns),
                     fmt::join(who, " and "), who.size() == 1 ? "says" : "say");
}

// Opens what reads this host; its run ends when `stop_fd` becomes readable.
base::Result<std::unique_ptr<collect::Sampler>> open_sampler(
    const RecordingOptions& options, int stop_fd, std::function<collect::StorageVitals()> storage) {
  if (stop_fd < 0) return base::fail_errno(errno, "cannot create an eventfd");
  collect::SamplerOptions out{
      .root = options.root,
      .interval = std::chrono::nanoseconds(options.interval_ns),
      .duration = std::nullopt,
      .command = options.command,
      .stop_fd = stop_fd,
  };
  out.poll_plan = options.poll_plan;
  out.storage = std::move(storage);
  if (auto* marks = options.marks) {
    out.notes = [marks](model::Frame& frame) { marks->say(frame.wall_ns, frame.notes); };
  }
  if (options.duration_ns) out.duration = std::chrono::nanoseconds(*options.duration_ns);
  auto sources = collect::planned_sources(options.poll_plan);
  if (!sources) return base::pass(sources);
  auto own = probes::sources(options.probes);
  if (!own) return base::pass(own);
  for (auto& source : *own) sources->push_back(std::move(source));
  return collect::Sampler::open(std::move(out), std::move(*sources));
}

// A rollup has the same identity as the recording that it lies in.
base::Result<void> check_own_recording(const std::filesystem::path& directory) {
  std::error_code ignored;
  const auto above = std::filesystem::absolute(directory, ignored).lexically_normal() / "..";
  const auto segments = store::list_segments(above);
  const bool within = segments && !segments->empty();
  const auto own = store::list_segments(directory);
  if (!within || !own || own->empty()) return {};
  return base::fail(base::ErrorKind::kUsage, "is part of the recording in the directory above it",
                    directory.string(), "resume that one");
}

base::Result<store::SegmentWriter> open_writer(const RecordingOptions& options) {
  if (!options.resume) return store::SegmentWriter::create(options.directory, options.storage);
  if (auto own = check_own_recording(options.directory); !own) return base::pass(own);
  return store::SegmentWriter::resume(options.directory, options.storage);
}

}  // namespace

base::Result<Recording> Recording::prepare(const RecordingOptions& options,
                                           model::FrameSink* sink) {
  if (auto fits = fit_into_address_space(); !fits) return base::pass(fits);
  auto supervisor = std::make_unique<Supervisor>();
  const auto stored = std::make_shared<collect::StorageVitals>();
  auto sampler = open_sampler(options, supervisor->end_fd(), [stored] { return *stored; });
  if (!sampler) return base::pass(sampler);
  if (sink != nullptr) {
    if (auto begun = sink->begin((*sampler)->facts()); !begun) return base::pass(begun);
  }
  std::error_code ignored;
  const bool made = !std::filesystem::exists(options.directory, ignored);
  auto writer = open_writer(options);
  if (!writer) return base::pass(writer);
  Recording out(options, std::move(*writer));
  if (auto begun = out.begin((*sampler)->facts()); !begun) return base::pass(begun);
  out.made_ = made;
  out.supervisor_ = std::move(supervisor);
  out.sampler_ = std::move(*sampler);
  out.sink_ = sink;
  out.marks_ = options.marks;
  out.stored_ = stored;
  out.selection_ = options.selection;
  out.filter_by_selection();
  return out;
}

void Recording::filter_by_selection() {
  if (selection_) filter_.emplace(recorded_by(*selection_));
}

base::Result<void> Recording::begin(const model::RunFacts& facts) {
  const store::RecordingTail* tail = writer_.resumed();
  if (tail == nullptr) return writer_.begin(facts);
  auto continuation = Continuation::of(*tail, facts, directory_.string());
  if (!continuation) return base::pass(continuation);
  continuation_.emplace(std::move(*continuation));
  return writer_.begin(continuation_->facts());
}

void Recording::take_back() {
  sampler_.reset();
  supervisor_.reset();
  if (continuation_) {
    static_cast<void>(writer_.finish());
    return;
  }
  if (const auto segments = store::list_segments(directory_)) {
    for (const auto number : *segments) {
      ::unlink((directory_ / store::segment_name(number)).c_str());
    }
  }
  if (made_) ::rmdir(directory_.c_str());
}

void Recording::run(const Observer& observer) {
  const auto looped = loop(observer);
  const auto finished = writer_.finish();
  if (!looped) {
    trouble_ = looped.error();
  } else if (!finished) {
    trouble_ = finished.error();
  }
}

base::Result<void> Recording::take(const model::Frame& frame) {
  if (auto written = store(frame); !written) return written;
  // What was not stored for want of space is noted in the next frame that is.
  if (marks_ != nullptr) marks_->said();
  *stored_ = {writer_.bytes_written(), writer_.status().dropped_frames};
  if (sink_ == nullptr) return {};
  return sink_->write(live_.channels(), live_.apply(sampler_->channels(), frame));
}

base::Result<void> Recording::store(const model::Frame& frame) {
  const model::Frame* stored = &live_.apply(sampler_->channels(), frame);
  const model::ChannelTable* channels = &live_.channels();
  if (filter_) {
    stored = &filter_->apply(*channels, *stored);
    channels = &filter_->channels();
  }
  if (continuation_) {
    stored = &continuation_->apply(*channels, *stored);
    channels = &continuation_->channels();
  }
  gone_.see(*stored);
  if (auto written = writer_.write(*channels, *stored); !written) return written;
  number_anew_if_due();
  return {};
}

// Just after a block little is open, so that no tick is late for it. A sink that takes the same
// frames must see numbers that only grow.
void Recording::number_anew_if_due() {
  if (!writer_.has_landed_block() || sink_ != nullptr) return;
  if (gone_.are_many() && writer_.number_anew()) {
    live_.number_anew();
    filter_by_selection();
    if (continuation_) continuation_->number_anew();
  }
  gone_.forget();
}

base::Result<void> Recording::loop(const Observer& observer) {
  for (;;) {
    const auto goes_on = take_next(observer);
    if (!goes_on) return base::pass(goes_on);
    if (!*goes_on) return say_last_marks(observer);
  }
}

base::Result<bool> Recording::take_next(const Observer& observer) {
  const auto next = sampler_->next();
  if (!next) return base::pass(next);
  const auto* frame = *next;
  if (frame == nullptr) return false;
  if (auto taken = take(*frame); !taken) return base::pass(taken);
  if (frames_++ == 0) begin_ns_ = frame->mono_ns;
  elapsed_ns_ = frame->mono_ns - begin_ns_;
  observer(state());
  return true;
}

// What was said just before the end, such as that the host restarts, is worth the next ticks: as
// many as a full queue needs, since somebody may go on to say things.
base::Result<void> Recording::say_last_marks(const Observer& observer) {
  if (marks_ == nullptr || frames_ == 0) return {};
  sampler_->ignore_stop();
  for (std::size_t i = 0; i < MarkQueue::kMost / MarkQueue::kMostATick; ++i) {
    if (!marks_->has_waiting()) break;
    const auto goes_on = take_next(observer);
    if (!goes_on) return base::pass(goes_on);
    if (!*goes_on) break;
  }
  return {};
}

Recording::State Recording::state() const {
  return {.elapsed_ns = elapsed_ns_,
          .channels = channels_stored(),
          .frames = frames_,
          .missed = sampler_->missed_ticks(),
          .bytes = writer_.bytes_on_disk(),
          .storing = !writer_.status().paused};
}

std::string Recording::summary() const {
  return fmt::format("recorded {} of {} channels, {} frames, {} ticks missed, {} in {}{}",
                     text::span_text(elapsed_ns_), channels_stored(), frames_,
                     sampler_->missed_ticks(),
                     text::format_quantity(static_cast<double>(bytes_on_disk()), "bytes"),
                     directory_.string(), removed_text(writer_.removed()));
}

std::size_t Recording::channels_stored() const {
  return (filter_ ? filter_->channels() : live_.channels()).channel_count();
}

std::vector<std::string> Recording::losses() const {
  std::vector<std::string> out;
  const auto& status = writer_.status();
  if (status.dropped_frames > 0 && status.first_failure) {
    out.push_back(fmt::format("{} of {} frames could not be stored; first: {}",
                              status.dropped_frames, frames_, status.first_failure->message()));
  }
  if (trouble_) out.push_back("the recording was not closed in order: " + trouble_->message());
  return out;
}

}  // namespace reveal::record

#include "retention/rollup_recording.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "retention/recording_end.h"
#include "store/facts_codec.h"

namespace reveal::retention {

using base::Result;
namespace {

// The end of a rollup in a numbering of its own.
struct NumberedEnd {
  model::ChannelTable channels;
  std::vector<model::Frame> latest;
};

// Returns the channels that have values in the latest frame, and the frames under their numbers.
// Metrics are few, and one must stay before those of its statistics: all of them stay.
NumberedEnd number_present(const model::ChannelTable& known, std::vector<model::Frame> latest) {
  NumberedEnd out;
  for (std::size_t i = 0; i < known.metric_count(); ++i) {
    out.channels.add_metric(known.metric(model::MetricId(i)));
  }
  std::vector<std::size_t> present;
  for (std::size_t i = 0; !latest.empty() && i < latest.back().bits.size(); ++i) {
    if (latest.back().validity[i] == model::Validity::kMissing) continue;
    const auto& channel = known.channel(model::ChannelId(i));
    out.channels.add_channel(channel.metric, channel.instance);
    present.push_back(i);
  }
  for (model::Frame& frame : latest) {
    const auto bits = std::exchange(frame.bits, {});
    const auto validity = std::exchange(frame.validity, {});
    frame.resize(present.size());
    for (std::size_t i = 0; i < present.size(); ++i) {
      if (present[i] >= bits.size()) continue;
      frame.bits[i] = bits[present[i]];
      frame.validity[i] = validity[present[i]];
    }
  }
  out.latest = std::move(latest);
  return out;
}

}  // namespace

Result<RollupRecording> RollupRecording::open(const std::filesystem::path& dir,
                                              const store::SegmentReader& fine,
                                              std::int64_t interval_ns,
                                              retention::FineSource kind) {
  auto end = read_end(dir, retention::Downsampler::kMemory);
  if (!end) return base::pass(end);
  RollupRecording out(dir,
                      std::make_unique<retention::Downsampler>(fine.facts(), interval_ns, kind));
  if (!*end) return out;
  const store::SegmentReader& reader = (*end)->reader;
  if (!store::same_run(reader.facts(), fine.facts()) || reader.facts().interval_ns != interval_ns) {
    return base::fail(base::ErrorKind::kUsage, "holds the rollup of another recording",
                      dir.string(), "move it elsewhere");
  }
  out.stated_ = (*end)->stated;
  out.numbers_anew_ = !fine.begins_as_the_recording() || reader.is_numbered_anew();
  if (out.numbers_anew_) {
    auto present = number_present(reader.channels(), std::move((*end)->latest));
    out.downsampler_->resume(present.channels, std::move(present.latest),
                             std::move((*end)->stated));
  } else {
    out.downsampler_->resume(reader.channels(), std::move((*end)->latest),
                             std::move((*end)->stated));
  }
  return out;
}

Result<void> RollupRecording::take(const model::ChannelTable& fine, const model::Frame& frame) {
  const model::Frame* closed = downsampler_->step(fine, frame);
  return closed != nullptr ? write(*closed) : Result<void>();
}

Result<void> RollupRecording::end_tick() {
  const model::Frame* closed = downsampler_->finish();
  return closed != nullptr ? write(*closed) : Result<void>();
}

Result<void> RollupRecording::write(const model::Frame& frame) {
  if (!writer_) {
    auto options = appending();
    options.number_anew = numbers_anew_;
    auto writer = store::SegmentWriter::extend(dir_, std::move(stated_), options);
    if (!writer) return base::pass(writer);
    writer_.emplace(std::move(*writer));
    if (auto begun = writer_->begin(downsampler_->facts()); !begun) return begun;
  }
  ++frames_added_;
  return write_or_fail(*writer_, downsampler_->channels(), frame);
}

Result<void> RollupRecording::commit() {
  if (!writer_) return {};
  if (auto finished = writer_->finish(); !finished) return finished;
  writer_.reset();
  return sync_directory(dir_.parent_path());
}

}  // namespace reveal::retention

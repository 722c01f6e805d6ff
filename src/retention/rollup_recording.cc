#include "retention/rollup_recording.h"

#include <utility>

#include "retention/recording_end.h"

namespace reveal::retention {

using base::Result;

Result<RollupRecording> RollupRecording::open(const std::filesystem::path& dir,
                                              const model::RunFacts& fine, std::int64_t interval_ns,
                                              retention::FineSource kind) {
  auto end = read_end(dir, retention::Downsampler::kMemory);
  if (!end) return base::pass(end);
  RollupRecording out(dir, std::make_unique<retention::Downsampler>(fine, interval_ns, kind));
  if (!*end) return out;
  const model::RunFacts& known = (*end)->reader.facts();
  if (known.host != fine.host || known.boot_id != fine.boot_id ||
      known.start_wall_ns != fine.start_wall_ns || known.interval_ns != interval_ns) {
    return base::fail(base::ErrorKind::kUsage, "holds the rollup of another recording",
                      dir.string(), "move it elsewhere");
  }
  out.stated_ = (*end)->stated;
  out.downsampler_->resume((*end)->reader.channels(), std::move((*end)->latest),
                           std::move((*end)->stated));
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
    auto writer = store::SegmentWriter::extend(dir_, std::move(stated_), appending());
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

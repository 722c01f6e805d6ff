#include "cli/tier_recording.h"

#include <utility>

#include "cli/recording_end.h"

namespace reveal::cli {

using base::Result;

Result<TierRecording> TierRecording::open(const std::filesystem::path& dir,
                                          const model::RunFacts& fine, std::int64_t interval_ns,
                                          tier::Fine kind) {
  auto end = read_end(dir, tier::Thinner::kMemory);
  if (!end) return base::pass(end);
  TierRecording out(dir, std::make_unique<tier::Thinner>(fine, interval_ns, kind));
  if (!*end) return out;
  const model::RunFacts& known = (*end)->reader.facts();
  if (known.host != fine.host || known.boot_id != fine.boot_id ||
      known.start_wall_ns != fine.start_wall_ns || known.interval_ns != interval_ns) {
    return base::fail(base::ErrorKind::kUsage, "holds the tier of another recording", dir.string(),
                      "move it elsewhere");
  }
  out.stated_ = (*end)->stated;
  out.thinner_->resume((*end)->reader.channels(), std::move((*end)->latest),
                       std::move((*end)->stated));
  return out;
}

Result<void> TierRecording::take(const model::ChannelTable& fine, const model::Frame& frame) {
  const model::Frame* closed = thinner_->step(fine, frame);
  return closed != nullptr ? write(*closed) : Result<void>();
}

Result<void> TierRecording::end_tick() {
  const model::Frame* closed = thinner_->finish();
  return closed != nullptr ? write(*closed) : Result<void>();
}

Result<void> TierRecording::write(const model::Frame& frame) {
  if (!writer_) {
    auto writer = store::SegmentWriter::resume(dir_, std::move(stated_), appending());
    if (!writer) return base::pass(writer);
    writer_.emplace(std::move(*writer));
    if (auto begun = writer_->begin(thinner_->facts()); !begun) return begun;
  }
  ++frames_added_;
  return write_or_fail(*writer_, thinner_->channels(), frame);
}

Result<void> TierRecording::commit() {
  if (!writer_) return {};
  if (auto finished = writer_->finish(); !finished) return finished;
  writer_.reset();
  return sync_directory(dir_.parent_path());
}

}  // namespace reveal::cli

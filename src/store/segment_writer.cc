#include "store/segment_writer.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "store/recording_dir.h"
#include "store/segment_closing.h"
#include "store/segment_reader.h"

namespace reveal::store {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::size_t kMaxPendingNotes = 10'000;
constexpr std::int64_t kSpaceCheckNs = 1'000'000'000;

// A block is encoded within so many ticks, and never fewer columns in one than these.
constexpr std::size_t kSealingTicks = 40;
constexpr std::size_t kMinColumns = 16;

// Retention removes whole segments. Keep at least 4, so that one removal drops at most a quarter.
// While frames are in journals, keep at least 16 blocks.
constexpr std::int64_t kKeptSegments = 4;
constexpr std::uint64_t kKeptBlocks = 16;

WriterOptions in_pieces(WriterOptions options) {
  options.block_ticks = std::clamp<std::size_t>(options.block_ticks, 1, kMaxTicks);
  if (const std::int64_t keep_ns = options.retention.keep_ns; keep_ns > 0) {
    options.segment_ns = std::min(options.segment_ns, keep_ns / kKeptSegments);
    options.block_ns = std::min(options.block_ns, options.segment_ns);
  }
  if (const std::uint64_t most = options.retention.max_bytes; most > 0) {
    options.segment_bytes = std::min<std::uint64_t>(options.segment_bytes, most / kKeptSegments);
    options.block_bytes = most / kKeptBlocks;
  }
  return options;
}

// Of a recorder that was killed while it began, the one segment has no whole record.
Result<void> remove_empty_begin(const std::filesystem::path& dir) {
  const auto segments = list_segments(dir);
  if (!segments) return base::pass(segments);
  if (segments->size() != 1) return {};
  const std::filesystem::path path = dir / segment_name(segments->front());
  const auto end = read_segment_end(path);
  if (!end) return base::pass(end);
  if (end->state != SegmentState::kEmpty) return {};
  return close_segment(path).map([](bool) {});
}

// Returns whether there is a recording in `dir`. Fails if something else is in it: also journals
// alone, because only segments say what their numbers mean.
Result<bool> holds_recording(const std::filesystem::path& dir) {
  const auto segments = list_segments(dir);
  if (!segments) return base::pass(segments);
  if (!segments->empty()) return true;
  const auto journals = list_journals(dir);
  if (!journals) return base::pass(journals);
  if (!journals->empty()) {
    return base::fail(ErrorKind::kUsage,
                      "holds journals, but no segment that tells how to read them", dir.string(),
                      "choose another directory");
  }
  const auto empty = check_empty(dir);
  if (!empty) return base::pass(empty);
  return false;
}

constexpr auto kNoSegment = std::numeric_limits<std::uint32_t>::max();
constexpr auto kAllColumns = std::numeric_limits<std::size_t>::max();

}  // namespace

SegmentWriter::SegmentWriter(std::filesystem::path dir, base::UniqueFd lock, WriterOptions options)
    : dir_(dir),
      lock_(std::move(lock)),
      options_(in_pieces(options)),
      log_(dir, {options_.segment_bytes, options_.segment_ns}),
      journal_(std::move(dir)) {}

Result<SegmentWriter> SegmentWriter::create(const std::filesystem::path& dir,
                                            WriterOptions options) {
  auto lock = claim_empty_dir(dir);
  if (!lock) return base::pass(lock);
  return SegmentWriter(dir, std::move(*lock), options);
}

Result<SegmentWriter> SegmentWriter::extend(const std::filesystem::path& dir,
                                            model::FactTable stated, WriterOptions options) {
  auto lock = claim_dir(dir);
  if (!lock) return base::pass(lock);
  const auto segments = list_segments(dir);
  if (!segments) return base::pass(segments);
  const auto staging_dir = make_staging_dir(dir);
  if (!staging_dir) return base::pass(staging_dir);
  SegmentWriter writer(*staging_dir, std::move(*lock), options);
  writer.target_ = dir;
  writer.log_.go_on(segments->empty() ? 0 : segments->back(), std::move(stated));
  if (options.number_anew) {
    if (const auto anew = writer.log_.number_anew(); !anew) return base::pass(anew);
  }
  return writer;
}

Result<SegmentWriter> SegmentWriter::resume(const std::filesystem::path& dir,
                                            WriterOptions options) {
  auto lock = claim_dir(dir);
  if (!lock) return base::pass(lock);
  if (const auto removed = remove_empty_begin(dir); !removed) return base::pass(removed);
  const auto recorded = holds_recording(dir);
  if (!recorded) return base::pass(recorded);
  SegmentWriter writer(dir, std::move(*lock), options);
  if (!*recorded) return writer;
  auto tail = read_tail(dir);
  if (!tail) return base::pass(tail);
  writer.tail_.emplace(std::move(*tail));
  return writer;
}

Result<void> SegmentWriter::begin(const model::RunFacts& facts) {
  auto space = check_free_space(0);
  if (!space && tail_ && gives_way()) {
    if (const auto closed = close_old_segments(); !closed) return closed;
    space_checked_ns_.reset();
    space = check_free_space(0);
  }
  if (!space) return space;
  space_checked_ns_.reset();
  journal_.begin(facts);
  auto begun = tail_ ? go_on(facts) : log_.begin(facts);
  has_begun_ = begun.has_value();
  return begun;
}

// The frames of the old journals are read from files that are opened before any new one is there,
// and stay in them until they are in a segment: whenever this ends, nothing is lost.
Result<void> SegmentWriter::go_on(const model::RunFacts& facts) {
  if (!knows_old_segments_) {
    if (const auto closed = close_old_segments(); !closed) return closed;
  }
  ReadOptions options;
  options.from_segment = tail_->from_segment;
  options.bare_blocks = true;
  auto old = SegmentReader::open(dir_, std::move(options));
  if (!old) return base::pass(old);
  if (const auto numbered = journal_.go_on(); !numbered) return numbered;
  if (tail_->is_numbered_anew) {
    if (const auto anew = log_.number_anew(); !anew) return anew;
  }
  if (const auto begun = log_.begin(facts); !begun) return begun;
  if (const auto sealed = seal_journals(*old); !sealed) return sealed;
  return journal_.take_over();
}

Result<void> SegmentWriter::close_old_segments() {
  auto numbers = list_segments(dir_);
  if (!numbers) return base::pass(numbers);
  if (!numbers->empty()) {
    const auto there = close_segment(dir_ / segment_name(numbers->back()));
    if (!there) return base::pass(there);
    if (!*there) numbers->pop_back();
  }
  log_.go_on(numbers->empty() ? 0 : numbers->back(), tail_->landed);
  knows_old_segments_ = true;
  return log_.count_closed(*numbers, gives_way());
}

Result<void> SegmentWriter::seal_journals(SegmentReader& old) {
  for (;;) {
    const auto frame = old.next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return seal_all();
    if (old.segment()) continue;
    if (const auto stated = log_.state(tail_->channels); !stated) return stated;
    add_to_block(tail_->channels, **frame, (*frame)->gap, (*frame)->notes);
    if (!block_is_full((*frame)->mono_ns)) continue;
    if (const auto sealed = seal_all(); !sealed) return sealed;
  }
}

Result<void> SegmentWriter::number_anew() {
  if (const auto sealed = seal_all(); !sealed) return sealed;
  if (const auto anew = log_.number_anew(); !anew) return anew;
  real_.clear();
  return {};
}

Result<void> SegmentWriter::write(const model::ChannelTable& channels, const model::Frame& frame) {
  keep_notes(frame);
  landed_ = false;
  const auto stored = store(channels, frame);
  note_failure(stored);
  status_.paused = !stored;
  if (stored) {
    ++status_.stored_frames;
  } else {
    ++status_.dropped_frames;
  }
  if (!sealing_ && block_is_full(frame.mono_ns)) begin_sealing();
  // A block that finds no room is tried again; its frames are safe in the journal.
  if (sealing_) note_failure(advance_sealing(sealing_->columns_a_tick));
  note_failure(sync_if_due(frame.mono_ns));
  note_failure(log_.remove(options_.retention, frame.mono_ns, journal_.bytes()));
  return {};
}

void SegmentWriter::note_failure(const Result<void>& result) {
  if (!result && !status_.first_failure) status_.first_failure = result.error();
}

Result<void> SegmentWriter::store(const model::ChannelTable& channels, const model::Frame& frame) {
  if (const auto space = check_free_space(frame.mono_ns); !space) return space;
  if (open_block_.ticks() == kMaxTicks) {
    return base::fail(ErrorKind::kNoSpace, "no room for the previous block", dir_.string(),
                      "free some space, or record to another disk");
  }
  if (const auto stated = log_.state(channels); !stated) return stated;
  journal_.set_numbering(log_.numbering());
  const std::uint8_t storage = status_.paused ? model::kGapStorage : model::kNoGap;
  const auto gap = static_cast<std::uint8_t>(frame.gap | storage);
  if (const auto kept = journal_.append(frame, gap, pending_notes_); !kept) return kept;
  add_to_block(channels, frame, gap, pending_notes_);
  pending_notes_.clear();
  return {};
}

void SegmentWriter::add_to_block(const model::ChannelTable& channels, const model::Frame& frame,
                                 std::uint8_t gap, const std::vector<model::Note>& notes) {
  open_block_.add(frame, gap, notes);
  for (std::size_t i = real_.size(); i < frame.bits.size(); ++i) {
    real_.push_back(channels.metric(model::ChannelId(i)).repr == model::Repr::kF64);
  }
}

Result<void> SegmentWriter::check_free_space(std::int64_t now_ns) {
  if (options_.min_free_bytes == 0) return {};
  const bool recent = space_checked_ns_ && now_ns - *space_checked_ns_ < kSpaceCheckNs;
  if (recent && !status_.paused) return {};
  space_checked_ns_ = now_ns;
  struct statvfs fs {};
  // A file system that does not know its size cannot tell how full it is.
  if (::fstatvfs(lock_.get(), &fs) != 0 || fs.f_blocks == 0) return {};
  const std::uint64_t free_bytes = std::uint64_t{fs.f_bavail} * fs.f_frsize;
  return free_bytes >= options_.min_free_bytes ? Result<void>() : make_room(free_bytes);
}

// What a recording that is resumed is read from must stay until it has begun.
Result<void> SegmentWriter::make_room(std::uint64_t free_bytes) {
  const auto needed = has_begun_ || !tail_ ? kNoSegment : tail_->from_segment;
  if (gives_way()) {
    const auto freed = log_.free_up(options_.min_free_bytes - free_bytes, needed);
    if (!freed) return base::pass(freed);
    if (*freed) return {};
  }
  return base::fail(ErrorKind::kNoSpace,
                    fmt::format("only {} MiB are free and {} MiB are to stay free",
                                free_bytes >> 20, options_.min_free_bytes >> 20),
                    dir_.string(), "free some space, or record to another disk");
}

Result<void> SegmentWriter::sync_if_due(std::int64_t now_ns) {
  if (options_.sync_ns == 0 || now_ns - synced_ns_ < options_.sync_ns) return {};
  synced_ns_ = now_ns;
  if (const auto synced = log_.sync(); !synced) return synced;
  return journal_.sync();
}

bool SegmentWriter::block_is_full(std::int64_t now_ns) const {
  const std::size_t ticks = open_block_.ticks();
  return ticks >= options_.block_ticks ||
         (options_.block_bytes > 0 && journal_.open_bytes() >= options_.block_bytes) ||
         (ticks > 0 && now_ns - open_block_.first_mono_ns() >= options_.block_ns);
}

void SegmentWriter::begin_sealing() {
  journal_.end_block();
  sealing_.emplace(Sealing{BlockEncoder(std::exchange(open_block_, BlockBuilder()), real_), 0, {}});
  sealing_->columns_a_tick = std::max(kMinColumns, sealing_->encoder.columns() / kSealingTicks);
}

Result<void> SegmentWriter::advance_sealing(std::size_t columns) {
  if (sealing_->payload.empty()) {
    if (!sealing_->encoder.advance(columns)) return {};
    sealing_->encoder.finish(sealing_->payload);
  }
  const BlockEncoder& block = sealing_->encoder;
  if (const auto landed = log_.append(sealing_->payload, block.heading(), block.notes()); !landed) {
    return landed;
  }
  sealing_.reset();
  landed_ = true;
  if (options_.sync_ns > 0) {
    if (const auto synced = log_.sync(); !synced) return synced;
    while (journal_.ended() > 0) journal_.remove_oldest();
  }
  // By the time the next block has landed, the kernel has long written this one to the disk.
  while (journal_.ended() > 1) journal_.remove_oldest();
  return {};
}

// Notes outlast frames that cannot be stored, up to a number that nobody would read through.
void SegmentWriter::keep_notes(const model::Frame& frame) {
  for (const model::Note& note : frame.notes) {
    if (pending_notes_.size() < kMaxPendingNotes) pending_notes_.push_back(note);
  }
}

Result<void> SegmentWriter::seal_all() {
  if (sealing_) {
    if (const auto landed = advance_sealing(kAllColumns); !landed) return landed;
  }
  if (open_block_.ticks() == 0) return {};
  begin_sealing();
  return advance_sealing(kAllColumns);
}

Result<void> SegmentWriter::finish() {
  if (const auto there = check_still_there(); !there) return there;
  if (const auto sealed = seal_all(); !sealed) return sealed;
  if (const auto finished = log_.finish(status_.dropped_frames); !finished) return finished;
  if (const auto synced = log_.sync_all(); !synced) return synced;
  if (!target_.empty()) {
    if (const auto published = publish(); !published) return published;
  }
  // Makes the names durable; some file systems cannot, and need not.
  if (::fsync(lock_.get()) != 0 && errno != EINVAL) {
    return base::fail_errno(errno, "cannot flush to the disk", dir_.string());
  }
  while (journal_.ended() > 0) journal_.remove_oldest();
  return {};
}

// What is written into files without a name goes with the last descriptor, and no write fails.
Result<void> SegmentWriter::check_still_there() const {
  if (!target_.empty()) return {};
  struct stat folder {};
  const bool gone = ::fstat(lock_.get(), &folder) == 0 && folder.st_nlink == 0;
  const auto open = log_.open_name();
  if (!gone &&
      (open.empty() || ::faccessat(lock_.get(), open.c_str(), F_OK, 0) == 0 || errno != ENOENT)) {
    return {};
  }
  return base::fail(ErrorKind::kIo, "was removed during the recording, and its frames with it",
                    dir_.string(), "record again");
}

// Each segment arrives whole. If only some do, they are the first ones: a recording that ends
// earlier.
Result<void> SegmentWriter::publish() {
  for (const std::uint32_t number : log_.closed().numbers()) {
    const std::filesystem::path name = segment_name(number);
    if (::rename((dir_ / name).c_str(), (target_ / name).c_str()) != 0) {
      return base::fail_errno(errno, "cannot move a segment into the recording",
                              (target_ / name).string());
    }
  }
  return remove_staging_dir(target_);
}

}  // namespace reveal::store

#include "retention/old_segments.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "store/recording_dir.h"
#include "store/segment_reader.h"
#include "store/segment_span.h"

namespace reveal::retention {
namespace {

namespace fs = std::filesystem;
using base::Result;

// Segments that are downsampled before any of them goes: the disk must have room for what replaces
// them.
constexpr std::size_t kBatch = 16;

// A rollup takes less than what it replaces, or little more, if ticks are many times as frequent.
// Of two ticks it has four values instead of two, and some are means, which pack badly.
constexpr std::uint64_t kMostGrowth = 4;

Result<void> remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return base::fail_errno(errno, "cannot remove", path.string());
}

Result<std::optional<std::int64_t>> end_of_journals(const Stage& stage, std::uint32_t last) {
  const auto journals = store::list_journals(stage.dir);
  if (!journals) return base::pass(journals);
  if (journals->empty()) return std::nullopt;
  store::ReadOptions tail;
  tail.from_segment = last;
  auto reader = store::SegmentReader::open(stage.dir, std::move(tail));
  if (!reader) return base::pass(reader);
  std::optional<std::int64_t> end_ns;
  for (;;) {
    const auto frame = reader->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return end_ns;
    end_ns = std::max(end_ns.value_or((*frame)->wall_ns), (*frame)->wall_ns);
  }
}

// Of a recorder that was killed the last segment goes with the journals, which have what it lacks.
Result<bool> is_old(const Stage& stage, const AgesFrom& from, std::uint32_t number, bool last) {
  const auto cutoff_ns = from.now_ns - stage.age_ns;
  const auto span = store::segment_span(stage.dir / store::segment_name(number));
  if (!span) return base::pass(span);
  if (*span && (*span)->end_ns >= cutoff_ns) return false;
  if (*span && from.newest_mono_ns && (*span)->end_mono_ns >= *from.newest_mono_ns - stage.age_ns) {
    return false;
  }
  if (!last) return true;
  const auto end_ns = end_of_journals(stage, number);
  if (!end_ns) return base::pass(end_ns);
  return !*end_ns || **end_ns < cutoff_ns;
}

}  // namespace

Result<std::vector<std::uint32_t>> segments_of(const fs::path& dir) {
  if (!fs::exists(dir)) return std::vector<std::uint32_t>();
  return store::list_segments(dir);
}

Result<Batch> next_batch(const Stage& stage, const AgesFrom& from, bool more) {
  const auto segments = segments_of(stage.dir);
  if (!segments) return base::pass(segments);
  Batch out;
  for (std::size_t i = 0; i + (more ? 1 : 0) < segments->size() && i < kBatch; ++i) {
    const bool last = i + 1 == segments->size();
    const auto old = is_old(stage, from, (*segments)[i], last);
    if (!old) return base::pass(old);
    if (!*old) break;
    out.segments.push_back((*segments)[i]);
    out.whole = last;
  }
  return out;
}

Result<void> remove_segment(const fs::path& dir, std::uint32_t number, const Batch& batch) {
  if (batch.whole && number == batch.segments.back()) {
    const auto journals = store::list_journals(dir);
    if (!journals) return base::pass(journals);
    for (const std::uint32_t journal : *journals) {
      if (auto gone = remove_file(dir / store::journal_name(journal)); !gone) return gone;
    }
  }
  return remove_file(dir / store::segment_name(number));
}

std::uint64_t bytes_of_recording(const fs::path& dir) {
  std::uint64_t out = 0;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(dir, failed), end; !failed && it != end;
       it.increment(failed)) {
    std::error_code ignored;
    const auto bytes = it->is_regular_file(ignored) ? it->file_size(ignored) : 0;
    if (!ignored) out += bytes;
  }
  return out;
}

std::size_t fitting(const fs::path& dir, const std::vector<std::uint32_t>& segments,
                    std::uint64_t most, std::uint64_t& bytes) {
  bytes = 0;
  std::size_t out = 0;
  for (const std::uint32_t number : segments) {
    std::error_code ignored;
    const auto size = fs::file_size(dir / store::segment_name(number), ignored);
    const auto with = bytes + (ignored ? 0 : kMostGrowth * size);
    if (with > (out == 0 ? most : most / 2)) break;
    bytes = with;
    ++out;
  }
  return out;
}

}  // namespace reveal::retention

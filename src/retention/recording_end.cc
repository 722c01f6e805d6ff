#include "retention/recording_end.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "store/recording_dir.h"

namespace reveal::retention {

using base::Result;

Result<std::optional<RecordingEnd>> read_end(const std::filesystem::path& dir, std::size_t frames) {
  if (!std::filesystem::exists(dir)) return std::nullopt;
  const auto segments = store::list_segments(dir);
  if (!segments) return base::pass(segments);
  if (segments->empty()) return std::nullopt;
  store::ReadOptions options;
  options.from_segment = (*segments)[segments->size() - std::min(frames, segments->size())];
  auto reader = store::SegmentReader::open(dir, std::move(options));
  if (!reader) return base::pass(reader);
  RecordingEnd end{std::move(*reader), {}, {}};
  for (;;) {
    const auto frame = end.reader.next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return end;
    for (const model::Note& note : (*frame)->notes) end.stated.apply(note);
    end.latest.push_back(**frame);
    if (end.latest.size() > frames) end.latest.erase(end.latest.begin());
  }
}

std::optional<std::uint64_t> last_sequence(const std::optional<RecordingEnd>& end) {
  if (!end || end->latest.empty()) return std::nullopt;
  return end->latest.back().sequence;
}

store::WriterOptions appending() {
  store::WriterOptions options;
  options.segment_ns = std::numeric_limits<std::int64_t>::max();
  options.block_ns = std::numeric_limits<std::int64_t>::max();
  options.min_free_bytes = 0;
  return options;
}

Result<void> write_or_fail(store::SegmentWriter& writer, const model::ChannelTable& channels,
                           const model::Frame& frame) {
  if (auto written = writer.write(channels, frame); !written) return written;
  if (writer.status().first_failure) return base::Unexpected(*writer.status().first_failure);
  return {};
}

Result<std::uint64_t> copy_or_fail(store::SegmentReader& reader, store::SegmentWriter& writer) {
  if (auto begun = writer.begin(reader.facts()); !begun) return base::pass(begun);
  for (std::uint64_t frames = 0;; ++frames) {
    const auto frame = reader.next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return writer.finish().map([frames] { return frames; });
    if (auto written = write_or_fail(writer, reader.channels(), **frame); !written) {
      return base::pass(written);
    }
  }
}

Result<void> sync_directory(const std::filesystem::path& dir) {
  const base::UniqueFd fd(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return base::fail_errno(errno, "cannot open the directory", dir.string());
  if (::fsync(fd.get()) == 0 || errno == EINVAL) return {};
  return base::fail_errno(errno, "cannot flush to the disk", dir.string());
}

}  // namespace reveal::retention

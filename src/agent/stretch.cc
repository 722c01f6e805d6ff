#include "agent/stretch.h"

#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>

#include "retention/recording_end.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

// At the end the last block comes into its segment while the journal, which is larger, has it, too.
bool is_full(const store::SegmentWriter& writer, std::uint64_t max_bytes) {
  return max_bytes > 0 && writer.bytes_on_disk() + writer.journal_bytes() > max_bytes;
}

base::Unexpected too_large(const fs::path& part, std::uint64_t max_bytes) {
  return base::fail(base::ErrorKind::kNoSpace,
                    fmt::format("takes more than the {} MiB that are left for it", max_bytes >> 20),
                    part.string(), "keep less, or set record.max_size higher");
}

Result<std::uint64_t> copy_stretch(const fs::path& recording, const fs::path& part,
                                   const Stretch& stretch, const std::atomic<bool>* stop) {
  store::ReadOptions span;
  span.from_ns = stretch.from_ns;
  span.to_ns = stretch.to_ns;
  auto reader = store::SegmentReader::open(recording, span);
  if (!reader) return base::pass(reader);
  store::WriterOptions options;
  options.min_free_bytes = stretch.min_free_bytes;
  auto writer = store::SegmentWriter::create(part, options);
  if (!writer) return base::pass(writer);
  if (auto begun = writer->begin(reader->facts()); !begun) return base::pass(begun);
  for (std::uint64_t frames = 0;; ++frames) {
    if (stop != nullptr && stop->load()) {
      return base::fail(base::ErrorKind::kBusy, "the agent ends", recording.string());
    }
    const auto frame = reader->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr && frames == 0) {
      return base::fail(base::ErrorKind::kTooLittle, "has no frame of that time",
                        recording.string());
    }
    const bool full = *frame != nullptr && is_full(*writer, stretch.max_bytes);
    if (full && (!stretch.may_be_cut || frames == 0)) return too_large(part, stretch.max_bytes);
    if (*frame == nullptr || full) return writer->finish().map([frames] { return frames; });
    if (auto written = retention::write_or_fail(*writer, reader->channels(), **frame); !written) {
      return base::pass(written);
    }
  }
}

}  // namespace

Result<std::uint64_t> keep_stretch(const fs::path& recording, const fs::path& kept,
                                   const Stretch& stretch, const std::atomic<bool>* stop) {
  const fs::path part = kept.string() + kUnfinished;
  std::error_code failed;
  fs::remove_all(part, failed);  // of an agent that was killed
  auto frames = copy_stretch(recording, part, stretch, stop);
  if (frames) fs::rename(part, kept, failed);
  if (frames && !failed) return frames;
  std::error_code ignored;
  fs::remove_all(part, ignored);
  if (!frames) return frames;
  return base::fail_errno(failed.value(), "cannot name the folder", kept.string());
}

std::uint64_t bytes_since(const fs::path& recording, std::int64_t from_ns) {
  std::uint64_t out = 0;
  std::error_code failed;
  for (fs::directory_iterator it(recording, failed), end; !failed && it != end;
       it.increment(failed)) {
    struct stat file {};
    if (::lstat(it->path().c_str(), &file) != 0 || !S_ISREG(file.st_mode)) continue;
    const bool frames = it->path().extension().string().starts_with(".rv");
    const auto written_ns = file.st_mtim.tv_sec * kSecond_ns + file.st_mtim.tv_nsec;
    if (frames && written_ns >= from_ns) out += static_cast<std::uint64_t>(file.st_size);
  }
  return out;
}

}  // namespace reveal::agent

#include "agent/recording_check.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "store/recording_dir.h"
#include "store/segment_reader.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;

// Often retention takes a segment away while it is about to be read.
constexpr int kTries = 3;

base::Error place_of(const fs::path& dir, const store::Damage& damage, const std::string& remedy) {
  return {ErrorKind::kCorrupt,
          fmt::format("is damaged from byte {} on, {} bytes: {}", damage.offset, damage.bytes,
                      damage.what),
          (dir / damage.file).string(), remedy};
}

void list(const fs::path& dir, const std::vector<store::Damage>& damage, const std::string& remedy,
          RecordingCheck& out) {
  for (std::size_t i = 0; i < std::min(damage.size(), kListedPlaces); ++i) {
    out.damage.push_back(place_of(dir, damage[i], remedy));
  }
  if (damage.size() <= kListedPlaces) return;
  out.damage.push_back({ErrorKind::kCorrupt,
                        fmt::format("has {} more damaged places", damage.size() - kListedPlaces),
                        dir.string(), remedy});
}

base::Result<RecordingCheck> read_all(const fs::path& dir, const std::string& remedy,
                                      bool is_whole) {
  RecordingCheck out;
  store::ReadOptions options;
  options.bare_blocks = true;
  auto reader = store::SegmentReader::open(dir, std::move(options));
  if (!reader) return base::pass(reader);
  for (;;) {
    const auto frame = reader->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) break;
    ++out.frames;
  }
  list(dir, reader->damage(), remedy, out);
  if (is_whole && out.damage.empty() && !reader->clean_close()) {
    out.damage.push_back({ErrorKind::kCorrupt, "ends before it was closed", dir.string(), remedy});
  }
  return out;
}

}  // namespace

RecordingCheck check_recording(const fs::path& dir, const std::string& remedy, bool is_whole) {
  for (int tries = 1;; ++tries) {
    auto out = read_all(dir, remedy, is_whole);
    if (out) return std::move(*out);
    const bool may_have_gone = out.error().kind == ErrorKind::kAbsent && tries < kTries;
    if (may_have_gone && store::is_being_written(dir)) continue;
    auto error = out.error();
    // Some name the file alone.
    if (!error.where.starts_with(dir.string())) error.where = (dir / error.where).string();
    if (error.remedy.empty()) error.remedy = remedy;
    RecordingCheck failed;
    failed.damage.push_back(std::move(error));
    return failed;
  }
}

}  // namespace reveal::agent

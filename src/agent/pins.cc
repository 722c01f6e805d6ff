#include "agent/pins.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/statvfs.h>

#include "agent/kept_items.h"
#include "base/thread.h"
#include "text/duration.h"
#include "text/time_text.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kJournals = std::uint64_t{1} << 20;

// Returns a name that sorts by time and needs no quotes in a shell: "20261126T092212.250Z".
std::string name_of(std::int64_t wall_ns) {
  auto out = text::iso_time(wall_ns);
  std::erase_if(out, [](char c) { return c == '-' || c == ':'; });
  return out;
}

// An agent that was killed may have left one that is not whole.
void remove_parts(const fs::path& pins) {
  std::error_code failed;
  for (fs::directory_iterator it(pins, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code ignored;
    if (it->path().extension() == kUnfinished) fs::remove_all(it->path(), ignored);
  }
}

}  // namespace

Pins::Pins(fs::path recording, fs::path pins, KeptSpace& space)
    : recording_(std::move(recording)), pins_(std::move(pins)), space_(space) {
  remove_parts(pins_);
}

Pins::~Pins() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

base::Result<void> Pins::check_disk(std::uint64_t needed) const {
  struct statvfs disk {};
  if (::statvfs(pins_.c_str(), &disk) != 0) return {};  // what is written will tell
  const auto free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  const auto min_free_bytes = space_.limits().min_free_bytes;
  if (free >= min_free_bytes + needed) return {};
  return base::fail(base::ErrorKind::kNoSpace,
                    fmt::format("the disk has {} left, and this may take {}", bytes_text(free),
                                bytes_text(needed)),
                    pins_.string(),
                    fmt::format("free some space, or keep less; {} stay free (record.min_free)",
                                bytes_text(min_free_bytes)));
}

base::Result<fs::path> Pins::begin(std::int64_t last_ns, std::int64_t wall_ns) {
  const std::lock_guard lock(mutex_);
  if (copying_) {
    return base::fail(base::ErrorKind::kBusy, "another stretch is being kept", pins_.string(),
                      "try again in a moment");
  }
  std::error_code failed;
  fs::create_directories(pins_, failed);
  if (failed) return base::fail_errno(failed.value(), "cannot make the folder", pins_.string());
  Stretch stretch{.from_ns = std::max<std::int64_t>(wall_ns - last_ns, 0),
                  .to_ns = wall_ns,
                  .min_free_bytes = space_.limits().min_free_bytes};
  const auto needed = bytes_since(recording_, stretch.from_ns);
  if (auto room = check_disk(needed); !room) return base::pass(room);
  // The frames of its last blocks are in its journals, too, and larger there.
  const auto most = 2 * needed + kJournals;
  if (auto held = space_.hold_for_pin(most, wall_ns); !held) return base::pass(held);
  if (space_.limits().most_bytes > 0) stretch.max_bytes = most;
  if (thread_.joinable()) thread_.join();
  auto folder = pins_ / name_of(wall_ns);
  copying_ = true;
  auto thread = base::start_thread("what keeps a stretch",
                                   [this, folder, stretch, most] { keep(folder, stretch, most); });
  if (!thread) {
    copying_ = false;
    space_.pin_is_made(most);
    return base::pass(thread);
  }
  thread_ = std::move(*thread);
  return folder;
}

void Pins::keep(const fs::path& folder, const Stretch& stretch, std::uint64_t held) {
  const auto frames = keep_stretch(recording_, folder, stretch, &stop_);
  space_.pin_is_made(held);
  Line line{.failed = !frames,
            .text = frames ? fmt::format("kept {} frames in {}", *frames, folder.string())
                           : "nothing is kept: " + frames.error().message()};
  const std::lock_guard lock(mutex_);
  lines_.push_back(std::move(line));
  copying_ = false;  // nothing more is locked from here on: begin() may wait for the thread's end
}

base::Result<std::string> Pins::begin_last(const std::string& length, std::int64_t wall_ns) {
  const auto last_ns = text::parse_duration(length);
  if (!last_ns) return base::pass(last_ns);
  const auto folder = begin(*last_ns, wall_ns);
  if (!folder) return base::pass(folder);
  return fmt::format("the last {} are being kept in {}", length, folder->string());
}

std::vector<Pins::Line> Pins::take_lines() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lines_, {});
}

}  // namespace reveal::agent

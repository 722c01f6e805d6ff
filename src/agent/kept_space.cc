#include "agent/kept_space.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "agent/evidence.h"
#include "agent/evidence_archive.h"
#include "agent/finding_file.h"
#include "agent/stretch.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;

// Evidence that may take no more than that is not worth the older one that goes for it.
constexpr std::uint64_t kLeastEvidence = std::uint64_t{256} << 10;
constexpr std::uint64_t kSpareParts = 8;     // of the share, one is left for what comes meanwhile
constexpr std::uint64_t kEvidenceParts = 8;  // and one finding's evidence takes no more than one

void remove_unfinished(const fs::path& findings) {
  std::vector<fs::path> found;
  std::error_code failed;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator it(findings, skip, failed), end; !failed && it != end;
       it.increment(failed)) {
    if (it->path().filename() == std::string(kEvidenceFolder) + kUnfinished) {
      found.push_back(it->path());
    }
  }
  std::error_code ignored;
  for (const auto& path : found) fs::remove_all(path, ignored);
}

// Returns whether it is a finding that goes on: what was told of it stands in its file alone.
bool is_open(const KeptItem& item) {
  if (item.kind != KeptKind::kHistory) return false;
  const auto finding = load_finding(finding_file(item.paths.front()));
  return finding && finding->open;
}

std::string counted(std::size_t number, const char* one, const char* more) {
  return number == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", number, more);
}

std::string removed_text(const std::array<std::size_t, 3>& removed, std::uint64_t most) {
  std::string out;
  const auto add = [&](KeptKind kind, const char* one, const char* more) {
    const auto number = removed[static_cast<std::size_t>(kind)];
    if (number > 0) out += (out.empty() ? "" : ", ") + counted(number, one, more);
  };
  add(KeptKind::kEvidence, "finding's evidence", "findings' evidence");
  add(KeptKind::kHistory, "finding or report of a day", "findings or reports of days");
  add(KeptKind::kPin, "pin", "pins");
  return fmt::format(
      "removed the oldest to stay within record.max_size, which leaves {} for what "
      "is kept: {}",
      bytes_text(most), out);
}

}  // namespace

KeptSpace::KeptSpace(Paths paths, Limits limits) : paths_(std::move(paths)), limits_(limits) {
  remove_unfinished(paths_.findings());
}

// Returns how much may be there for so much more to fit. What a pin has copied so far is there.
std::uint64_t KeptSpace::target(const KeptItems& items, std::uint64_t wanted) const {
  const auto to_come = held_bytes_ - std::min(held_bytes_, items.unfinished_pins_bytes);
  const auto taken = limits_.most_bytes / kSpareParts + to_come + wanted;
  return limits_.most_bytes - std::min(limits_.most_bytes, taken);
}

// Returns whether there would be room for so much if all went that goes before `last`, and that.
bool KeptSpace::can_fit(const KeptItems& items, std::uint64_t wanted, KeptKind last) const {
  auto left = items.bytes;
  for (const auto& item : items.items) {
    if (item.kind <= last) left -= std::min(left, item.bytes);
  }
  return left <= target(items, wanted);
}

// Removes what goes before `last` and that, until so much more would fit. Returns whether it does.
bool KeptSpace::make_room(KeptItems& items, std::uint64_t wanted, KeptKind last,
                          std::int64_t now_ns) {
  std::array<std::size_t, 3> removed{};
  const auto fits = [&] { return items.bytes <= target(items, wanted); };
  const auto remove = [&](const KeptItem& item) {
    if (fits()) return;
    remove_item(item, now_ns);
    items.bytes -= std::min(items.bytes, item.bytes);
    ++removed[static_cast<std::size_t>(item.kind)];
  };
  for (const auto kind : {KeptKind::kEvidence, KeptKind::kHistory, KeptKind::kPin}) {
    if (kind > last) break;
    std::vector<const KeptItem*> open;
    for (const auto& item : items.items) {
      if (item.kind != kind || fits()) continue;
      if (is_open(item)) {
        open.push_back(&item);
      } else {
        remove(item);
      }
    }
    for (const auto* item : open) remove(*item);
  }
  if (std::any_of(removed.begin(), removed.end(), [](auto number) { return number > 0; }))
    lines_.push_back(removed_text(removed, limits_.most_bytes));
  return fits();
}

base::Unexpected KeptSpace::no_room(const KeptItems& items) const {
  return base::fail(base::ErrorKind::kNoSpace,
                    fmt::format("what is kept takes {} of the {} that record.max_size leaves for "
                                "it",
                                bytes_text(items.bytes), bytes_text(limits_.most_bytes)),
                    paths_.directory.string(),
                    "remove pins, or what is not the agent's, or set record.max_size higher");
}

base::Result<std::uint64_t> KeptSpace::room_for_evidence(std::int64_t now_ns) {
  if (limits_.most_bytes == 0) return 0;
  const std::lock_guard lock(mutex_);
  const auto most =
      std::min<std::uint64_t>(limits_.most_bytes / kEvidenceParts, kMostEvidenceBytes);
  auto items = kept_items(paths_);
  if (can_fit(items, most, KeptKind::kEvidence)) {
    make_room(items, most, KeptKind::kEvidence, now_ns);
    return most;
  }
  const auto all = target(items, 0);
  const auto left = all - std::min(all, items.bytes);
  if (left >= kLeastEvidence) return left;
  return no_room(items);
}

base::Result<void> KeptSpace::hold_for_pin(std::uint64_t bytes, std::int64_t now_ns) {
  if (limits_.most_bytes == 0) return {};
  const std::lock_guard lock(mutex_);
  auto items = kept_items(paths_);
  const auto for_pins = limits_.most_bytes / 2;
  const auto held = std::max(held_bytes_, items.unfinished_pins_bytes);
  if (items.pins_bytes - items.unfinished_pins_bytes + held + bytes > for_pins) {
    return base::fail(
        base::ErrorKind::kNoSpace,
        fmt::format("this may take {}, and pins take {} of the {} that record.max_size leaves "
                    "for them",
                    bytes_text(bytes), bytes_text(items.pins_bytes), bytes_text(for_pins)),
        paths_.pins().string(), "remove older pins, keep less, or set record.max_size higher");
  }
  if (!can_fit(items, bytes, KeptKind::kHistory)) return no_room(items);
  make_room(items, bytes, KeptKind::kHistory, now_ns);
  held_bytes_ += bytes;
  return {};
}

void KeptSpace::pin_is_made(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  held_bytes_ -= std::min(held_bytes_, bytes);
}

void KeptSpace::keep_up(std::int64_t now_ns) {
  if (limits_.most_bytes == 0) return;
  const std::lock_guard lock(mutex_);
  auto items = kept_items(paths_);
  const bool fits = make_room(items, 0, KeptKind::kPin, now_ns);
  if (!fits && !is_too_much_) {
    lines_.push_back(
        fmt::format("what is kept takes {}, of which nothing can go, and "
                    "record.max_size leaves {} for it: set it higher",
                    bytes_text(items.bytes), bytes_text(limits_.most_bytes)));
  }
  is_too_much_ = !fits;
}

std::vector<std::string> KeptSpace::take_lines() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lines_, {});
}

}  // namespace reveal::agent

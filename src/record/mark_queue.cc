#include "record/mark_queue.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "text/time_text.h"

namespace reveal::record {
namespace {

// A mark that is noted later than this says so; the frames of slow ticks always are.
constexpr std::int64_t kLate_ns = 1'000'000'000;

}  // namespace

base::Result<MarkQueue> MarkQueue::create() {
  auto memory = base::SharedMemory<Memory>::create("reveal-marks");
  if (!memory) return base::pass(memory);
  return MarkQueue(std::move(*memory));
}

base::Result<MarkQueue> MarkQueue::open(int fd) {
  auto memory =
      base::SharedMemory<Memory>::open(fd, {base::ErrorKind::kUsage, "is not memory of marks",
                                            "--marks-fd", "leave it to reveal agent"});
  if (!memory) return base::pass(memory);
  return MarkQueue(std::move(*memory));
}

base::Result<void> MarkQueue::put(std::int64_t wall_ns, std::string_view subject,
                                  std::string_view text) {
  if (subject.size() + text.size() > kMostBytes) {
    return base::fail(base::ErrorKind::kUsage, "the mark is too long");
  }
  const auto number = memory_->put.load(std::memory_order_relaxed);
  if (number - memory_->taken.load(std::memory_order_acquire) >= kMost) {
    return base::fail(base::ErrorKind::kBusy, "the recorder has taken no mark for a while", {},
                      "`reveal health` tells how it is");
  }
  Slot& slot = memory_->slots[number % kMost];
  slot.wall_ns = wall_ns;
  slot.subject_bytes = static_cast<std::uint32_t>(subject.size());
  slot.text_bytes = static_cast<std::uint32_t>(text.size());
  std::memcpy(slot.bytes, subject.data(), subject.size());
  std::memcpy(slot.bytes + subject.size(), text.data(), text.size());
  memory_->put.store(number + 1, std::memory_order_release);
  return {};
}

model::Note MarkQueue::note_of(const Slot& slot, std::int64_t wall_ns) {
  // Bounded here too: whoever wrote it may have been killed in the midst of it.
  const auto subject_bytes = std::min<std::size_t>(slot.subject_bytes, kMostBytes);
  const auto text_bytes = std::min<std::size_t>(slot.text_bytes, kMostBytes - subject_bytes);
  model::Note out{.source = "mark",
                  .subject = std::string(slot.bytes, subject_bytes),
                  .text = std::string(slot.bytes + subject_bytes, text_bytes)};
  const auto late_ns = wall_ns - slot.wall_ns;
  if (late_ns > kLate_ns) out.text += fmt::format(" (said {} before)", text::span_text(late_ns));
  return out;
}

bool MarkQueue::has_waiting() const {
  return memory_->put.load(std::memory_order_acquire) !=
         memory_->taken.load(std::memory_order_relaxed);
}

void MarkQueue::say(std::int64_t wall_ns, std::vector<model::Note>& notes) {
  auto taken = memory_->taken.load(std::memory_order_relaxed);
  const auto put = memory_->put.load(std::memory_order_acquire);
  // No sound writer gets so far ahead: what there is is not trusted.
  if (put - taken > kMost) memory_->taken.store(taken = put, std::memory_order_release);
  const auto waiting = put - taken;
  saying_ = std::min<std::uint64_t>(waiting, kMostATick);
  for (std::uint64_t i = 0; i < saying_; ++i) {
    notes.push_back(note_of(memory_->slots[(taken + i) % kMost], wall_ns));
  }
}

void MarkQueue::said() {
  if (saying_ == 0) return;
  memory_->taken.fetch_add(std::exchange(saying_, 0), std::memory_order_release);
}

}  // namespace reveal::record

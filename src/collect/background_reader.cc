#include "collect/background_reader.h"

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "collect/tick_clock.h"

namespace reveal::collect {
namespace {

using std::chrono::nanoseconds;

// How long an object that goes waits for a reading that is under way.
constexpr auto kFarewell = std::chrono::milliseconds(200);

enum class Task { kNone, kOpen, kRead, kStop };

struct NewChannel {
  model::MetricDescriptor metric;
  std::string instance;
};

// A source that cannot be opened. The texts are so short that a std::string holds them itself.
base::Result<void> no_memory() {
  return base::Unexpected({base::ErrorKind::kIo, "no memory", {}, "raise ulimit -v"});
}

}  // namespace

struct BackgroundReader::Shared {
  // That of the thread that reads; there is one at a time.
  std::string name;
  std::unique_ptr<Collector> collector;
  procfs::HostRoot root;
  model::ChannelTable table;
  model::Frame frame;

  // Under the lock. Texts of metrics in `changes` are the table's, which never move.
  mutable std::mutex mutex;
  mutable std::condition_variable changed;
  Task task = Task::kNone;
  bool ending = false;
  bool ended = false;
  std::int64_t asked_ns = 0;
  std::optional<base::Result<void>> opened;
  std::uint64_t readings = 0;
  Reading reading;
  std::int64_t took_ns = 0;  // the latest reading, sleep included
  // What numbers of the table mean since the frame was taken; nothing: they are free.
  std::map<std::size_t, std::optional<NewChannel>> changes;
  std::vector<std::uint32_t> published;  // by number, its generation, with those changes
  std::uint64_t version = 0;             // of the table then
  std::vector<std::uint64_t> bits;
  std::vector<model::Validity> validity;
  std::vector<model::Note> notes;

  void work();
  void perform(Task what);
  void end_if_asked();
  base::Result<void> do_open();
  Reading do_read();
  void publish(const Reading& done);
  void publish_channels();
  void take_changes(model::ChannelTable& all, model::Frame& into,
                    std::vector<model::ChannelId>& channels);
  void answer(std::optional<base::Result<void>> result);
  bool ask(Task what);
};

void BackgroundReader::Shared::perform(Task what) {
  if (what == Task::kRead) {
    publish(do_read());
    answer(std::nullopt);
    return;
  }
  auto result = do_open();
  if (result) publish(do_read());
  answer(std::move(result));
}

// Does what is asked for.
void BackgroundReader::Shared::work() {
  const Task now = [this] {
    const std::lock_guard lock(mutex);
    return task;
  }();
  try {
    if (now == Task::kOpen || now == Task::kRead) perform(now);
  } catch (const std::bad_alloc&) {
    answer(now == Task::kOpen ? std::optional(no_memory()) : std::nullopt);
  }
  end_if_asked();
}

// To close a collector may block as well.
void BackgroundReader::Shared::end_if_asked() {
  {
    const std::lock_guard lock(mutex);
    if (task != Task::kStop || std::exchange(ending, true)) return;
  }
  collector.reset();
  const std::lock_guard lock(mutex);
  ended = true;
  changed.notify_all();
}

base::Result<void> BackgroundReader::Shared::do_open() {
  table.begin_collector(name);
  return collector->open(root, table);
}

BackgroundReader::Reading BackgroundReader::Shared::do_read() {
  const std::int64_t cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  Reading out;
  out.read_ns = clock_ns(CLOCK_MONOTONIC);
  frame.resize(table.channel_count());
  std::fill(frame.validity.begin(), frame.validity.end(), model::Validity::kMissing);
  FrameWriter writer(table, frame, name);
  collector->collect(writer);
  out.cost = nanoseconds(clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu);
  return out;
}

void BackgroundReader::Shared::publish_channels() {
  if (table.version() == version) return;
  version = table.version();
  static_cast<void>(table.take_reused());
  const std::size_t known = published.size();
  published.resize(table.channel_count());
  for (std::size_t i = 0; i < published.size(); ++i) {
    const model::ChannelId id(i);
    if (i < known && published[i] == table.generation(id)) continue;
    published[i] = table.generation(id);
    auto& change = changes[i];
    change.reset();
    if (table.is_free(id)) continue;
    change = NewChannel{table.metric(id), std::string(table.channel(id).instance)};
  }
}

void BackgroundReader::Shared::publish(const Reading& done) {
  const std::lock_guard lock(mutex);
  publish_channels();
  bits = frame.bits;
  validity = frame.validity;
  // Notes that were not taken yet stay: an event is said once.
  for (auto& note : frame.notes) notes.push_back(std::move(note));
  frame.notes.clear();
  reading = done;
  took_ns = clock_ns(CLOCK_MONOTONIC) - done.read_ns;
  ++readings;
}

void BackgroundReader::Shared::answer(std::optional<base::Result<void>> result) {
  const std::lock_guard lock(mutex);
  if (result) opened = std::move(result);
  if (task != Task::kStop) task = Task::kNone;
  changed.notify_all();
}

// Returns whether a thread is to do it. REQUIRES: the lock is held.
bool BackgroundReader::Shared::ask(Task what) {
  if (task != Task::kNone) return false;
  task = what;
  asked_ns = clock_ns(CLOCK_MONOTONIC);
  if (what == Task::kOpen) opened.reset();
  return true;
}

BackgroundReader::BackgroundReader(std::string_view name, std::unique_ptr<Collector> collector,
                                   ReadingCrews& crews)
    : crews_(crews), asked_(&crews.brisk), shared_(std::make_shared<Shared>()) {
  shared_->name = name;
  shared_->collector = std::move(collector);
}

BackgroundReader::~BackgroundReader() {
  bool asked = false;
  {
    const std::lock_guard lock(shared_->mutex);
    asked = shared_->task != Task::kNone;
    shared_->task = Task::kStop;
  }
  // What was asked for ends it. If there is no thread, nothing can have been opened.
  if (!asked && !submit(ReadingCrew::Turn::kAtOnce)) return;
  std::unique_lock lock(shared_->mutex);
  shared_->changed.wait_for(lock, kFarewell, [this] { return shared_->ended; });
}

base::Result<void> BackgroundReader::submit(ReadingCrew::Turn turn) {
  return asked_->submit([shared = shared_] { shared->work(); }, turn);
}

// It waits for the lock, which a thread that begins has for a moment: a source that was not asked
// is not open before it is tried again, a minute later.
void BackgroundReader::open(const procfs::HostRoot& root) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->task != Task::kNone) return;
    shared_->root = root;
    if (!shared_->ask(Task::kOpen)) return;
  }
  // Without a thread the source is like one that cannot be opened: it is said, and the others are
  // read.
  if (auto submitted = submit(ReadingCrew::Turn::kAtOnce); !submitted) {
    shared_->answer(std::move(submitted));
  }
}

void BackgroundReader::read() {
  {
    const std::unique_lock lock(shared_->mutex, std::try_to_lock);
    if (!lock || !shared_->ask(Task::kRead)) return;
    asked_ = shared_->took_ns > ReadingCrews::kBriskNs ? &crews_.slow : &crews_.brisk;
  }
  if (!submit(ReadingCrew::Turn::kInOrder)) shared_->answer(std::nullopt);
}

bool BackgroundReader::wait_until(std::int64_t deadline_ns) const {
  std::unique_lock lock(shared_->mutex);
  for (;;) {
    const std::int64_t left = deadline_ns - clock_ns(CLOCK_MONOTONIC);
    const nanoseconds now(std::min(left, ReadingCrew::kPatienceNs));
    if (shared_->changed.wait_for(lock, now, [this] { return shared_->task == Task::kNone; }))
      return true;
    if (left <= ReadingCrew::kPatienceNs) return false;
    asked_->tend();
  }
}

std::optional<base::Result<void>> BackgroundReader::opened() const {
  const std::unique_lock lock(shared_->mutex, std::try_to_lock);
  if (!lock || shared_->task == Task::kOpen) {
    asked_->tend();
    return std::nullopt;
  }
  return shared_->opened;
}

std::optional<std::int64_t> BackgroundReader::busy_since_ns() const {
  const std::unique_lock lock(shared_->mutex, std::try_to_lock);
  if (!lock || shared_->task == Task::kNone) return std::nullopt;
  return shared_->asked_ns;
}

// Releases all before it adds any: a channel may have moved to a number before its own.
void BackgroundReader::Shared::take_changes(model::ChannelTable& all, model::Frame& into,
                                            std::vector<model::ChannelId>& channels) {
  channels.resize(std::max(channels.size(), published.size()), kNone);
  for (const auto& [number, channel] : changes) {
    const auto before = std::exchange(channels[number], kNone);
    if (before == kNone) continue;
    into.validity[before.index()] = model::Validity::kMissing;
    all.release_channel(before);
  }
  for (const auto& [number, channel] : changes) {
    if (channel)
      channels[number] = all.add_channel(all.add_metric(channel->metric), channel->instance);
  }
  changes.clear();
  static_cast<void>(all.take_reused());
  into.resize(all.channel_count());
}

std::optional<BackgroundReader::Reading> BackgroundReader::take(
    model::ChannelTable& table, model::Frame& frame, std::vector<model::ChannelId>& channels) {
  const std::unique_lock lock(shared_->mutex, std::try_to_lock);
  if (!lock || shared_->readings == taken_) {
    asked_->tend();
    return std::nullopt;
  }
  taken_ = shared_->readings;
  shared_->take_changes(table, frame, channels);
  for (std::size_t i = 0; i < shared_->bits.size(); ++i) {
    if (channels[i] == kNone) continue;
    frame.bits[channels[i].index()] = shared_->bits[i];
    frame.validity[channels[i].index()] = shared_->validity[i];
  }
  for (auto& note : shared_->notes) frame.notes.push_back(std::move(note));
  shared_->notes.clear();
  return shared_->reading;
}

base::Error BackgroundReader::why_absent(const model::MetricDescriptor& metric) const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->collector->why_absent(metric);
}

}  // namespace reveal::collect

#include "collect/background_reader.h"

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "base/thread.h"
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
  // The thread's own.
  std::string name;
  std::unique_ptr<Collector> collector;
  procfs::HostRoot root;
  model::ChannelTable table;
  model::Frame frame;

  // Under the lock. Texts of metrics in `changes` are the table's, which never move.
  mutable std::mutex mutex;
  mutable std::condition_variable changed;
  Task task = Task::kNone;
  bool ended = false;
  std::optional<base::Error> refused;  // a thread; then nothing is ever asked
  std::int64_t asked_ns = 0;
  std::optional<base::Result<void>> opened;
  std::uint64_t readings = 0;
  Reading reading;
  // What numbers of the table mean since the frame was taken; nothing: they are free.
  std::map<std::size_t, std::optional<NewChannel>> changes;
  std::vector<std::uint32_t> published;  // by number, its generation, with those changes
  std::uint64_t version = 0;             // of the table then
  std::vector<std::uint64_t> bits;
  std::vector<model::Validity> validity;
  std::vector<model::Note> notes;

  void run();
  void perform(Task what);
  Task next_task();
  base::Result<void> do_open();
  Reading do_read();
  void publish(const Reading& done);
  void publish_channels();
  void take_changes(model::ChannelTable& all, model::Frame& into,
                    std::vector<model::ChannelId>& channels);
  void answer(std::optional<base::Result<void>> result);
  void ask(Task what);
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

Task BackgroundReader::Shared::next_task() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [this] { return task != Task::kNone; });
  return task;
}

void BackgroundReader::Shared::run() {
  for (;;) {
    const Task now = next_task();
    if (now == Task::kStop) break;
    try {
      perform(now);
    } catch (const std::bad_alloc&) {
      answer(now == Task::kOpen ? std::optional(no_memory()) : std::nullopt);
    }
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
  ++readings;
}

void BackgroundReader::Shared::answer(std::optional<base::Result<void>> result) {
  const std::lock_guard lock(mutex);
  if (result) opened = std::move(result);
  if (task != Task::kStop) task = Task::kNone;
  changed.notify_all();
}

// REQUIRES: the lock is held.
void BackgroundReader::Shared::ask(Task what) {
  if (task != Task::kNone || refused) return;
  task = what;
  asked_ns = clock_ns(CLOCK_MONOTONIC);
  if (what == Task::kOpen) opened.reset();
  changed.notify_all();
}

BackgroundReader::BackgroundReader(std::string_view name, std::unique_ptr<Collector> collector)
    : shared_(std::make_shared<Shared>()) {
  shared_->name = name;
  shared_->collector = std::move(collector);
  auto thread = base::start_thread(shared_->name, [shared = shared_] { shared->run(); });
  if (thread) {
    thread->detach();
  } else {
    // Like a source that cannot be opened: it is said, and the others are read.
    shared_->refused = thread.error();
    shared_->ended = true;
  }
}

BackgroundReader::~BackgroundReader() {
  std::unique_lock lock(shared_->mutex);
  shared_->task = Task::kStop;
  shared_->changed.notify_all();
  shared_->changed.wait_for(lock, kFarewell, [this] { return shared_->ended; });
}

// It waits for the lock, which a thread that begins has for a moment: a source that was not asked
// is not open before it is tried again, a minute later.
void BackgroundReader::open(const procfs::HostRoot& root) {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->task != Task::kNone) return;
  shared_->root = root;
  shared_->ask(Task::kOpen);
}

void BackgroundReader::read() {
  const std::unique_lock lock(shared_->mutex, std::try_to_lock);
  if (lock) shared_->ask(Task::kRead);
}

bool BackgroundReader::wait_until(std::int64_t deadline_ns) const {
  std::unique_lock lock(shared_->mutex);
  const nanoseconds left(deadline_ns - clock_ns(CLOCK_MONOTONIC));
  return shared_->changed.wait_for(lock, left, [this] { return shared_->task == Task::kNone; });
}

std::optional<base::Result<void>> BackgroundReader::opened() const {
  const std::unique_lock lock(shared_->mutex, std::try_to_lock);
  if (!lock || shared_->task == Task::kOpen) return std::nullopt;
  if (shared_->refused) return base::Unexpected(*shared_->refused);
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
  if (!lock || shared_->readings == taken_) return std::nullopt;
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

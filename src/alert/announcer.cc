#include "alert/announcer.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>
#include <utility>

#include <unistd.h>

#include "alert/board.h"
#include "alert/board_json.h"
#include "alert/receiver.h"
#include "alert/stop.h"
#include "base/backoff.h"
#include "base/thread.h"

namespace reveal::alert {
namespace {

using base::Result;
using std::chrono::milliseconds;
using Lock = std::unique_lock<std::mutex>;

// A receiver that is back has the present state after at most this: a pause and a send.
constexpr milliseconds kLongestAway{60'000};
// A state file that cannot be written is not tried again and again in vain.
constexpr milliseconds kAfterFailedWrite{1000};

std::int64_t wall_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::uint64_t seed_for(const std::string& name) {
  return fingerprint({{"", name}}) ^ static_cast<std::uint64_t>(wall_ns()) ^
         static_cast<std::uint64_t>(::getpid());
}

bool gets_events(const ReceiverOptions& receiver) {
  return receiver.kind != ReceiverKind::kAlertmanager;
}

std::vector<Subscription> subscriptions(const std::vector<ReceiverOptions>& receivers) {
  std::vector<Subscription> out;
  out.reserve(receivers.size());
  for (const auto& receiver : receivers) {
    out.push_back({receiver.name, gets_events(receiver), receiver.least});
  }
  return out;
}

// A receiver, and the thread that sends to it. All but the options is guarded by the mutex.
struct Desk {
  Desk(ReceiverOptions receiver, milliseconds retry)
      : options(std::move(receiver)),
        backoff(seed_for(options.name), retry,
                kLongestAway - std::min(options.timeout, kLongestAway / 2)) {
    status.name = options.name;
    status.kind = options.kind;
  }

  const ReceiverOptions options;
  base::Backoff backoff;
  ReceiverStatus status;
  std::optional<Event>
      unanswered;  // sent, and perhaps taken: only this very event may be sent again
  std::condition_variable wake;
  std::thread thread;
};

}  // namespace

class Announcer::Shared {
 public:
  explicit Shared(AlertOptions options)
      : options_(std::move(options)),
        board_({options_.hold, options_.keep_firing, options_.resend},
               subscriptions(options_.receivers)) {
    for (const auto& receiver : options_.receivers) {
      desks_.push_back(std::make_unique<Desk>(receiver, options_.retry));
    }
  }
  ~Shared();

  Result<void> begin();

  template <typename Step>
  void step(Step change) {
    {
      const std::lock_guard lock(mutex_);
      change(board_);
    }
    for (const auto& desk : desks_) desk->wake.notify_one();
    keep_.notify_one();
  }

  std::vector<ReceiverStatus> status() const;
  std::size_t firing() const {
    const std::lock_guard lock(mutex_);
    return board_.firing();
  }
  std::optional<base::Error> state_error() const {
    const std::lock_guard lock(mutex_);
    return state_error_;
  }
  const std::optional<base::Error>& damage() const { return damage_; }

 private:
  bool has_work(const Desk& desk) const;
  void serve(Desk& desk);
  Delivery send_one_event(Desk& desk, Lock& lock);
  Delivery send_present_state(Desk& desk, Lock& lock);
  void settle(Desk& desk, const Delivery& delivery);
  void keep_state();
  void save(Lock& lock);

  const AlertOptions options_;
  Stop stop_;
  std::optional<base::Error> damage_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  Board board_;
  bool stopping_ = false;
  std::uint64_t saved_version_ = 0;
  std::optional<base::Error> state_error_;
  // Guarded by file_mutex_, which is never taken while mutex_ is held.
  std::mutex file_mutex_;
  std::uint64_t written_version_ = 0;

  std::condition_variable keep_;
  std::vector<std::unique_ptr<Desk>> desks_;
  std::thread keeper_;
};

Result<void> Announcer::Shared::begin() {
  if (!options_.state_file.empty()) {
    auto saved = read_state(options_.state_file);
    damage_ = std::move(saved.damage);
    board_.restore(std::move(saved.episodes));
  }
  for (const auto& desk : desks_) {
    auto thread =
        base::start_thread("the alerts to " + desk->options.name, [this, &desk] { serve(*desk); });
    if (!thread) return base::pass(thread);
    desk->thread = std::move(*thread);
  }
  if (options_.state_file.empty()) return {};
  auto keeper = base::start_thread("the state of alerts", [this] { keep_state(); });
  if (!keeper) return base::pass(keeper);
  keeper_ = std::move(*keeper);
  return {};
}

Announcer::Shared::~Shared() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stop_.ask();
  keep_.notify_one();
  for (const auto& desk : desks_) desk->wake.notify_one();
  for (const auto& desk : desks_) {
    if (desk->thread.joinable()) desk->thread.join();
  }
  if (keeper_.joinable()) keeper_.join();
  Lock lock(mutex_);
  save(lock);
}

bool Announcer::Shared::has_work(const Desk& desk) const {
  // What an earlier program left is not judged before the first update.
  if (board_.now_ns() == 0) return false;
  if (desk.unanswered) return true;
  if (gets_events(desk.options)) return board_.has_event(desk.options.name);
  return !board_.due(desk.options.name).empty();
}

// The body of a receiver's thread.
void Announcer::Shared::serve(Desk& desk) {
  Lock lock(mutex_);
  while (!stopping_) {
    if (!has_work(desk)) {
      desk.wake.wait(lock);
      continue;
    }
    const Delivery delivery =
        gets_events(desk.options) ? send_one_event(desk, lock) : send_present_state(desk, lock);
    settle(desk, delivery);
    if (delivery.outcome == Outcome::kTaken ||
        (delivery.outcome == Outcome::kRefused && gets_events(desk.options))) {
      desk.backoff.succeeded();
      continue;
    }
    const auto until = std::chrono::steady_clock::now() + desk.backoff.failed();
    desk.wake.wait_until(lock, until, [this] { return stopping_; });
  }
}

Delivery Announcer::Shared::send_one_event(Desk& desk, Lock& lock) {
  const std::string& name = desk.options.name;
  const bool again = desk.unanswered.has_value();
  const Event event = again ? *desk.unanswered : *board_.next(name);
  bool noted = again;
  std::string last_line;
  lock.unlock();
  const auto note = [&] {
    lock.lock();
    if (!noted) board_.note(name, event);
    noted = true;
    save(lock);
    lock.unlock();
  };
  const Delivery out = send_event(desk.options, event, options_.labels, stop_, note, last_line);
  lock.lock();
  if (!last_line.empty()) desk.status.last_line = std::move(last_line);
  switch (out.outcome) {
    case Outcome::kTaken:
      desk.unanswered.reset();
      break;
    case Outcome::kRefused:
      desk.unanswered.reset();
      ++desk.status.dropped;
      break;
    case Outcome::kNotTaken:
      if (noted && !again) board_.withdraw(name, event);
      break;
    case Outcome::kUnknown:
      desk.unanswered = event;
      break;
  }
  // Its end will be told, but that it began is history by now.
  const auto age = std::chrono::nanoseconds(board_.now_ns() - event.at_ns);
  if (desk.unanswered && age > kHistory) {
    desk.unanswered.reset();
    ++desk.status.dropped;
  }
  keep_.notify_one();
  return out;
}

Delivery Announcer::Shared::send_present_state(Desk& desk, Lock& lock) {
  const auto postings = board_.due(desk.options.name);
  lock.unlock();
  // Its begin must be on the disk before anybody knows it, so that a restart states the same.
  const auto keep = [&] {
    lock.lock();
    save(lock);
    lock.unlock();
  };
  Delivery out = send_state(desk.options, postings, options_.labels, stop_, keep);
  lock.lock();
  if (out.outcome == Outcome::kTaken) board_.posted(desk.options.name, postings);
  return out;
}

void Announcer::Shared::settle(Desk& desk, const Delivery& delivery) {
  ReceiverStatus& status = desk.status;
  if (delivery.outcome == Outcome::kTaken) {
    ++status.sent;
    status.last_success_ns = wall_ns();
  } else {
    ++status.failed;
  }
  status.last_error = delivery.error;
}

// The body of the thread that writes the state file whenever it is behind.
void Announcer::Shared::keep_state() {
  Lock lock(mutex_);
  while (!stopping_) {
    if (saved_version_ == board_.version()) {
      keep_.wait(lock);
      continue;
    }
    save(lock);
    if (state_error_) keep_.wait_for(lock, kAfterFailedWrite, [this] { return stopping_; });
  }
}

// Returns when the board, as it is now, is on the disk, or cannot be. The lock is released
// meanwhile.
void Announcer::Shared::save(Lock& lock) {
  const std::uint64_t version = board_.version();
  if (options_.state_file.empty() || saved_version_ == version) return;
  const auto episodes = board_.episodes();
  lock.unlock();
  Result<void> written;
  {
    const std::lock_guard file(file_mutex_);
    if (written_version_ < version) {
      written = write_state(options_.state_file, state_text(episodes));
      if (written) written_version_ = version;
    }
  }
  lock.lock();
  if (written) saved_version_ = std::max(saved_version_, version);
  state_error_ = written ? std::nullopt : std::optional(written.error());
}

std::vector<ReceiverStatus> Announcer::Shared::status() const {
  const std::lock_guard lock(mutex_);
  std::vector<ReceiverStatus> out;
  for (const auto& desk : desks_) {
    ReceiverStatus status = desk->status;
    const std::string& name = desk->options.name;
    status.dropped += board_.dropped(name);
    status.queue = gets_events(desk->options) ? board_.waiting(name) + (desk->unanswered ? 1 : 0)
                                              : board_.due(name).size();
    out.push_back(std::move(status));
  }
  return out;
}

Announcer::Announcer(std::unique_ptr<Shared> shared) : shared_(std::move(shared)) {}
Announcer::~Announcer() = default;

Result<std::unique_ptr<Announcer>> Announcer::start(const AlertOptions& options) {
  if (auto fits = check(options); !fits) return base::pass(fits);
  AlertOptions complete = options;
  complete.receivers = named(std::move(complete.receivers));
  auto shared = std::make_unique<Shared>(std::move(complete));
  if (auto begun = shared->begin(); !begun) return base::pass(begun);
  return std::unique_ptr<Announcer>(new Announcer(std::move(shared)));
}

void Announcer::update(std::span<const Alert> alerts, std::int64_t now_ns) {
  shared_->step([&](Board& board) { board.update(alerts, now_ns); });
}

void Announcer::unknown(std::int64_t now_ns) {
  shared_->step([&](Board& board) { board.unknown(now_ns); });
}

void Announcer::let_go(std::span<const std::string> ids) {
  shared_->step([&](Board& board) { board.let_go(ids); });
}

std::vector<ReceiverStatus> Announcer::status() const {
  return shared_->status();
}
std::size_t Announcer::firing() const {
  return shared_->firing();
}
std::optional<base::Error> Announcer::state_error() const {
  return shared_->state_error();
}
const std::optional<base::Error>& Announcer::damage() const {
  return shared_->damage();
}

}  // namespace reveal::alert

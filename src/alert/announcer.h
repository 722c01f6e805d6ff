// Tells the receivers of the alerts that are open. Each receiver has a thread, which takes what is
// due from the board, so nothing that a receiver does or leaves undone delays update() or another
// receiver.
//
// What a kill at any moment can do. When a receiver is ready, and before the first byte is sent,
// the state file on the disk says that it was told. So no receiver of events is told twice of the
// same event by two programs; a kill in the middle of a send loses at most that one event of that
// receiver. While a program runs, an event that was sent without an answer is sent again, with the
// same id (X-Reveal-Event, and "event" in the body), by which a receiver can tell. A command that
// has begun is never run again. Alertmanager gets the present state as often as it is due. If the
// state file cannot be written, everything is sent nevertheless, and state_error() says so.
//
// A receiver that fails is tried again after a random time of up to 1 s, 2 s, 4 s, ... at most a
// minute less the time-out, so it has the present state within a minute of its return.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alert/alert.h"
#include "alert/options.h"
#include "base/result.h"

namespace reveal::alert {

struct ReceiverStatus {
  std::string name;
  ReceiverKind kind = ReceiverKind::kAlertmanager;
  std::uint64_t sent = 0;                       // requests, runs or lines that the receiver took
  std::uint64_t failed = 0;                     // those that it did not take, or not surely
  std::uint64_t dropped = 0;                    // events that it will never be told of
  std::size_t queue = 0;                        // alerts that it was not told all of
  std::optional<std::int64_t> last_success_ns;  // wall time
  std::string last_error;                       // of the latest failure; empty once a send succeeds
  std::string last_line;                        // of a command: the last line that it said
};

class Announcer {
 public:
  // Reads the state file and starts the threads. Fails if the options are wrong (check()), or if
  // the system refuses a thread. A damaged state file stops nothing: damage() names it.
  static base::Result<std::unique_ptr<Announcer>> start(const AlertOptions& options);
  // Begins no further send. Waits for those that a receiver may have taken already, so for at most
  // their time-out, and writes the state file.
  ~Announcer();
  Announcer(const Announcer&) = delete;
  Announcer& operator=(const Announcer&) = delete;

  // Board::update() and Board::unknown(): to be called about each second, with wall time. Neither
  // waits for a receiver, nor for the disk. If neither is called, nothing is sent again, and what
  // is open expires at Alertmanager: a judge that is gone keeps no alert open. For one thread at a
  // time.
  void update(std::span<const Alert> alerts, std::int64_t now_ns);
  void unknown(std::int64_t now_ns);
  // Board::let_go(). An event of it that is being sent may still arrive.
  void let_go(std::span<const std::string> ids);

  // For any thread.
  std::vector<ReceiverStatus> status() const;
  // Returns the number of open alerts that receivers may be told of.
  std::size_t firing() const;
  // Returns why the state file could not be written the last time; nothing if it could.
  std::optional<base::Error> state_error() const;

  // Returns what was wrong with the state file at the start.
  const std::optional<base::Error>& damage() const;

 private:
  class Shared;
  explicit Announcer(std::unique_ptr<Shared> shared);

  std::unique_ptr<Shared> shared_;
};

}  // namespace reveal::alert

// A requester by core NATS, without JetStream. Connects with the first request, and again when the
// connection was lost: after a failure requests fail at once for a random time.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/backoff.h"
#include "base/result.h"
#include "bus/connection.h"
#include "bus/options.h"
#include "bus/requester.h"

namespace reveal::bus {

class NatsRequester : public Requester {
 public:
  ~NatsRequester() override;
  // Fails with kUsage for wrong options.
  static base::Result<std::unique_ptr<NatsRequester>> make(BrokerOptions broker);

  base::Result<void> ask(const std::string& subject, base::ByteView request,
                         std::chrono::milliseconds patience, const Taker& take) override;

 private:
  using Clock = std::chrono::steady_clock;

  explicit NatsRequester(BrokerOptions broker);

  // A subscription that hears no more. The library's thread may be at it still, so it is destroyed
  // later (Connection::close()).
  struct Ended {
    std::shared_ptr<Connection> connection;
    natsSubscription* subscription = nullptr;
    Clock::time_point at;
  };
  class Inbox;

  base::Result<std::shared_ptr<Connection>> connection();
  void end(std::shared_ptr<Connection> connection, natsSubscription* subscription);
  static void destroy(const Ended& one);

  BrokerOptions broker_;
  std::mutex mutex_;
  base::Backoff backoff_;
  Clock::time_point pause_until_{};
  std::optional<base::Error> failure_;  // why there is a pause
  std::shared_ptr<Connection> connection_;
  std::deque<Ended> ended_;  // the oldest first
};

}  // namespace reveal::bus

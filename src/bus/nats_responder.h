// A responder by core NATS, without JetStream, over a connection of its own: what it sends is never
// in the way of a publisher. After a loss of the connection it opens another one.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/backoff.h"
#include "base/result.h"
#include "bus/connection.h"
#include "bus/options.h"
#include "bus/responder.h"

namespace reveal::bus {

class NatsResponder : public Responder {
 public:
  // Fails with kUsage for wrong options. That the broker is not there is no failure but the
  // trouble(): it may come.
  static base::Result<std::unique_ptr<NatsResponder>> make(BrokerOptions broker,
                                                           std::string subject);
  ~NatsResponder() override;

  std::optional<Request> take(std::chrono::milliseconds patience) override;
  base::Result<void> reply(const std::string& reply_to, base::ByteView message) override;
  std::string trouble() const override { return trouble_; }

 private:
  using Clock = std::chrono::steady_clock;

  NatsResponder(BrokerOptions broker, std::string subject);

  bool is_ready(std::chrono::milliseconds patience);
  base::Result<void> subscribe();
  void unsubscribe();
  void lose(std::string trouble);

  BrokerOptions broker_;
  std::string subject_;
  base::Backoff backoff_;
  Clock::time_point pause_until_{};
  std::unique_ptr<Connection> connection_;
  natsSubscription* subscription_ = nullptr;
  std::string trouble_ = "not connected yet";
};

}  // namespace reveal::bus

// A subscriber to a stream of NATS JetStream: each gets all messages, however many there are. After
// a loss of the connection it goes on after the last message that it returned.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/backoff.h"
#include "base/result.h"
#include "bus/jet_stream.h"
#include "bus/options.h"
#include "bus/subscriber.h"

namespace reveal::bus {

struct SubscriptionOptions {
  std::string stream;
  std::string subject;  // those that match it; may have wildcards
  std::optional<std::int64_t>
      since_ns;  // from when the broker took them on; nothing: all that it has
};

class NatsSubscriber : public Subscriber {
 public:
  // Fails with kUsage for wrong options. That the broker or the stream is not there is no failure
  // but the trouble(): it may come.
  static base::Result<std::unique_ptr<NatsSubscriber>> make(BrokerOptions broker,
                                                            SubscriptionOptions options);
  ~NatsSubscriber() override;

  std::vector<Incoming> take(std::chrono::milliseconds patience) override;
  std::string trouble() const override { return trouble_; }

 private:
  using Clock = std::chrono::steady_clock;

  NatsSubscriber(BrokerOptions broker, SubscriptionOptions options);

  bool is_ready(std::chrono::milliseconds patience);
  base::Result<void> subscribe();
  void unsubscribe();
  void lose(std::string trouble);
  std::optional<Incoming> next(std::chrono::milliseconds patience);

  BrokerOptions broker_;
  SubscriptionOptions options_;
  base::Backoff backoff_;
  Clock::time_point pause_until_{};
  Clock::time_point heard_{};  // the last message, or the subscription's begin
  std::unique_ptr<JetStream> jet_stream_;
  natsSubscription* subscription_ = nullptr;
  std::uint64_t last_sequence_ = 0;
  std::string trouble_ = "not connected yet";
};

}  // namespace reveal::bus

// A publisher to streams of NATS JetStream. A thread of its own connects, sends and waits; what the
// broker does not answer, it sends again (with a key) or counts (without).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "bus/options.h"
#include "bus/outbox.h"
#include "bus/publisher.h"

namespace reveal::bus {

class NatsPublisher : public Publisher {
 public:
  // Fails with kUsage for wrong options. That the broker or the library is not there is no failure
  // but the trouble(): it may come.
  static base::Result<std::unique_ptr<NatsPublisher>> start(const BrokerOptions& options);

  // Lets go what waits; takes as long as a connection may take.
  ~NatsPublisher() override;

  bool publish(Outgoing message) override { return outbox_->push(std::move(message)); }
  std::vector<Outcome> take_outcomes() override { return outbox_->take_outcomes(); }
  PublisherCounts counts() const override { return outbox_->counts(); }
  std::string trouble() const override { return outbox_->trouble(); }

  // Waits until the broker has all. Returns false if it has not after so long.
  bool drain(std::chrono::milliseconds patience) { return outbox_->wait_for_empty(patience); }

 private:
  explicit NatsPublisher(const BrokerOptions& options);

  std::shared_ptr<Outbox> outbox_;
  std::thread thread_;
};

}  // namespace reveal::bus

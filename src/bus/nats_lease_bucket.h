// A bucket of leases in NATS' key-value store, which is a stream of JetStream.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/backoff.h"
#include "base/result.h"
#include "bus/jet_stream.h"
#include "bus/lease_bucket.h"
#include "bus/options.h"

namespace reveal::bus {

// Returns the bucket's name in the broker.
std::string lease_bucket_name(unsigned epoch);

class NatsLeaseBucket : public LeaseBucket {
 public:
  // Connects when it is first used. The pauses between tries are short: a lease lasts seconds.
  NatsLeaseBucket(BrokerOptions broker, unsigned epoch);
  ~NatsLeaseBucket() override;

  base::Result<std::optional<LeaseEntry>> look(const std::string& key) override;
  base::Result<std::uint64_t> write(const std::string& key, const std::string& value,
                                    std::uint64_t last) override;
  base::Result<std::int64_t> made_ns() override;

 private:
  using Clock = std::chrono::steady_clock;

  base::Result<void> open();
  base::Result<void> connect();
  void close();
  base::Unexpected failed(natsStatus status, const std::string& what);

  BrokerOptions broker_;
  std::string name_;
  base::Backoff backoff_;
  Clock::time_point pause_until_{};
  std::string why_;  // it was left alone for a moment
  std::unique_ptr<JetStream> jet_stream_;
  kvStore* store_ = nullptr;
};

}  // namespace reveal::bus

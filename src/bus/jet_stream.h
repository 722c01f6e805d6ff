// A connection with a context of JetStream, NATS' store of messages. Like a connection it does not
// come back once it is lost.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "base/result.h"
#include "bus/connection.h"

namespace reveal::bus {

class JetStream {
 public:
  // Connects, with the context's options as `set` leaves them. Fails as Connection::open(), and
  // with kIo if there can be no context.
  static base::Result<std::unique_ptr<JetStream>> open(const BrokerOptions& broker,
                                                       const std::function<void(jsOptions&)>& set,
                                                       const ErrorHandler& handler = {});
  // Opens one whose requests wait for at most so long.
  static base::Result<std::unique_ptr<JetStream>> open(const BrokerOptions& broker,
                                                       std::int64_t longest_wait_ms);

  JetStream(const JetStream&) = delete;
  JetStream& operator=(const JetStream&) = delete;
  ~JetStream();

  const Connection& connection() const { return *connection_; }
  const Api& api() const { return connection_->api(); }
  jsCtx* get() const { return context_; }

 private:
  JetStream(std::unique_ptr<Connection> connection, jsCtx* context)
      : connection_(std::move(connection)), context_(context) {}

  std::unique_ptr<Connection> connection_;
  jsCtx* context_;
};

}  // namespace reveal::bus

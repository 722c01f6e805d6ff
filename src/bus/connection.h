// A connection to a broker. It does not come back once it is lost: who uses it opens another, after
// a pause of its own choice.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "bus/api.h"
#include "bus/options.h"

namespace reveal::bus {

// Who hears what the library has to say of a connection at any time, on a thread of the library.
struct ErrorHandler {
  natsErrHandler function = nullptr;  // null: nobody
  void* closure = nullptr;
};

class Connection {
 public:
  // Connects, for at most the options' timeout a server. Fails with kAbsent without the library,
  // with kPermission if the broker refuses who this is, with kIo if it is not there.
  static base::Result<std::unique_ptr<Connection>> open(const BrokerOptions& options,
                                                        const ErrorHandler& handler = {});

  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  // Returns once it is closed. Callbacks of the library may still come.
  ~Connection();

  // Ends it, with the thread that reads. To be called before a subscription of it is destroyed: up
  // to 3.5 that thread may use one that is destroyed just then, and waits for ever for what was its
  // lock (https://github.com/nats-io/nats.c/issues/637).
  void close() const;

  bool is_open() const;

  // Returns what the broker said last, such as that a subject is not allowed; empty if nothing.
  std::string last_error() const;

  // Returns the failure of a call to the library on this connection. A broker does not answer what
  // it forbids, so if it has forbidden anything, that is the reason.
  base::Unexpected failure(natsStatus status, std::string what, std::string where = {}) const;

  natsConnection* get() const { return connection_; }
  const Api& api() const { return *api_; }

 private:
  Connection(const Api& api, natsConnection* connection) : api_(&api), connection_(connection) {}

  const Api* api_;
  natsConnection* connection_;
};

// Returns whether what the broker said is that it forbids this user something.
bool says_forbidden(std::string_view said);

// Returns the failure of a call to the library.
base::Unexpected nats_failure(const Api& api, natsStatus status, std::string what,
                              std::string where = {});

}  // namespace reveal::bus

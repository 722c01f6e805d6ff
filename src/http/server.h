// An HTTP server of a site (site.h).
//
// One thread serves all connections with sockets that never block, so a client that is idle, slow
// or hostile takes a little memory and no thread, and the others do not notice it. What all clients
// together can take is bounded: so many connections, so many bytes that wait to be sent. At a bound
// the connection goes that has waited longest, and the new one is served. A time limit ends
// everything that lasts (connection.h). What remains is the processor time that a flood of complete
// requests costs: requests are answered in turn, each by a few milliseconds.
//
// Addresses that other hosts can reach need TLS (tls.h), and a gate that asks who they are
// (access/gate.h) or certificates of clients, unless `insecure` says otherwise. Both hold for the
// loopback, too, and neither for unix sockets. Without a gate all who can connect can read
// everything here and change nothing. Requests that change something need the unix socket, whose
// file only its owner and its group can use, or an operator.
//
// Who asks is the matter of guard.h.
//
// cpp-httplib 0.11 was tried first. There a connection keeps a thread for as long as it lives, so a
// few idle or slow clients shut out all others, and the first line of a request may grow without
// end.
//
// A stream of events is one more connection of the same thread. It has no time limit, there are at
// most kMostStreams of them, and none of them makes room for others.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "access/gate.h"
#include "base/result.h"
#include "http/connection.h"
#include "http/listen_address.h"
#include "http/site.h"
#include "http/tls.h"

namespace reveal::http {

struct ServeOptions {
  std::vector<std::string> listen;          // listen_address.h has their form
  bool insecure = false;                    // listen at any address, whatever stands before it
  std::shared_ptr<const Tls> tls = {};      // null: nothing is encrypted
  std::shared_ptr<access::Gate> gate = {};  // null: nobody is asked
  std::vector<std::string> names = {};      // of this host, that clients may call it by
  TimeLimits time_limits = {};
  std::size_t most_connections = 128;
  std::size_t most_unsent_bytes = std::size_t{4} << 20;  // of all connections together
};

// Returns what stands before an address with these, either of which may be null.
Protection protection_of(const Tls* tls, const access::Gate* gate);

class Server {
 public:
  // Listens at all addresses and starts the thread. Fails with kUsage for an address that is not
  // one or may not be used, with kBusy if another program listens there, else as the system does.
  // REQUIRES: `site`, which no other server serves, outlives the server.
  static base::Result<std::unique_ptr<Server>> start(ServeOptions options, Site& site);
  // As stop().
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Closes all connections, removes the files of sockets and ends the thread. From any thread but
  // the server's own; calls after the first do nothing.
  void stop();

  // Returns the addresses with the ports that were chosen.
  const std::vector<std::string>& addresses() const { return addresses_; }

 private:
  class Loop;

  Server();

  std::unique_ptr<Loop> loop_;
  std::vector<std::string> addresses_;
};

}  // namespace reveal::http

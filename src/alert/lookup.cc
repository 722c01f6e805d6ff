#include "alert/lookup.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include <netdb.h>
#include <poll.h>

#include "alert/wait.h"
#include "base/thread.h"

namespace reveal::alert {
namespace {

using base::Result;

using Addresses = Result<std::vector<Address>>;

base::Unexpected not_found(std::string why, const std::string& host) {
  return base::fail(base::ErrorKind::kAbsent, "cannot look up the host: " + std::move(why), host,
                    "check its name and the name server");
}

// `flags` is that of addrinfo: AI_NUMERICHOST asks nobody and never blocks.
Addresses addresses_of(const std::string& host, std::uint16_t port, int flags) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (failed != 0) return not_found(::gai_strerror(failed), host);
  std::vector<Address> out;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    if (each->ai_addrlen > sizeof(sockaddr_storage)) continue;
    Address address;
    std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
    address.size = each->ai_addrlen;
    out.push_back(address);
  }
  ::freeaddrinfo(found);
  if (out.empty()) return not_found("it has no address", host);
  return out;
}

// Of the thread that asks and the one that waits; the last of them frees it.
struct Question {
  std::string host;
  std::uint16_t port = 0;
  Stop answered;  // here: that there is an answer
  std::mutex mutex;
  Addresses answer = std::vector<Address>();
};

}  // namespace

Addresses look_up(const std::string& host, std::uint16_t port, Deadline deadline,
                  const Stop& stop) {
  if (auto numeric = addresses_of(host, port, AI_NUMERICHOST)) return numeric;
  auto question = std::make_shared<Question>();
  question->host = host;
  question->port = port;
  auto thread = base::start_thread("the look-up of " + host, [question] {
    auto answer = addresses_of(question->host, question->port, AI_ADDRCONFIG);
    const std::lock_guard lock(question->mutex);
    question->answer = std::move(answer);
    question->answered.ask();
  });
  if (!thread) return base::pass(thread);
  thread->detach();
  if (auto ready = wait_for(question->answered.fd(), POLLIN, deadline, &stop); !ready) {
    return not_found(ready.error().what, host);
  }
  const std::lock_guard lock(question->mutex);
  return question->answer;
}

}  // namespace reveal::alert

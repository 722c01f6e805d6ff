// A server on the loopback for tests. It reads requests, keeps them, and does with each connection
// what the test says, however rude.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "alert/stop.h"
#include "base/thread.h"
#include "base/unique_fd.h"

namespace reveal::alert::testing {

struct Request {
  std::string head;  // with its last line's end
  std::string body;

  // Returns a header's value; empty if there is none.
  std::string header(const std::string& name) const {
    const auto begin = head.find("\r\n" + name + ": ");
    if (begin == std::string::npos) return {};
    const auto value = begin + name.size() + 4;
    return head.substr(value, head.find("\r\n", value) - value);
  }
};

// Returns the bytes of an answer.
inline std::string answer(int status, const std::string& text = "",
                          const std::string& headers = "") {
  return "HTTP/1.1 " + std::to_string(status) + " Word\r\n" + headers +
         "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

// Writes without a signal; returns whether all of it was taken.
inline bool say(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

class HttpServer {
 public:
  // What to do with a connection whose request has been read. Runs on the server's thread.
  using Conduct = std::function<void(HttpServer& server, base::UniqueFd fd)>;

  static Conduct answers(std::string bytes) {
    return [bytes](HttpServer&, base::UniqueFd fd) { say(fd.get(), bytes); };
  }
  // Keeps the connection, and says nothing.
  static Conduct never_answers() {
    return [](HttpServer& server, base::UniqueFd fd) { server.held_.push_back(std::move(fd)); };
  }

  // With `port` 0: on a free one.
  explicit HttpServer(Conduct conduct, std::uint16_t port = 0) : conduct_(std::move(conduct)) {
    listener_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    ::setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    socklen_t size = sizeof address;
    auto* name = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_.get(), name, size) == 0 && ::listen(listener_.get(), 16) == 0 &&
        ::getsockname(listener_.get(), name, &size) == 0) {
      port_ = ntohs(address.sin_port);
    }
    thread_ = base::start_thread("a test's server", [this] { serve(); }).value();
  }
  ~HttpServer() {
    stop_.ask();
    thread_.join();
  }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  void conduct(Conduct conduct) {
    const std::lock_guard lock(mutex_);
    conduct_ = std::move(conduct);
  }
  // Whether to read the request before the conduct.
  void read_requests(bool wanted) {
    const std::lock_guard lock(mutex_);
    reads_ = wanted;
  }
  std::vector<Request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  // Waits until there were so many connections, and returns the requests so far. What must come
  // comes; only a hang lasts longer.
  std::vector<Request> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, std::chrono::seconds(60), [&] { return connections_ >= count; });
    return requests_;
  }

 private:
  void serve() {
    for (;;) {
      std::array<pollfd, 2> polled = {pollfd{listener_.get(), POLLIN, 0},
                                      pollfd{stop_.fd(), POLLIN, 0}};
      ::poll(polled.data(), polled.size(), -1);
      if (polled[1].revents != 0) return;
      base::UniqueFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!fd.valid()) continue;
      Conduct conduct;
      bool reads = true;
      {
        const std::lock_guard lock(mutex_);
        conduct = conduct_;
        reads = reads_;
      }
      if (reads) read_request(fd.get());
      {
        const std::lock_guard lock(mutex_);
        ++connections_;
      }
      came_.notify_all();
      conduct(*this, std::move(fd));
    }
  }

  void read_request(int fd) {
    std::string bytes;
    std::array<char, 4096> block{};
    std::size_t wanted = std::string::npos;
    while (bytes.size() < wanted) {
      const auto count = ::read(fd, block.data(), block.size());
      if (count <= 0) return;
      bytes.append(block.data(), static_cast<std::size_t>(count));
      const auto end = bytes.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      Request request{bytes.substr(0, end + 2), {}};
      wanted = end + 4 + std::stoul("0" + request.header("Content-Length"));
    }
    const auto end = bytes.find("\r\n\r\n");
    const std::lock_guard lock(mutex_);
    requests_.push_back({bytes.substr(0, end + 2), bytes.substr(end + 4)});
  }

  base::UniqueFd listener_;
  std::uint16_t port_ = 0;
  Stop stop_;
  mutable std::mutex mutex_;
  std::condition_variable came_;
  Conduct conduct_;
  bool reads_ = true;
  std::size_t connections_ = 0;
  std::vector<Request> requests_;
  std::vector<base::UniqueFd> held_;  // the thread's
  std::thread thread_;
};

}  // namespace reveal::alert::testing

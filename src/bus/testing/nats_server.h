// A real broker for tests: Debian's nats-server with JetStream, on a free port of this host and
// with a store of its own. It can be killed, stopped and started again at the same address.
#pragma once

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "base/unique_fd.h"
#include "bus/options.h"

namespace reveal::bus {

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

inline std::uint16_t free_port() {
  const base::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  auto address = loopback(0);
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.get(), plain, size) != 0 || ::getsockname(socket.get(), plain, &size) != 0) {
    return 0;
  }
  return ntohs(address.sin_port);
}

class NatsServer {
 public:
  // `more` is added to its configuration.
  explicit NatsServer(const std::string& more = {}) : port_(free_port()) {
    const auto made = base::write_new_file(
        folder_.path() / "nats.conf",
        "listen: 127.0.0.1:" + std::to_string(port_) + "\njetstream {store_dir: \"" +
            (folder_.path() / "store").string() + "\", max_file_store: 16G}\n" + more);
    EXPECT_TRUE(made);
    start();
  }
  ~NatsServer() { kill(); }
  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;

  // Starts it, and waits until it takes connections.
  void start() {
    const std::string config = folder_.path() / "nats.conf";
    const std::string log = folder_.path() / "log";
    process_ = ::fork();
    if (process_ == 0) {
      const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
      ::dup2(out, STDOUT_FILENO);
      ::dup2(out, STDERR_FILENO);
      for (const char* program : {"/usr/sbin/nats-server", "/usr/local/bin/nats-server"}) {
        ::execl(program, program, "-c", config.c_str(), nullptr);
      }
      ::_exit(127);
    }
    while (!takes_connections()) {
      int status = 0;
      if (::waitpid(process_, &status, WNOHANG) == process_) {
        process_ = -1;
        std::ifstream text(log);
        FAIL() << "no nats-server (apt-get install nats-server) or a wrong configuration: "
               << text.rdbuf();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  void kill() { end(SIGKILL); }
  // Returns once all of its threads stand still: until then it may still answer.
  void suspend() const {
    ::kill(process_, SIGSTOP);
    int status = 0;
    ::waitpid(process_, &status, WUNTRACED);
  }
  void resume() const { ::kill(process_, SIGCONT); }

  BrokerOptions options(const std::string& scheme = "nats") const {
    BrokerOptions out;
    out.url = scheme + "://127.0.0.1:" + std::to_string(port_);
    out.name = "a test";
    out.timeout = std::chrono::milliseconds(1000);
    out.ack_timeout = std::chrono::milliseconds(500);
    out.first_pause = std::chrono::milliseconds(10);
    out.longest_pause = std::chrono::milliseconds(200);
    return out;
  }

 private:
  bool takes_connections() const {
    const base::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto address = loopback(port_);
    return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
           0;
  }
  void end(int signal) {
    if (process_ <= 0) return;
    ::kill(process_, SIGCONT);
    ::kill(process_, signal);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

  base::TempDir folder_;
  std::uint16_t port_;
  pid_t process_ = -1;
};

}  // namespace reveal::bus

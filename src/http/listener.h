// A socket that connections arrive at, and the file of a unix socket.
//
// A file that a dead agent left is replaced; that of a living one never is. Who may use the file is
// decided by a lock on a file beside it, PATH.lock, which lasts as long as its holder lives. So of
// two agents that start at once one gets it, and none removes the other's. The lock's file stays.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/unique_fd.h"
#include "http/listen_address.h"

namespace reveal::http {

class Listener {
 public:
  // Listens at the address. Fails with kBusy if another program does, with kUsage if something that
  // is not a socket has the name, else as the system does.
  static base::Result<Listener> open(const ListenAddress& address);
  Listener(Listener&& other) noexcept
      : address_(std::exchange(other.address_, {})),
        fd_(std::move(other.fd_)),
        lock_(std::move(other.lock_)),
        device_(other.device_),
        inode_(other.inode_) {}
  Listener& operator=(Listener&&) = delete;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  // Removes the socket's file, if it is still this one's.
  ~Listener();

  int fd() const { return fd_.get(); }
  bool is_socket_file() const { return !address_.socket_path.empty(); }
  // With the port that was chosen.
  const ListenAddress& address() const { return address_; }

 private:
  Listener(ListenAddress address, base::UniqueFd fd)
      : address_(std::move(address)), fd_(std::move(fd)) {}

  static base::Result<Listener> open_tcp(const ListenAddress& address);
  static base::Result<Listener> open_socket_file(const ListenAddress& address);

  ListenAddress address_;
  base::UniqueFd fd_;
  base::UniqueFd lock_;
  std::uint64_t device_ = 0;  // of the socket's file
  std::uint64_t inode_ = 0;
};

}  // namespace reveal::http

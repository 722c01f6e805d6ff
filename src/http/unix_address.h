// The kernel's structure for the path of a unix socket.
#pragma once

#include <cstddef>
#include <string_view>

#include <sys/socket.h>
#include <sys/un.h>

namespace reveal::http {

class UnixAddress {
 public:
  // REQUIRES: the path is shorter than sun_path and has no NUL.
  explicit UnixAddress(std::string_view path) {
    bytes_.sun_family = AF_UNIX;
    path.copy(bytes_.sun_path, sizeof(bytes_.sun_path) - 1);
  }

  const sockaddr* generic() const { return reinterpret_cast<const sockaddr*>(&bytes_); }
  socklen_t size() const { return sizeof(bytes_); }

 private:
  sockaddr_un bytes_{};
};

}  // namespace reveal::http

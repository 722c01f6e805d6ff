#include "http/listener.h"

#include <cerrno>
#include <cstring>
#include <optional>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "http/unix_address.h"

namespace reveal::http {
namespace {

// As many as the system lets wait: beyond that a client tries again only after a second.
constexpr int kBacklog = SOMAXCONN;
constexpr mode_t kSocketMode = 0660;  // owner and group

struct TcpAddress {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};

TcpAddress tcp_address(const ListenAddress& address) {
  TcpAddress out;
  auto& v4 = reinterpret_cast<sockaddr_in&>(out.bytes);
  if (inet_pton(AF_INET, address.ip.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(address.port);
    out.size = sizeof(v4);
    return out;
  }
  auto& v6 = reinterpret_cast<sockaddr_in6&>(out.bytes);
  inet_pton(AF_INET6, address.ip.c_str(), &v6.sin6_addr);
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(address.port);
  out.size = sizeof(v6);
  return out;
}

std::uint16_t bound_port(int fd) {
  sockaddr_storage bytes{};
  socklen_t size = sizeof(bytes);
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&bytes), &size) != 0) return 0;
  return ntohs(bytes.ss_family == AF_INET ? reinterpret_cast<sockaddr_in&>(bytes).sin_port
                                          : reinterpret_cast<sockaddr_in6&>(bytes).sin6_port);
}

base::Unexpected cannot_listen(int errno_value, const std::string& where) {
  if (errno_value != EADDRINUSE) return base::fail_errno(errno_value, "cannot listen", where);
  return base::fail(base::ErrorKind::kBusy, "another program listens there", where,
                    "stop it or choose another address");
}

// Returns the lock that belongs to the socket's file.
base::Result<base::UniqueFd> lock_beside(const std::string& path) {
  const auto lock_path = path + ".lock";
  base::UniqueFd lock(
      ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (!lock.valid())
    return base::fail_errno(errno, "cannot make the lock of the socket", lock_path);
  if (flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return base::fail_errno(errno, "cannot lock", lock_path);
  return base::fail(base::ErrorKind::kBusy, "another agent has this socket", path,
                    "stop it, or choose another path");
}

// Returns whether a program accepts connections at the path; nothing if there is no such file.
std::optional<bool> answers(const std::string& path) {
  const base::UniqueFd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const UnixAddress address(path);
  if (::connect(probe.get(), address.generic(), address.size()) == 0) return true;
  if (errno == ENOENT) return {};
  return errno != ECONNREFUSED;  // with a full queue, for one, somebody is there
}

// Removes what a dead agent left. REQUIRES: the lock is held.
base::Result<void> clear_path(const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return {};
    return base::fail_errno(errno, "cannot look for an older socket", path);
  }
  if (!S_ISSOCK(found.st_mode)) {
    return base::fail(base::ErrorKind::kUsage, "this is not a socket, so it is not replaced", path,
                      "remove it or choose another path");
  }
  const auto alive = answers(path);
  if (alive && *alive) {
    return base::fail(base::ErrorKind::kBusy, "another program answers at this socket", path,
                      "stop it, or choose another path");
  }
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return base::fail_errno(errno, "cannot remove the older socket", path);
}

}  // namespace

Listener::~Listener() {
  if (!is_socket_file() || !fd_.valid()) return;
  struct stat found {};
  if (::lstat(address_.socket_path.c_str(), &found) != 0) return;
  if (found.st_dev == device_ && found.st_ino == inode_) ::unlink(address_.socket_path.c_str());
}

base::Result<Listener> Listener::open(const ListenAddress& address) {
  return address.socket_path.empty() ? open_tcp(address) : open_socket_file(address);
}

base::Result<Listener> Listener::open_tcp(const ListenAddress& address) {
  const auto wanted = tcp_address(address);
  base::UniqueFd fd(
      ::socket(wanted.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return cannot_listen(errno, address.text());
  const int on = 1;
  // A port whose last connections are being closed is free.
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (wanted.bytes.ss_family == AF_INET6) {
    ::setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
  }
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&wanted.bytes), wanted.size) != 0 ||
      ::listen(fd.get(), kBacklog) != 0) {
    return cannot_listen(errno, address.text());
  }
  auto bound = address;
  bound.port = bound_port(fd.get());
  return Listener(std::move(bound), std::move(fd));
}

base::Result<Listener> Listener::open_socket_file(const ListenAddress& address) {
  const auto& path = address.socket_path;
  auto lock = lock_beside(path);
  if (!lock) return base::pass(lock);
  if (const auto cleared = clear_path(path); !cleared) return base::pass(cleared);
  base::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return cannot_listen(errno, address.text());
  // The file gets the mode that the socket has: nobody else can connect before chmod.
  ::fchmod(fd.get(), S_IRUSR | S_IWUSR);
  const UnixAddress bound(path);
  if (::bind(fd.get(), bound.generic(), bound.size()) != 0) return cannot_listen(errno, path);
  Listener out(address, std::move(fd));
  out.lock_ = std::move(*lock);
  struct stat made {};
  if (::lstat(path.c_str(), &made) != 0) return cannot_listen(errno, path);
  out.device_ = made.st_dev;
  out.inode_ = made.st_ino;
  if (::chmod(path.c_str(), kSocketMode) != 0 || ::listen(out.fd(), kBacklog) != 0) {
    return cannot_listen(errno, path);
  }
  return out;
}

}  // namespace reveal::http

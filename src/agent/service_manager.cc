#include "agent/service_manager.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>

#include "base/unique_fd.h"

namespace reveal::agent {

ServiceManager::ServiceManager() {
  const char* address = std::getenv("NOTIFY_SOCKET");
  if (address != nullptr && (address[0] == '/' || address[0] == '@')) address_ = address;
  ::unsetenv("NOTIFY_SOCKET");
}

void ServiceManager::tell(std::string_view lines) const {
  sockaddr_un to{};
  if (address_.empty() || address_.size() >= sizeof to.sun_path) return;
  to.sun_family = AF_UNIX;
  std::copy(address_.begin(), address_.end(), to.sun_path);
  if (to.sun_path[0] == '@') to.sun_path[0] = '\0';  // an abstract name
  const base::UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  ::sendto(socket.get(), lines.data(), lines.size(), MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&to), length);
}

}  // namespace reveal::agent

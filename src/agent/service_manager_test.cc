#include "agent/service_manager.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/temp_dir.h"
#include "base/unique_fd.h"

namespace reveal::agent {
namespace {

// A service manager's end.
class Listener {
 public:
  explicit Listener(const std::string& name)
      : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::copy(name.begin(), name.end(), at.sun_path);
    if (at.sun_path[0] == '@') at.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&at), length), 0);
    ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
  }
  std::string heard() const {
    std::array<char, 256> buffer{};
    const auto bytes = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    return bytes < 0 ? "" : std::string(buffer.data(), static_cast<std::size_t>(bytes));
  }

 private:
  base::UniqueFd socket_;
};

TEST(ServiceManager, HearsOnASocketWithAPathOrAnAbstractName) {
  const base::TempDir folder;
  for (const auto& name : {(folder.path() / "notify").string(),
                           "@reveal_service_manager_test_" + std::to_string(::getpid())}) {
    const Listener listener(name);
    const ServiceManager manager;
    EXPECT_TRUE(manager.is_there());
    manager.tell("READY=1\nSTATUS=judging");
    EXPECT_EQ(listener.heard(), "READY=1\nSTATUS=judging");
    EXPECT_EQ(std::getenv("NOTIFY_SOCKET"), nullptr) << "children have nothing to say";
  }
}

TEST(ServiceManager, WithoutOneNothingHappens) {
  ::unsetenv("NOTIFY_SOCKET");
  const ServiceManager manager;
  EXPECT_FALSE(manager.is_there());
  manager.tell("READY=1");
}

TEST(ServiceManager, ThatIsGoneIsNoTrouble) {
  ::setenv("NOTIFY_SOCKET", "/nonexistent/socket", 1);
  const ServiceManager manager;
  manager.tell("READY=1");
}

}  // namespace
}  // namespace reveal::agent

// Real sockets of this process, so the kernel itself answers.
#include "netlink/asker.h"

#include <vector>

#include <gmock/gmock.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "netlink/dump.h"
#include "netlink/tcp_socket.h"

namespace reveal::netlink {
namespace {

// A connection to oneself over the loopback, both ends.
struct Pair {
  base::UniqueFd client;
  base::UniqueFd server;
};

Pair connect_to_self() {
  const base::UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* any = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof(address);
  EXPECT_EQ(::bind(listener.get(), any, size), 0);
  EXPECT_EQ(::listen(listener.get(), 1), 0);
  EXPECT_EQ(::getsockname(listener.get(), any, &size), 0);
  Pair out{base::UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), {}};
  EXPECT_EQ(::connect(out.client.get(), any, size), 0);
  out.server.reset(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  return out;
}

// The socket's own number, which the kernel also tells its owner.
std::uint64_t cookie_of(const base::UniqueFd& fd) {
  std::uint64_t out = 0;
  socklen_t size = sizeof(out);
  EXPECT_EQ(::getsockopt(fd.get(), SOL_SOCKET, SO_COOKIE, &out, &size), 0);
  return out;
}

class AskerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto dumped = Dumper(NETLINK_SOCK_DIAG, "sock_diag")
                            .run(TCPDIAG_GETSOCK, tcp_sockets_request(), [&](const Message& m) {
                              if (auto socket = parse_tcp_socket(m.payload))
                                all_.push_back(*socket);
                              return Next::kMore;
                            });
    if (!dumped) GTEST_SKIP() << "no sock_diag here";
  }
  TcpKey key_of(const base::UniqueFd& fd) const {
    for (const auto& socket : all_) {
      if (socket.cookie == cookie_of(fd)) return socket.key;
    }
    ADD_FAILURE() << "not dumped";
    return {};
  }
  std::vector<TcpSocket> ask(std::initializer_list<TcpKey> keys) {
    std::vector<TcpSocket> out;
    asker_.begin();
    for (const auto& key : keys) asker_.add(SOCK_DIAG_BY_FAMILY, tcp_socket_request(key));
    const auto answered = asker_.run([&](const Message& message) {
      if (auto socket = parse_tcp_socket(message.payload)) out.push_back(*socket);
    });
    EXPECT_TRUE(answered) << answered.error().message();
    EXPECT_EQ(answered.value_or(0), out.size());
    return out;
  }

  Pair pair_ = connect_to_self();
  std::vector<TcpSocket> all_;
  Asker asker_{NETLINK_SOCK_DIAG, "sock_diag"};
};

TEST_F(AskerTest, KnownSocketsAreToldAnew) {
  ASSERT_EQ(::send(pair_.client.get(), "hello", 5, 0), 5);
  const auto now = ask({key_of(pair_.client), key_of(pair_.server)});
  ASSERT_EQ(now.size(), 2u);
  EXPECT_EQ(now[0].cookie, cookie_of(pair_.client));
  EXPECT_EQ(now[1].cookie, cookie_of(pair_.server));
  EXPECT_EQ(now[1].receive_queue, 5u);
  EXPECT_EQ(now[0].state, kTcpEstablished);
  EXPECT_TRUE(now[0].window);
}

TEST_F(AskerTest, SocketThatIsGoneIsNotAnswered) {
  const TcpKey gone = key_of(pair_.client);
  const TcpKey stays = key_of(pair_.server);
  const linger at_once{1, 0};  // a reset: no state is left behind
  ASSERT_EQ(::setsockopt(pair_.client.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), 0);
  pair_.client.reset();
  EXPECT_THAT(ask({gone}), ::testing::IsEmpty());
  // The other end was reset, too, and is closed.
  EXPECT_THAT(ask({gone, stays}), ::testing::IsEmpty());
}

TEST_F(AskerTest, NothingIsAskedForNothing) {
  EXPECT_THAT(ask({}), ::testing::IsEmpty());
}

TEST_F(AskerTest, AsManyAsItTakes) {
  const TcpKey key = key_of(pair_.server);
  asker_.begin();
  for (std::size_t i = 0; i < Asker::kMost; ++i) {
    asker_.add(SOCK_DIAG_BY_FAMILY, tcp_socket_request(key));
  }
  EXPECT_EQ(asker_.run([](const Message&) {}).value_or(0), Asker::kMost);
}

}  // namespace
}  // namespace reveal::netlink

// The server with TLS and a gate before it.
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "base/testing/made_certificate.h"
#include "http/server.h"
#include "http/testing/raw_client.h"
#include "http/testing/tls_client.h"
#include "serve/agent_site.h"
#include "serve/testing/made_state.h"

namespace reveal::serve {
namespace {

using http::Caller;
using http::kMostAskedBodyBytes;
using http::RawClient;
using http::ServeOptions;
using http::Server;
using http::Tls;
using http::TlsClient;

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

// "U*U" of Openwall's crypt_blowfish, wrapper.c; the SHA-256 of "abc" of FIPS 180-2.
constexpr const char* kUsers =
    "ann:$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW:operator\n";
constexpr const char* kTokens =
    "prometheus:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n";
constexpr const char* kPassword = "Authorization: Basic YW5uOlUqVQ==\r\n";  // ann:U*U
constexpr const char* kWrong = "Authorization: Basic YW5uOlUqVSo=\r\n";     // ann:U*U*
constexpr const char* kToken = "Authorization: Bearer abc\r\n";

class GuardedServerTest : public ::testing::Test {
 protected:
  GuardedServerTest() { (void)std::signal(SIGPIPE, SIG_IGN); }

  void start(bool encrypts, ServeOptions options = {}) {
    board_.publish(std::make_shared<const AgentState>(made_state()));
    options.listen = {"127.0.0.1:0", "unix:" + (folder_.path() / "s").string()};
    options.gate =
        access::Gate::open({.users = write("users", kUsers), .tokens = write("tokens", kTokens)})
            .value();
    if (encrypts) options.tls = make_tls();
    site_ = std::make_unique<AgentSite>(board_, callbacks_, PageFiles{});
    auto server = Server::start(std::move(options), *site_);
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
  }

  std::shared_ptr<Tls> make_tls() const {
    const auto key = base::made_key();
    const auto certificate = base::made_certificate(key.get(), "DNS:n017.example.org");
    return Tls::open({.certificate = write("cert", base::pem_of(certificate.get())),
                      .key = write("key", base::pem_of(key.get()))})
        .value();
  }

  fs::path write(const std::string& name, const std::string& text) const {
    auto out = folder_.path() / name;
    EXPECT_TRUE(base::write_new_file(out, text));
    fs::permissions(out, fs::perms::owner_read);
    return out;
  }

  static std::string request(const std::string& line, const std::string& headers,
                             const std::string& body = "") {
    const auto length =
        body.empty() ? "" : "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + length +
           "\r\n" + body;
  }
  const std::string& address() const { return server_->addresses()[0]; }
  std::string ask(const std::string& bytes) const {
    const RawClient client(address());
    client.send(bytes);
    return client.rest();
  }
  std::string ask_encrypted(const std::string& bytes) const {
    const TlsClient client(address());
    EXPECT_TRUE(client.has_agreed());
    client.send(bytes);
    return client.rest();
  }

  base::TempDir folder_;
  StateBoard board_;
  Callbacks callbacks_;
  std::unique_ptr<AgentSite> site_;
  std::unique_ptr<Server> server_;
};

TEST_F(GuardedServerTest, AsksWhoItIs) {
  start(false);
  EXPECT_THAT(ask(request("GET /metrics", "")),
              AllOf(StartsWith("HTTP/1.1 401 "), HasSubstr("\r\nWWW-Authenticate: Basic realm=")));
  EXPECT_THAT(ask(request("GET /metrics", kWrong)), StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(ask(request("GET /nothing", "")), StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(ask(request("GET /metrics", kToken)), StartsWith("HTTP/1.1 200 "));
  for (int i = 0; i < 2; ++i) {  // checked, and then remembered
    EXPECT_THAT(ask(request("GET /metrics", kPassword)), StartsWith("HTTP/1.1 200 "));
  }
  EXPECT_THAT(ask(request("GET /-/ready", "")), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(ask(request("GET /-/ready", kWrong)), StartsWith("HTTP/1.1 200 "));
  const RawClient local(server_->addresses()[1]);
  local.send(request("GET /metrics", ""));
  EXPECT_THAT(local.rest(), StartsWith("HTTP/1.1 200 "));
}

TEST_F(GuardedServerTest, AnOperatorsBodyIsTaken) {
  ServeOptions options;
  callbacks_.mark = [](const std::string& text, const Caller& caller) {
    return base::Result<std::string>(text + " by " + caller.who.name);
  };
  start(false, std::move(options));
  EXPECT_THAT(ask(request("POST /-/mark", kPassword, "deploy 7")), HasSubstr("deploy 7 by ann"));
  EXPECT_THAT(ask(request("POST /-/mark", kToken, "deploy 7")), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(ask(request("POST /-/mark", "", "deploy 7")), StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(ask(request("POST /-/mark", kPassword, std::string(kMostAskedBodyBytes + 1, 'x'))),
              StartsWith("HTTP/1.1 413 "));
}

TEST_F(GuardedServerTest, AStreamAndASeriesFollowTheCheckOfAPassword) {
  ServeOptions options;
  callbacks_.series = [](const SeriesQuery& query) {
    return base::Result<std::string>(query.channels[0]);
  };
  start(false, std::move(options));
  EXPECT_THAT(ask(request("GET /api/v1/series?channel=first", kPassword)),
              HasSubstr("\r\n\r\nfirst"));
  server_->stop();
  start(false);
  const RawClient reader(address());
  reader.send(request("GET /api/v1/stream", kPassword));
  EXPECT_THAT(reader.until("event: hello\n"), StartsWith("HTTP/1.1 200 "));
  board_.publish(std::make_shared<const AgentState>(made_state()));
  EXPECT_THAT(reader.until("event: window\n"), HasSubstr("event: window\n"));
}

TEST_F(GuardedServerTest, ManyPasswordsAtOnceAreCheckedOrRefused) {
  start(false);
  std::vector<RawClient> clients;
  clients.reserve(40);
  for (int i = 0; i < 40; ++i) {
    clients.emplace_back(address());
    clients.back().send(request("GET /metrics", kWrong));
  }
  int refused = 0;
  int put_off = 0;
  for (const auto& client : clients) {
    const auto answer = client.rest();
    if (answer.starts_with("HTTP/1.1 401 ")) ++refused;
    if (answer.starts_with("HTTP/1.1 503 ") || answer.starts_with("HTTP/1.1 429 ")) {
      EXPECT_THAT(answer, HasSubstr("\r\nRetry-After: 1\r\n"));
      ++put_off;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(put_off, 0);
  EXPECT_EQ(refused + put_off, 40);
  EXPECT_THAT(ask(request("GET /metrics", kToken)), StartsWith("HTTP/1.1 200 "));
}

TEST_F(GuardedServerTest, SpeaksTls) {
  start(true);
  EXPECT_THAT(ask_encrypted(request("GET /metrics", kToken)), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(ask_encrypted(request("GET /metrics", "")), StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(ask_encrypted("GET /metrics HTTP/1.1\r\nHost: n017.example.org\r\n" +
                            std::string(kToken) + "Connection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 200 "));
  // All of a record that has more than is read at once.
  const auto long_header = "X: " + std::string(7000, 'a') + "\r\n";
  EXPECT_THAT(ask_encrypted(request("GET /metrics", kToken + long_header)),
              StartsWith("HTTP/1.1 200 "));
  const TlsClient client(address());
  for (int i = 0; i < 3; ++i) {
    client.send("GET /-/ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(client.until("ready\n"), StartsWith("HTTP/1.1 200 "));
  }
}

TEST_F(GuardedServerTest, ALongAnswerComesWholeOverTls) {
  auto state = made_state();
  state.findings[1].json = "{\"claim\":\"" + std::string(std::size_t{4} << 20, 'a') + "\"}";
  ServeOptions options;
  options.most_unsent_bytes = std::size_t{16} << 20;
  start(true, std::move(options));
  board_.publish(std::make_shared<const AgentState>(state));
  const auto answer = ask_encrypted(request("GET /api/v1/findings/F2", kToken));
  EXPECT_GT(answer.size(), std::size_t{4} << 20);
  EXPECT_TRUE(answer.ends_with("}\n"));
}

TEST_F(GuardedServerTest, AStreamGoesOverTls) {
  start(true);
  const TlsClient reader(address());
  reader.send(request("GET /api/v1/stream", kToken));
  reader.until("event: hello\n");
  for (int i = 0; i < 3; ++i) {
    board_.publish(std::make_shared<const AgentState>(made_state()));
    EXPECT_THAT(reader.until("event: window\n"), HasSubstr("event: window\n"));
  }
}

TEST_F(GuardedServerTest, TellsWhoSpeaksNoTls) {
  start(true);
  EXPECT_THAT(ask(request("GET /metrics", kToken)),
              AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("TLS")));
  EXPECT_EQ(ask("\r\n\r\n\r\n").find("HTTP"), std::string::npos);
  EXPECT_THAT(ask_encrypted(request("GET /metrics", kToken)), StartsWith("HTTP/1.1 200 "));
}

TEST_F(GuardedServerTest, AHandshakeEndsWithItsTimeAndHoldsUpNobody) {
  ServeOptions options;
  options.time_limits.request = milliseconds(300);
  options.most_connections = 16;
  start(true, std::move(options));
  std::vector<RawClient> silent;
  silent.reserve(40);
  for (int i = 0; i < 40; ++i) {
    silent.emplace_back(address());
    if (i % 2 == 0) silent.back().send("\x16\x03\x01\x02");
  }
  EXPECT_THAT(ask_encrypted(request("GET /metrics", kToken)), StartsWith("HTTP/1.1 200 "));
  for (const auto& client : silent) EXPECT_EQ(client.rest(), "");
}

// Sends records without data until the server hangs up. Returns whether it does. A server that
// reads all of them does not, nor does one that reads none: the kernel keeps fewer than these for
// it, and what is sent then waits in vain.
bool is_hung_up_on(const TlsClient& client) {
  constexpr int kMost = 2'000'000;
  for (int i = 0; i < kMost; ++i) {
    if (!client.renew_keys()) return !client.is_stuck();
  }
  return false;
}

TEST_F(GuardedServerTest, WhoSendsRecordsWithoutDataIsHungUpOn) {
  ServeOptions options;
  options.time_limits.idle = std::chrono::hours(1);
  options.time_limits.request = std::chrono::hours(1);
  start(true, std::move(options));
  const TlsClient idle(address());
  EXPECT_TRUE(is_hung_up_on(idle));
  const TlsClient asking(address());
  asking.send("GET /metrics HTTP/1.1\r\n");
  EXPECT_TRUE(is_hung_up_on(asking));
  const TlsClient reader(address());
  reader.send(request("GET /api/v1/stream", kToken));
  EXPECT_THAT(reader.until("event: hello\n"), HasSubstr("event: hello\n"));
  EXPECT_TRUE(is_hung_up_on(reader));
}

TEST_F(GuardedServerTest, RecordsWithoutDataHoldUpNobody) {
  start(true);
  std::atomic<int> hung_up = 0;
  std::atomic<bool> is_over = false;
  std::vector<std::thread> floods;
  for (int i = 0; i < 4; ++i) {
    floods.emplace_back([&] {
      while (!is_over) {
        const TlsClient client(address());
        if (client.has_agreed() && is_hung_up_on(client)) ++hung_up;
      }
    });
  }
  constexpr int kMostAsked = 5000;
  for (int i = 0; i < 20 || (hung_up < 4 && i < kMostAsked); ++i) {
    EXPECT_THAT(ask_encrypted(request("GET /metrics", kToken)), StartsWith("HTTP/1.1 200 "));
  }
  is_over = true;
  for (auto& flood : floods) flood.join();
  EXPECT_GE(hung_up, 4);
}

TEST_F(GuardedServerTest, KeysMayBeRenewedBetweenRequests) {
  start(true);
  const TlsClient client(address());
  // Together these are more than may come without data.
  for (int i = 0; i < 30; ++i) {
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(client.renew_keys());
    client.send("GET /-/ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
    ASSERT_THAT(client.until("ready\n"), StartsWith("HTTP/1.1 200 "));
  }
}

TEST_F(GuardedServerTest, ThereIsNoSecondHandshake) {
  start(true);
  const TlsClient client(address(), TLS1_2_VERSION);
  ASSERT_TRUE(client.has_agreed());
  EXPECT_FALSE(client.renegotiate());
  EXPECT_THAT(ask_encrypted(request("GET /metrics", kToken)), StartsWith("HTTP/1.1 200 "));
}

TEST_F(GuardedServerTest, MayListenWhereOthersReachIt) {
  site_ = std::make_unique<AgentSite>(board_, callbacks_, PageFiles{});
  const std::shared_ptr<access::Gate> gate =
      access::Gate::open({.tokens = write("tokens", kTokens)}).value();
  EXPECT_TRUE(Server::start({.listen = {"0.0.0.0:0"}, .tls = make_tls(), .gate = gate}, *site_));
  EXPECT_FALSE(Server::start({.listen = {"0.0.0.0:0"}, .tls = make_tls()}, *site_));
  EXPECT_FALSE(Server::start({.listen = {"0.0.0.0:0"}, .gate = gate}, *site_));
}

}  // namespace
}  // namespace reveal::serve

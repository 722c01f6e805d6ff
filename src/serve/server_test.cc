#include "http/server.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/temp_dir.h"
#include "http/event_stream.h"
#include "http/socket_client.h"
#include "http/testing/raw_client.h"
#include "serve/agent_site.h"
#include "serve/health.h"
#include "serve/testing/made_state.h"

namespace reveal::serve {
namespace {

using http::ask_over_socket;
using http::Caller;
using http::fetch_over_socket;
using http::kMostBodyBytes;
using http::kMostStreams;
using http::parse_listen_address;
using http::RawClient;
using http::ServeOptions;
using http::Server;
using http::SocketRequest;

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::size_t kLongBytes = std::size_t{1} << 20;

// A server that listens on the loopback and on a unix socket.
class ServerTest : public ::testing::Test {
 protected:
  base::TempDir dir_;
  StateBoard board_;
  std::string path_ = (dir_.path() / "s").string();
  Callbacks callbacks_;
  std::unique_ptr<AgentSite> site_;
  std::unique_ptr<Server> server_;

  ServeOptions options() const { return {.listen = {"127.0.0.1:0", "unix:" + path_}}; }

  void start(ServeOptions options) {
    board_.publish(std::make_shared<const AgentState>(made_state()));
    site_ = std::make_unique<AgentSite>(board_, callbacks_, PageFiles{});
    auto server = Server::start(std::move(options), *site_);
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
  }

  RawClient tcp() const { return RawClient(server_->addresses()[0]); }
  RawClient unix_socket() const { return RawClient(server_->addresses()[1]); }

  static std::string get(const std::string& path, const std::string& more = "") {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
  }
  static std::string last(const std::string& path) { return get(path, "Connection: close\r\n"); }

  // Returns the status line and all after it.
  std::string ask(const std::string& bytes) const {
    const auto client = tcp();
    client.send(bytes);
    return client.rest();
  }

  void expect_to_serve() const {
    EXPECT_THAT(ask(last("/-/ready")), StartsWith("HTTP/1.1 200 OK\r\n"));
  }
};

TEST_F(ServerTest, AnswersOverTcpAndTheUnixSocket) {
  start(options());
  EXPECT_THAT(ask(last("/metrics")), HasSubstr("\nreveal_windows_judged_total 57\n"));
  const auto status = fetch_over_socket(path_, "/api/v1/status", milliseconds(60'000));
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(judge_health(status).health, Health::kCritical);  // an open finding is major
  board_.publish(std::make_shared<const AgentState>());
  EXPECT_THAT(ask(last("/api/v1/status")), HasSubstr("\"state\":\"learning\""));
}

TEST_F(ServerTest, AConnectionTakesOneRequestAfterTheOther) {
  start(options());
  const auto client = tcp();
  for (int i = 0; i < 3; ++i) {
    client.send(get("/-/ready"));
    EXPECT_THAT(client.one_answer(), HasSubstr("\r\nConnection: keep-alive\r\n"));
  }
  client.send("HEAD /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const auto head = client.rest();
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
}

TEST_F(ServerTest, RequestsThatDoNotWaitGetOneAnswer) {
  start(options());
  const auto client = tcp();
  client.send(get("/-/ready") + get("/-/ready"));
  const auto answer = client.rest();
  EXPECT_THAT(answer, HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos);
}

TEST_F(ServerTest, ARequestMayComeByteForByte) {
  start(options());
  const auto client = tcp();
  for (const char c : last("/-/healthy")) client.send(std::string_view(&c, 1));
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(ServerTest, OnlyTheSocketTakesWhatChangesSomething) {
  std::atomic<int> marks = 0;
  auto chosen = options();
  callbacks_.mark = [&](const std::string& text, const Caller& caller) {
    EXPECT_EQ(text, "deploy 7");
    EXPECT_EQ(caller.user, ::getuid());
    ++marks;
    return base::Result<std::string>("noted");
  };
  start(std::move(chosen));
  const auto done = ask_over_socket(
      path_, {.method = "POST", .target = "/-/mark", .body = "deploy 7"}, milliseconds(60'000));
  ASSERT_TRUE(done) << done.error().message();
  EXPECT_EQ(done->status, 200);
  EXPECT_THAT(ask("POST /-/mark HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\ndeploy 7"),
              StartsWith("HTTP/1.1 403 "));
  EXPECT_EQ(marks, 1);
  // The body is never read: the answer comes before it.
  const auto client = tcp();
  client.send("POST /-/mark HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n");
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 403 "));
}

TEST_F(ServerTest, ABodyOfTheMostSizeComesWhole) {
  std::atomic<std::size_t> bytes = 0;
  auto chosen = options();
  callbacks_.pin = [&](const std::string& text, const Caller&) {
    bytes = text.size();
    return base::Result<std::string>("kept");
  };
  start(std::move(chosen));
  const SocketRequest most{
      .method = "POST", .target = "/-/pin", .body = std::string(kMostBodyBytes, 'x')};
  EXPECT_EQ(ask_over_socket(path_, most, milliseconds(60'000)).value().status, 200);
  EXPECT_EQ(bytes, kMostBodyBytes);
  const auto client = unix_socket();
  client.send("POST /-/pin HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n");
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 413 "));
}

TEST_F(ServerTest, HostileRequestsGetAnErrorAndHarmNobody) {
  start(options());
  const std::vector<std::pair<std::string, std::string>> cases = {
      {last("/../../etc/passwd"), "404"},
      {last("/%2e%2e/%2e%2e/etc/passwd"), "404"},
      {get("/%00"), "400"},
      {get("/metrics%"), "400"},
      {get("/metrics?collect[]=%0a"), "400"},
      {"GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "421"},
      {"GET /metrics HTTP/1.1\r\n\r\n", "400"},
      {"GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n", "400"},
      {"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"},
      {"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"},
      {"TRACE /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "405"},
      {"GET /" + std::string(100'000, 'a'), "414"},
      {get("/", "X: " + std::string(100'000, 'a') + "\r\n"), "431"},
      {get("/", "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n", "501"},
      {get("/", "Content-Length: 5\r\nContent-Length: 6\r\n"), "400"},
      {"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", "505"},
      {"\x16\x03\x01\x02\x00\x01\x00", "400"},
      {std::string(64, '\0'), "400"},
      {"\r\n\r\n\r\n", "400"},
  };
  for (const auto& [bytes, status] : cases) {
    EXPECT_THAT(ask(bytes), StartsWith("HTTP/1.1 " + status + " ")) << bytes.substr(0, 60);
    expect_to_serve();
  }
}

TEST_F(ServerTest, AClientMayLeaveAtAnyTime) {
  start(options());
  const auto text = last("/metrics");
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const auto client = tcp();
    client.send(std::string_view(text).substr(0, size));
  }
  expect_to_serve();
}

TEST_F(ServerTest, ASlowRequestEndsWithItsTime) {
  auto chosen = options();
  chosen.time_limits.request = milliseconds(50);
  chosen.time_limits.ending = milliseconds(50);
  start(std::move(chosen));
  EXPECT_THAT(ask("GET / HTT"), StartsWith("HTTP/1.1 408 "));
  const auto body = unix_socket();
  body.send("POST /-/pin HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
  EXPECT_THAT(body.rest(), StartsWith("HTTP/1.1 408 "));
  // A trickle does not extend it: a byte at a time, until the server has had enough.
  const auto trickle = tcp();
  while (trickle.send("G")) std::this_thread::sleep_for(milliseconds(5));
  expect_to_serve();
}

TEST_F(ServerTest, AnIdleConnectionEndsWithItsTime) {
  auto chosen = options();
  chosen.time_limits.idle = milliseconds(300);
  start(std::move(chosen));
  EXPECT_EQ(ask(""), "");
  const auto client = tcp();
  client.send(get("/-/ready"));
  client.one_answer();
  EXPECT_EQ(client.rest(), "");
  expect_to_serve();
}

TEST_F(ServerTest, IdleConnectionsMakeRoom) {
  auto chosen = options();
  chosen.most_connections = 16;
  chosen.time_limits.idle = std::chrono::hours(1);
  start(std::move(chosen));
  std::vector<RawClient> idle;
  for (int i = 0; i < 200; ++i) idle.push_back(tcp());
  expect_to_serve();
  EXPECT_EQ(idle.front().rest(), "");  // the oldest had to go
  EXPECT_THAT(ask(last("/metrics?collect[]=http")), HasSubstr("\nreveal_http_connections 16\n"));
}

TEST_F(ServerTest, SlowRequestsMakeRoom) {
  auto chosen = options();
  chosen.most_connections = 16;
  chosen.time_limits.request = std::chrono::hours(1);
  start(std::move(chosen));
  std::vector<RawClient> slow;
  for (int i = 0; i < 200; ++i) {
    slow.push_back(tcp());
    slow.back().send("GET /");
  }
  expect_to_serve();
}

// Of a unix socket the system keeps little that was not read, so the rest waits in the server.
TEST_F(ServerTest, ClientsThatDoNotReadMakeRoom) {
  auto state = made_state();
  state.findings[1].json = "{\"claim\":\"" + std::string(kLongBytes, 'a') + "\"}";
  auto chosen = options();
  chosen.most_unsent_bytes = kLongBytes * 5 / 2;
  chosen.time_limits.answer = std::chrono::hours(1);
  start(std::move(chosen));
  board_.publish(std::make_shared<const AgentState>(state));
  std::vector<RawClient> deaf;
  for (int i = 0; i < 6; ++i) {
    deaf.push_back(unix_socket());
    deaf.back().send(last("/api/v1/findings/F2"));
  }
  // The last is served whole, the first was cut.
  EXPECT_GT(deaf.back().rest().size(), kLongBytes);
  EXPECT_LT(deaf.front().rest().size(), kLongBytes);
  expect_to_serve();
}

TEST_F(ServerTest, AClientThatDoesNotReadIsCutByItsTime) {
  auto state = made_state();
  state.findings[1].json = "{\"claim\":\"" + std::string(kLongBytes, 'a') + "\"}";
  auto chosen = options();
  chosen.time_limits.answer = milliseconds(50);
  start(std::move(chosen));
  board_.publish(std::make_shared<const AgentState>(state));
  const auto deaf = unix_socket();
  deaf.send(last("/api/v1/findings/F2"));
  // Until the server counts it as dropped.
  while (ask(last("/metrics?collect[]=http")).find("dropped_total 1\n") == std::string::npos) {
  }
  EXPECT_LT(deaf.rest().size(), kLongBytes);
}

// Publishes a state with another count of ticks, which tells the events apart.
class StreamTest : public ServerTest {
 protected:
  AgentState state_ = made_state();

  void publish(std::uint64_t ticks) {
    state_.recorder.ticks = ticks;
    board_.publish(std::make_shared<const AgentState>(state_));
  }
  // An event of some 100 KB.
  void publish_long(std::uint64_t revision) {
    state_.findings[1].json = "{\"claim\":\"" + std::string(100'000, 'a') + "\"}";
    state_.findings[1].revision = revision;
    state_.findings[1].open = revision % 2 == 0;  // a change that is told at once
    if (state_.findings[1].open) state_.findings[1].id = "L" + std::to_string(revision);
    publish(revision);
  }
  static std::string ticks(std::uint64_t count) {
    return "\"ticks\":" + std::to_string(count) + ",";
  }
  static std::string stream(const std::string& more = "") { return get("/api/v1/stream", more); }
  // Returns the id of the last event in a text.
  static std::string last_id(const std::string& text) {
    const auto at = text.rfind("\nid: ") + 5;
    return text.substr(at, text.find('\n', at) - at);
  }
  // Reads the stream until an event is published, goes, and returns the event's id.
  std::string heard_and_left(RawClient client) {
    client.send(stream());
    client.until("event: hello\n");
    publish(1001);
    return last_id(client.until(ticks(1001)));
  }
  // Waits until the server has dropped a connection.
  void wait_dropped() const {
    while (ask(last("/metrics?collect[]=http")).find("dropped_total 1\n") == std::string::npos) {
    }
  }
};

TEST_F(StreamTest, TellsEventsAsTheyCome) {
  start(options());
  const auto client = tcp();
  client.send(stream());
  const auto head = client.until("event: hello\n");
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(head, HasSubstr("\r\nContent-Type: text/event-stream\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("Content-Length")));
  publish(1001);
  const auto event = client.until(ticks(1001));
  EXPECT_THAT(event, HasSubstr("\nevent: window\ndata: {"));
  state_.findings.push_back(made_finding(3, true, "minor"));
  publish(1002);
  EXPECT_THAT(client.until("\"kind\":\"open\""), HasSubstr(ticks(1002)));
  EXPECT_THAT(ask(last("/metrics?collect[]=http")), HasSubstr("\nreveal_http_streams 1\n"));
}

TEST_F(StreamTest, OutlastsTheTimesOfOtherConnections) {
  auto chosen = options();
  chosen.time_limits = {milliseconds(20), milliseconds(20), milliseconds(20), milliseconds(20)};
  start(std::move(chosen));
  const auto client = tcp();
  client.send(stream());
  client.until("event: hello\n");
  std::this_thread::sleep_for(milliseconds(200));
  publish(1001);
  EXPECT_THAT(client.until(ticks(1001)), HasSubstr(ticks(1001)));
}

TEST_F(StreamTest, GoesOnWhereItsReaderWas) {
  start(options());
  const auto id = heard_and_left(tcp());
  publish(1002);
  publish(1003);
  for (const auto& request :
       {stream("Last-Event-ID: " + id + "\r\n"), get("/api/v1/stream?after=" + id)}) {
    const auto client = tcp();
    client.send(request);
    const auto text = client.until(ticks(1003));
    EXPECT_THAT(text, HasSubstr(ticks(1002)));
    EXPECT_THAT(text, Not(HasSubstr(ticks(1001))));
    EXPECT_THAT(text, Not(HasSubstr("event: resync\n")));
  }
}

TEST_F(StreamTest, SaysThatSomethingWasMissed) {
  start(options());
  const auto other = tcp();
  other.send(stream("Last-Event-ID: 0123-7\r\n"));
  other.until("event: resync\n");
  const auto id = heard_and_left(tcp());
  for (int i = 0; i < 12; ++i) publish_long(100 + static_cast<std::uint64_t>(i));
  const auto late = tcp();
  late.send(stream("Last-Event-ID: " + id + "\r\n"));
  EXPECT_THAT(late.until("event: resync\n"), HasSubstr("events were missed"));
  publish(1002);
  late.until(ticks(1002));
}

TEST_F(StreamTest, ALongWayBackComesWhole) {
  start(options());
  const auto id = heard_and_left(unix_socket());
  for (std::uint64_t i = 0; i < 8; ++i) publish_long(100 + i);
  publish(1002);
  const auto client = unix_socket();
  client.send(stream("Last-Event-ID: " + id + "\r\n"));
  const auto text = client.until(ticks(1002));
  EXPECT_GT(text.size(), 800'000U);
  EXPECT_THAT(text.substr(0, 4096), Not(HasSubstr("event: resync\n")));
}

TEST_F(StreamTest, AReaderThatStallsIsCutAndCostsNobodyAnything) {
  start(options());
  const auto reader = tcp();
  reader.send(stream());
  reader.until("event: hello\n");
  const auto stalled = unix_socket();
  stalled.send(stream());
  stalled.until("event: hello\n");
  for (std::uint64_t i = 0; i < 12; ++i) {
    publish_long(100 + i);
    EXPECT_THAT(reader.until(ticks(100 + i)), HasSubstr(ticks(100 + i)));
  }
  wait_dropped();
  EXPECT_LT(stalled.rest().size(), 700'000U);
  publish(1002);
  reader.until(ticks(1002));
  expect_to_serve();
}

TEST_F(StreamTest, ThereAreAtMost32) {
  start(options());
  std::vector<RawClient> readers;
  for (std::size_t i = 0; i < kMostStreams; ++i) {
    readers.push_back(tcp());
    readers.back().send(stream());
    readers.back().until("event: hello\n");
  }
  const auto refused = ask(last("/api/v1/stream"));
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(refused, HasSubstr("\r\nRetry-After: 30\r\n"));
  readers.pop_back();
  // The server has seen that it is gone.
  while (ask(last("/metrics?collect[]=http")).find("streams 31\n") == std::string::npos) {
  }
  const auto next = tcp();
  next.send(stream());
  next.until("event: hello\n");
  publish(1001);
  for (const auto& reader : readers) reader.until(ticks(1001));
}

TEST_F(StreamTest, OtherConnectionsMakeRoomBeforeStreams) {
  auto chosen = options();
  chosen.most_connections = 8;
  chosen.time_limits.idle = std::chrono::hours(1);
  start(std::move(chosen));
  const auto reader = tcp();
  reader.send(stream());
  reader.until("event: hello\n");
  std::vector<RawClient> idle;
  for (int i = 0; i < 40; ++i) idle.push_back(tcp());
  expect_to_serve();
  publish(1001);
  EXPECT_THAT(reader.until(ticks(1001)), HasSubstr(ticks(1001)));
}

TEST_F(StreamTest, IsForPagesOfItsOwnHostOnly) {
  start(options());
  EXPECT_THAT(ask("GET /api/v1/stream HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 421 "));
  EXPECT_THAT(ask("HEAD /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
              HasSubstr("text/event-stream"));
}

TEST_F(StreamTest, EndsWithTheServer) {
  start(options());
  const auto reader = tcp();
  reader.send(stream());
  reader.until("event: hello\n");
  server_->stop();
  EXPECT_EQ(reader.rest(), "");
  publish(1001);  // nobody is called any more
}

TEST_F(ServerTest, ManyAtOnceAreAllServed) {
  auto chosen = options();
  chosen.most_connections = 256;
  start(std::move(chosen));
  std::vector<RawClient> clients;
  for (int i = 0; i < 200; ++i) clients.push_back(tcp());
  for (const auto& client : clients) client.send(last("/api/v1/status"));
  for (const auto& client : clients) {
    EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
  }
}

TEST_F(ServerTest, ACallbackThatThrowsCostsOneAnswer) {
  auto chosen = options();
  callbacks_.pin = [](const std::string&, const Caller&) -> base::Result<std::string> {
    throw std::bad_alloc();
  };
  start(std::move(chosen));
  const auto failed =
      ask_over_socket(path_, {.method = "POST", .target = "/-/pin"}, milliseconds(60'000));
  EXPECT_EQ(failed.value().status, 500);
  expect_to_serve();
}

TEST_F(ServerTest, ASlowAnswerHoldsUpNobody) {
  std::promise<void> goes_on;
  auto chosen = options();
  chosen.time_limits.answer = milliseconds(60'000);
  callbacks_.series = [&, wait = goes_on.get_future().share()](
                          const SeriesQuery& query) -> base::Result<std::string> {
    wait.wait();
    return query.channels[0];
  };
  start(std::move(chosen));
  const auto slow = tcp();
  slow.send(get("/api/v1/series?channel=first"));
  expect_to_serve();
  goes_on.set_value();
  EXPECT_THAT(slow.one_answer(), HasSubstr("\r\n\r\nfirst"));
  slow.send(last("/api/v1/series?channel=third"));  // the connection is as good as before
  EXPECT_THAT(slow.rest(), HasSubstr("\r\n\r\nthird"));
}

TEST_F(ServerTest, OneSlowAnswerIsMadeAtATime) {
  std::promise<void> begun;
  std::promise<void> goes_on;
  auto chosen = options();
  callbacks_.series = [&](const SeriesQuery& query) -> base::Result<std::string> {
    begun.set_value();
    goes_on.get_future().wait();
    return query.channels[0];
  };
  start(std::move(chosen));
  const auto slow = tcp();
  slow.send(last("/api/v1/series?channel=first"));
  begun.get_future().wait();
  const auto refused = ask(last("/api/v1/series?channel=second"));
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(refused, HasSubstr("\r\nRetry-After: 1\r\n"));
  goes_on.set_value();
  EXPECT_THAT(slow.rest(), HasSubstr("\r\n\r\nfirst"));
}

TEST_F(ServerTest, StoppingClosesAllAndLeavesNothing) {
  start(options());
  const auto client = tcp();
  client.send("GET /");
  server_->stop();
  EXPECT_EQ(client.rest(), "");
  EXPECT_FALSE(tcp().is_connected());
  EXPECT_FALSE(std::filesystem::exists(path_));
  server_->stop();
  start(options());  // the path is free
  expect_to_serve();
}

TEST_F(ServerTest, StartsNowhereIfItMayNotStartEverywhere) {
  site_ = std::make_unique<AgentSite>(board_, callbacks_, PageFiles{});
  const auto refused = [&](ServeOptions options) {
    const auto server = Server::start(std::move(options), *site_);
    EXPECT_FALSE(server);
    return server ? base::Error{} : server.error();
  };
  const auto open = refused({.listen = {"unix:" + path_, "0.0.0.0:0"}});
  EXPECT_EQ(open.kind, base::ErrorKind::kUsage);
  EXPECT_THAT(open.message(), HasSubstr("insecure = true"));
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_EQ(refused({.listen = {"nowhere"}}).kind, base::ErrorKind::kUsage);
  start(options());
  EXPECT_EQ(refused({.listen = {"unix:" + path_}}).kind, base::ErrorKind::kBusy);
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(ServerTest, ListensAnywhereIfItIsToldTo) {
  start({.listen = {"0.0.0.0:0"}, .insecure = true});
  const auto port = parse_listen_address(server_->addresses()[0]).value().port;
  const RawClient client("127.0.0.1:" + std::to_string(port));
  client.send(last("/api/v1/status"));
  EXPECT_THAT(client.rest(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

}  // namespace
}  // namespace reveal::serve

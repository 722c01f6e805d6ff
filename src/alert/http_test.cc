#include "alert/http.h"

#include <chrono>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alert/testing/http_server.h"

namespace reveal::alert {
namespace {

using std::chrono::milliseconds;
using testing::answer;
using ::testing::HasSubstr;
using testing::HttpServer;
using testing::say;
using ::testing::SizeIs;

class HttpTest : public ::testing::Test {
 protected:
  Delivery send(const std::string& url, milliseconds timeout = milliseconds(30'000)) {
    HttpPost request;
    request.url = parse_url(url).value();
    request.headers = {{"X-Test", "a value"}};
    request.body = body_;
    request.timeout = timeout;
    return post(request, stop_, [this] { ++readies_; });
  }

  void expect(const Delivery& delivery, Outcome outcome, const std::string& error) {
    EXPECT_EQ(delivery.outcome, outcome) << delivery.error;
    EXPECT_THAT(delivery.error, HasSubstr(error));
    EXPECT_EQ(delivery.error.find('\n'), std::string::npos);
  }

  std::string body_ = R"([{"a": "µ"}])";
  Stop stop_;
  int readies_ = 0;
};

TEST_F(HttpTest, SendsOnePostOfJson) {
  HttpServer server(HttpServer::answers(answer(200)));
  expect(send(server.url() + "/api/v2/alerts?x=1"), Outcome::kTaken, "");
  const auto requests = server.wait_for(1);
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_THAT(requests[0].head, ::testing::StartsWith("POST /api/v2/alerts?x=1 HTTP/1.1\r\n"));
  EXPECT_EQ(requests[0].header("Host"), "127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(requests[0].header("Content-Type"), "application/json");
  EXPECT_EQ(requests[0].header("X-Test"), "a value");
  EXPECT_EQ(requests[0].body, body_);
  EXPECT_EQ(readies_, 1);
}

TEST_F(HttpTest, LooksUpAName) {
  HttpServer server(HttpServer::answers(answer(204)));
  expect(send("http://localhost:" + std::to_string(server.port())), Outcome::kTaken, "");
}

TEST_F(HttpTest, NamesWhatItCannotReach) {
  std::string closed;
  {
    const HttpServer server(HttpServer::never_answers());
    closed = server.url();
  }
  expect(send(closed), Outcome::kNotTaken, "cannot connect: Connection refused");
  expect(send("http://no-such-host.invalid", milliseconds(1000)), Outcome::kNotTaken,
         "no-such-host.invalid: cannot look up");
  EXPECT_EQ(readies_, 0);
}

TEST_F(HttpTest, TellsAnAnswerFromARefusal) {
  HttpServer server(HttpServer::answers(answer(503, "busy\nvery")));
  expect(send(server.url()), Outcome::kNotTaken, "answers 503: busy very");
  server.conduct(HttpServer::answers(answer(400, "bad label")));
  expect(send(server.url()), Outcome::kRefused, "answers 400: bad label");
  server.conduct(HttpServer::answers("HTTP/1.1 100 Continue\r\n\r\n" + answer(202)));
  expect(send(server.url()), Outcome::kTaken, "");
}

TEST_F(HttpTest, FollowsNoRedirect) {
  HttpServer other(HttpServer::answers(answer(200)));
  HttpServer server(HttpServer::answers(answer(307, "", "location: " + other.url() + "/x\r\n")));
  expect(send(server.url()), Outcome::kNotTaken,
         "answers 307 (a redirect to " + other.url() + "/x)");
  EXPECT_THAT(other.requests(), SizeIs(0));
}

TEST_F(HttpTest, GivesUpOnOneThatNeverAnswers) {
  HttpServer server(HttpServer::never_answers());
  expect(send(server.url(), milliseconds(100)), Outcome::kUnknown, "no answer in time");
  EXPECT_EQ(readies_, 1);
}

// Each byte of it comes in time, and the answer does not.
TEST_F(HttpTest, GivesUpOnOneThatDrips) {
  HttpServer server([](HttpServer&, base::UniqueFd fd) {
    while (say(fd.get(), "H")) std::this_thread::sleep_for(milliseconds(20));
  });
  expect(send(server.url(), milliseconds(200)), Outcome::kUnknown, "no answer in time");
}

TEST_F(HttpTest, GivesUpOnOneThatReadsNothing) {
  HttpServer server(HttpServer::never_answers());
  server.read_requests(false);
  body_.assign(std::size_t{8} << 20, ' ');
  expect(send(server.url(), milliseconds(300)), Outcome::kNotTaken,
         "cannot send: no answer in time");
}

TEST_F(HttpTest, ReadsNoAnswerWithoutEnd) {
  HttpServer server([](HttpServer&, base::UniqueFd fd) {
    while (say(fd.get(), std::string(65536, 'x'))) continue;
  });
  expect(send(server.url()), Outcome::kUnknown, "the answer's head has no end");
  server.conduct([](HttpServer&, base::UniqueFd fd) {
    say(fd.get(), "HTTP/1.1 500 Word\r\n\r\n");
    while (say(fd.get(), std::string(65536, 'x'))) continue;
  });
  const auto delivery = send(server.url());
  expect(delivery, Outcome::kNotTaken, "answers 500: xxx");
  EXPECT_LT(delivery.error.size(), 1000u);
}

TEST_F(HttpTest, SurvivesOneThatHangsUp) {
  HttpServer server([](HttpServer&, const base::UniqueFd&) {});
  expect(send(server.url()), Outcome::kUnknown, "closed without an answer");
  server.conduct([](HttpServer& self, base::UniqueFd fd) {  // ends its own half alone
    ::shutdown(fd.get(), SHUT_WR);
    HttpServer::never_answers()(self, std::move(fd));
  });
  expect(send(server.url()), Outcome::kUnknown, "closed without an answer");
  server.read_requests(false);
  server.conduct([](HttpServer&, const base::UniqueFd& fd) {  // with a reset
    char first = 0;
    static_cast<void>(!::read(fd.get(), &first, 1));
    const linger at_once{1, 0};
    ::setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  });
  body_.assign(std::size_t{8} << 20, ' ');
  expect(send(server.url()), Outcome::kNotTaken, "cannot send");
}

TEST_F(HttpTest, HearsARefusalBeforeItHasSentAll) {
  HttpServer server([](HttpServer& self, base::UniqueFd fd) {
    say(fd.get(), answer(413, "too large"));
    ::shutdown(fd.get(), SHUT_WR);
    HttpServer::never_answers()(self, std::move(fd));
  });
  server.read_requests(false);
  body_.assign(std::size_t{8} << 20, ' ');
  expect(send(server.url(), milliseconds(300)), Outcome::kRefused, "answers 413: too large");
}

TEST_F(HttpTest, IsNoClientOfOtherProtocols) {
  HttpServer server(HttpServer::answers("SSH-2.0-OpenSSH_9.2\r\n\r\n"));
  expect(send(server.url()), Outcome::kUnknown, "the answer is not HTTP");
  server.conduct(HttpServer::answers("HTTP/1.1 2x0 OK\r\n\r\n"));
  expect(send(server.url()), Outcome::kUnknown, "the answer is not HTTP");
  server.conduct(HttpServer::answers(answer(200)));
  server.read_requests(false);
  expect(send("https://127.0.0.1:" + std::to_string(server.port())), Outcome::kNotTaken,
         "cannot agree on TLS");
}

TEST_F(HttpTest, StopsWhileNothingIsSent) {
  HttpServer server(HttpServer::answers(answer(200)));
  stop_.ask();
  expect(send(server.url()), Outcome::kNotTaken, "stopping");
}

TEST(DeliveryOf, KnowsWhatMayChange) {
  const auto outcome = [](int status) { return delivery_of(status, "", "").outcome; };
  for (const int status : {200, 201, 204, 299}) EXPECT_EQ(outcome(status), Outcome::kTaken);
  for (const int status : {301, 302, 401, 403, 404, 408, 425, 429, 500, 502, 503, 504, 599}) {
    EXPECT_EQ(outcome(status), Outcome::kNotTaken) << status;
  }
  for (const int status : {400, 410, 413, 415, 422}) EXPECT_EQ(outcome(status), Outcome::kRefused);
}

}  // namespace
}  // namespace reveal::alert

// A host that is asked, and who asks, without a broker.
#include "relay/host_answers.h"

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/testing/fake_requests.h"
#include "relay/asked_host.h"
#include "relay/testing/small_site.h"

namespace reveal::relay {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

class Host {
 public:
  SmallSite site;
  bus::FakeExchange exchange;
  bus::FakeRequester requester{exchange};

  void start() {
    auto started = HostAnswers::start(
        std::make_unique<bus::FakeResponder>(exchange, wire::question_subject(kHost)), site);
    ASSERT_TRUE(started);
    answers = std::move(*started);
  }
  void stop() { answers.reset(); }
  base::Result<HostAnswer> ask(const std::string& target, const std::string& last_event = {}) {
    return ask_host(requester, kHost, {.target = target, .last_event = last_event});
  }

  std::unique_ptr<HostAnswers> answers;
};

http::Response text(std::string body) {
  return {.type = http::kTextType, .body = std::move(body)};
}

TEST(HostAnswers, AreThoseOfItsSiteToAViewer) {
  Host host;
  host.site.at["/api/v1/a b"] = [](const http::Request& request, const http::Asked& asked) {
    EXPECT_EQ(request.method, http::Method::kGet);
    EXPECT_EQ(request.host, "localhost");
    EXPECT_EQ(request.target.parameters.at(0).value, "x y");
    EXPECT_FALSE(asked.caller.over_socket);
    EXPECT_TRUE(asked.caller.is_asked);
    EXPECT_EQ(asked.caller.who.role, access::Role::kViewer);
    return http::later_again(503, "busy");
  };
  host.start();
  const auto answer = host.ask("/api/v1/a%20b?q=x%20y");
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->retry_after_s, 1);
  EXPECT_EQ(answer->type, "application/json");
  EXPECT_EQ(error_text(*answer), "busy");
  EXPECT_EQ(host.ask("/other")->status, 404);
  EXPECT_EQ(host.ask("/%")->status, 400);
  EXPECT_EQ(host.answers->answered(), 3U);
  EXPECT_EQ(host.answers->trouble(), "");
}

TEST(HostAnswers, OfTwoMegabytesAreComplete) {
  Host host;
  std::string body(2'000'000, '\0');
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i * i % 251);
  host.site.at["/large"] = [&](const http::Request&, const http::Asked&) {
    return http::Response{.type = http::kTarType, .body = body};
  };
  host.start();
  const auto answer = host.ask("/large");
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, body);
  EXPECT_EQ(answer->type, "application/x-tar");
}

// What takes long is in nobody's way, and who waits for it is told that it goes on.
TEST(HostAnswers, ThatTakeLongDelayNoOther) {
  Host host;
  std::promise<void> may_end;
  host.site.at["/long"] = [&](const http::Request&, const http::Asked&) {
    return http::Response{.later = [&] {
      may_end.get_future().wait();
      return text("long");
    }};
  };
  host.site.at["/short"] = [](const http::Request&, const http::Asked&) { return text("short"); };
  host.start();
  auto waits = std::async(std::launch::async, [&] {
    return ask_host(host.requester, kHost, {.target = "/long", .last_event = {}},
                    milliseconds(3000));
  });
  EXPECT_EQ(host.ask("/short")->body, "short");
  // Longer than what is waited for without a sign of life.
  std::this_thread::sleep_for(milliseconds(3500));
  EXPECT_EQ(host.ask("/short")->body, "short");
  may_end.set_value();
  const auto answer = waits.get();
  ASSERT_TRUE(answer) << answer.error().message();
  EXPECT_EQ(answer->body, "long");
}

// Who asks too much is told so, and what waits does not grow.
TEST(HostAnswers, AreRefusedIfEnoughWait) {
  Host host;
  host.site.at["/large"] = [&](const http::Request&, const http::Asked&) {
    return text(std::string(1'000'000, 'a'));
  };
  host.start();
  std::vector<std::future<base::Result<HostAnswer>>> all;
  for (int i = 0; i < 12; ++i) {
    all.push_back(std::async(std::launch::async, [&] { return host.ask("/large"); }));
  }
  std::size_t refused = 0;
  for (auto& one : all) {
    const auto answer = one.get();
    ASSERT_TRUE(answer) << answer.error().message();
    if (answer->status == 503) ++refused;
  }
  EXPECT_GE(refused, 1U);
  EXPECT_LE(refused, 4U);
}

TEST(HostAnswers, AStreamIsAskedForPieceByPiece) {
  Host host;
  host.site.at["/stream"] = [](const http::Request& request, const http::Asked&) {
    return http::Response{.type = http::kEventsType, .stream_after = request.last_event_id};
  };
  host.start();
  const auto first = host.ask("/stream");
  EXPECT_EQ(first->type, "text/event-stream");
  EXPECT_THAT(first->body, HasSubstr("\"in_portions\":true"));
  EXPECT_THAT(first->body, Not(HasSubstr("event: window")));
  const auto at = first->body.rfind("id: ") + 4;
  const auto id = first->body.substr(at, first->body.find('\n', at) - at);
  const std::vector<http::Event> events{{.kind = "window", .json = "{\"n\":1}"}};
  host.site.events().tell(events);
  const auto second = host.ask("/stream", id);
  EXPECT_THAT(second->body, HasSubstr("event: window\ndata: {\"n\":1}\n\n"));
  EXPECT_THAT(second->body, Not(HasSubstr("resync")));
  EXPECT_THAT(host.ask("/stream", "other-1")->body, HasSubstr("resync"));
}

TEST(HostAnswers, AHostThatIsAwayIsSaidToBeAtOnce) {
  Host host;
  const auto away = host.ask("/");
  ASSERT_FALSE(away);
  EXPECT_EQ(away.error().kind, base::ErrorKind::kAway);
  EXPECT_THAT(away.error().message(), HasSubstr("the host is not there now"));
  host.start();
  EXPECT_TRUE(host.ask("/"));
  host.stop();
  EXPECT_FALSE(host.ask("/"));
  const auto nobody = ask_host(host.requester, "n017", {.target = "/", .last_event = {}});
  EXPECT_EQ(nobody.error().kind, base::ErrorKind::kUsage);
}

// Replies that no host of this version sends.
TEST(AskedHost, TakesNoAnswerThatIsNotWhole) {
  class Replies : public bus::Requester {
   public:
    std::vector<wire::AnswerPart> parts;
    base::Result<void> ask(const std::string&, base::ByteView, milliseconds,
                           const Taker& take) override {
      for (const auto& part : parts) {
        base::Bytes message;
        wire::put_answer_part(message, part);
        const auto more = take(message);
        if (!more) return base::pass(more);
        if (!*more) return {};
      }
      return base::fail(base::ErrorKind::kAway, "no reply in time");
    }
  } replies;
  const auto ask = [&] { return ask_host(replies, kHost, {.target = "/", .last_event = {}}); };
  const wire::AnswerPart first{.head = wire::AnswerHead{.type = "t", .body_bytes = 3},
                               .bytes = "a"};
  replies.parts = {first};
  EXPECT_EQ(ask().error().kind, base::ErrorKind::kAway);
  replies.parts = {first, {.number = 2, .bytes = "b"}};
  EXPECT_EQ(ask().error().kind, base::ErrorKind::kIo) << "one was lost";
  replies.parts = {{.number = 1, .bytes = "b"}};
  EXPECT_EQ(ask().error().kind, base::ErrorKind::kIo) << "the first was lost";
  replies.parts = {first, {.number = 1, .bytes = "bcd"}};
  EXPECT_EQ(ask().error().kind, base::ErrorKind::kCorrupt) << "more than there is";
  replies.parts = {{.is_being_made = true}, first, {.number = 1, .bytes = "bc"}};
  EXPECT_EQ(ask().value().body, "abc");
}

}  // namespace
}  // namespace reveal::relay

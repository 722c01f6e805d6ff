// Requests and replies with a real broker, which is killed and refuses.
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "bus/inbox.h"
#include "bus/nats_requester.h"
#include "bus/nats_responder.h"
#include "bus/testing/nats_server.h"
#include "wire/question.h"

namespace reveal::bus {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

constexpr milliseconds kWaitsFor{30'000};
constexpr milliseconds kBrief{300};

const std::string kAsked = "abcdefghijklmnopqrstuvwxyz";
const std::string kElse = "zyxwvutsrqponmlkjihgfedcba";

base::Bytes bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

// A host that replies to each request with the same messages, until it is stopped.
class Answering {
 public:
  Answering(const BrokerOptions& options, std::vector<base::Bytes> replies,
            const std::string& host = kAsked)
      : responder_(NatsResponder::make(options, wire::question_subject(host)).value()),
        replies_(std::move(replies)),
        thread_([this] { run(); }) {}
  ~Answering() {
    ends_ = true;
    thread_.join();
  }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;

  std::string trouble() const {
    const std::lock_guard lock(mutex_);
    return trouble_;
  }
  std::vector<base::Bytes> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  void run() {
    while (!ends_) {
      const auto request = responder_->take(milliseconds(20));
      if (request) {
        for (const auto& reply : replies_) (void)responder_->reply(request->reply_to, reply);
      }
      const std::lock_guard lock(mutex_);
      trouble_ = responder_->trouble();
      if (request) asked_.push_back(request->payload);
    }
  }

  std::unique_ptr<NatsResponder> responder_;
  std::vector<base::Bytes> replies_;
  mutable std::mutex mutex_;
  std::string trouble_ = "it has not begun";
  std::vector<base::Bytes> asked_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

// Waits until the host can be asked, and returns what it replied.
base::Result<std::vector<base::Bytes>> replies_of(Requester& requester, std::size_t count,
                                                  const std::string& host = kAsked,
                                                  milliseconds patience = kWaitsFor) {
  std::vector<base::Bytes> out;
  const auto asked = requester.ask(wire::question_subject(host), bytes_of("what"), patience,
                                   [&](base::ByteView reply) -> base::Result<bool> {
                                     out.emplace_back(reply.begin(), reply.end());
                                     return out.size() < count;
                                   });
  if (!asked) return base::pass(asked);
  return out;
}

bool comes_true(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + kWaitsFor;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return true;
}

TEST(NatsRequests, AreAnsweredInParts) {
  const NatsServer server;
  const base::Bytes large(512 * 1024, 7);
  const Answering host(server.options(), {large, bytes_of("b"), large, large});
  ASSERT_TRUE(comes_true([&] { return host.trouble().empty(); })) << host.trouble();
  const auto requester = NatsRequester::make(server.options()).value();
  const auto replies = replies_of(*requester, 4);
  ASSERT_TRUE(replies) << replies.error().message();
  EXPECT_THAT(*replies, ElementsAre(large, bytes_of("b"), large, large));
  EXPECT_TRUE(replies_of(*requester, 1));
  ASSERT_TRUE(comes_true([&] { return host.asked().size() == 2; }));
  EXPECT_EQ(host.asked().front(), bytes_of("what"));
}

TEST(NatsRequests, ToNobodyFailAtOnce) {
  const NatsServer server;
  const auto requester = NatsRequester::make(server.options()).value();
  const auto replies = replies_of(*requester, 1, kAsked, std::chrono::hours(1));
  ASSERT_FALSE(replies);
  EXPECT_EQ(replies.error().kind, base::ErrorKind::kAbsent);
  {
    const Answering host(server.options(), {bytes_of("a")});
    ASSERT_TRUE(comes_true([&] { return host.trouble().empty(); }));
    EXPECT_TRUE(replies_of(*requester, 1));
  }
  EXPECT_EQ(replies_of(*requester, 1).error().kind, base::ErrorKind::kAbsent) << "it is stopped";
}

TEST(NatsRequests, WhoseRepliesDoNotComeFailInTime) {
  const NatsServer server;
  const Answering host(server.options(), {bytes_of("a")});
  ASSERT_TRUE(comes_true([&] { return host.trouble().empty(); }));
  const auto requester = NatsRequester::make(server.options()).value();
  const auto replies = replies_of(*requester, 2, kAsked, kBrief);
  ASSERT_FALSE(replies);
  EXPECT_EQ(replies.error().kind, base::ErrorKind::kAway);
}

TEST(NatsRequests, GoOnAfterTheBrokerWasAway) {
  NatsServer server;
  const Answering host(server.options(), {bytes_of("a")});
  ASSERT_TRUE(comes_true([&] { return host.trouble().empty(); }));
  const auto requester = NatsRequester::make(server.options()).value();
  ASSERT_TRUE(replies_of(*requester, 1));
  server.kill();
  ASSERT_TRUE(comes_true([&] { return !host.trouble().empty(); }));
  EXPECT_EQ(replies_of(*requester, 1).error().kind, base::ErrorKind::kIo);
  server.start();
  ASSERT_TRUE(comes_true([&] { return host.trouble().empty(); })) << host.trouble();
  EXPECT_TRUE(comes_true([&] { return replies_of(*requester, 1).has_value(); }));
}

TEST(NatsRequests, InboxesDiffer) {
  BrokerOptions options;
  EXPECT_NE(new_inbox(options), new_inbox(options));
  EXPECT_THAT(new_inbox(options), testing::StartsWith("_INBOX."));
  options.user = "analyser";
  EXPECT_THAT(new_inbox(options), testing::StartsWith("_INBOX.analyser."));
}

// As docs/how_to/fleet.md has it.
class MayAsk : public testing::Test {
 protected:
  MayAsk() { std::ofstream(folder.path() / "password") << "pass word\n"; }

  static std::string users() {
    std::string out =
        "authorization {users = [{user: analyser, password: \"pass word\", permissions: {"
        "publish: [\"$JS.API.>\", \"$KV.RV_LEASE_e1.>\", \"rv1.rpc.*.get\"], "
        "subscribe: [\"_INBOX.analyser.>\"]}}\n";
    for (const auto& host : {kAsked, kElse}) {
      out += fmt::format(R"({{user: {0}, password: "pass word", permissions: {{)"
                         R"(publish: ["rv1.*.*.{0}"], )"
                         R"(subscribe: ["_INBOX.{0}.>", "rv1.rpc.{0}.>"], )"
                         R"(allow_responses: {{max: 200, expires: "2m"}}}}}})"
                         "\n",
                         host);
    }
    return out + "]}\n";
  }
  BrokerOptions as(const std::string& user) const {
    auto out = server.options();
    out.user = user;
    out.password_file = folder.path() / "password";
    return out;
  }

  NatsServer server{users()};
  base::TempDir folder;
};

TEST_F(MayAsk, TheAnalyserEachHostAndNoHostAnother) {
  const Answering host(as(kAsked), {bytes_of("a"), bytes_of("b")});
  ASSERT_TRUE(comes_true([&] { return host.trouble().empty(); })) << host.trouble();
  const auto analyser = NatsRequester::make(as("analyser")).value();
  const auto replies = replies_of(*analyser, 2);
  ASSERT_TRUE(replies) << replies.error().message();
  EXPECT_THAT(*replies, ElementsAre(bytes_of("a"), bytes_of("b")));
  const auto other = NatsRequester::make(as(kElse)).value();
  const auto refused = replies_of(*other, 1, kAsked, kBrief);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::kPermission) << refused.error().message();
  EXPECT_EQ(host.asked().size(), 1U);
}

TEST_F(MayAsk, NoHostAnswersForAnother) {
  const Answering thief(as(kElse), {bytes_of("a")}, kAsked);
  ASSERT_TRUE(comes_true([&] { return thief.trouble().find("ermissions") != std::string::npos; }))
      << thief.trouble();
  const auto analyser = NatsRequester::make(as("analyser")).value();
  EXPECT_EQ(replies_of(*analyser, 1).error().kind, base::ErrorKind::kAbsent);
}

// A host may not send to whom it was not asked by.
TEST_F(MayAsk, AHostWritesToNoInboxThatDidNotAsk) {
  const auto listening = NatsResponder::make(as("analyser"), "_INBOX.analyser.mine").value();
  ASSERT_TRUE(comes_true([&] {
    (void)listening->take(milliseconds(10));
    return listening->trouble().empty();
  })) << listening->trouble();
  const auto host = NatsResponder::make(as(kAsked), wire::question_subject(kAsked)).value();
  ASSERT_TRUE(comes_true([&] {
    (void)host->take(milliseconds(10));
    return host->trouble().empty();
  }));
  (void)host->reply("_INBOX.analyser.mine", bytes_of("unasked"));
  EXPECT_FALSE(listening->take(milliseconds(1000)));
  EXPECT_EQ(listening->trouble(), "");
}

}  // namespace
}  // namespace reveal::bus

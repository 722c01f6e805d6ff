// Publishers and subscribers with a real broker, which is killed, suspended, and refuses.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/made_certificate.h"
#include "bus/library.h"
#include "bus/nats_publisher.h"
#include "bus/nats_subscriber.h"
#include "bus/streams.h"
#include "bus/testing/nats_server.h"
#include "wire/subject.h"

namespace reveal::bus {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// As long as a test waits for what must come; it fails later than that.
constexpr milliseconds kPatience{60'000};
constexpr milliseconds kLook{50};

const std::string kHost = "abcdefghijklmnopqrstuvwxyz";
const std::string kOther = "zyxwvutsrqponmlkjihgfedcba";

std::string subject(wire::Type type, const std::string& host = kHost) {
  return wire::subject_of({"main", host, type});
}

Outgoing level(int number, const std::string& host = kHost) {
  return {subject(wire::Type::kLevels, host), {static_cast<std::uint8_t>(number)}, {}};
}
Outgoing event(const std::string& key) {
  return {subject(wire::Type::kEvent), Bytes(key.begin(), key.end()), key};
}

bool eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return true;
}

std::unique_ptr<NatsPublisher> publisher(const BrokerOptions& options) {
  auto out = NatsPublisher::start(options);
  EXPECT_TRUE(out);
  return out ? std::move(*out) : nullptr;
}

std::unique_ptr<NatsSubscriber> subscriber(const BrokerOptions& options, const std::string& stream,
                                           const std::string& of) {
  auto out = NatsSubscriber::make(options, {stream_name(stream, 1), of, {}});
  EXPECT_TRUE(out);
  return out ? std::move(*out) : nullptr;
}

std::unique_ptr<NatsSubscriber> events(const BrokerOptions& options) {
  return subscriber(options, "RV_EV", wire::subject_of_all(wire::Type::kEvent));
}
std::unique_ptr<NatsSubscriber> levels(const BrokerOptions& options) {
  return subscriber(options, "RV_LVL", wire::subject_of_all(wire::Type::kLevels));
}

// Takes messages until there are so many, and what comes right after.
std::vector<Incoming> take(Subscriber& from, std::size_t count) {
  std::vector<Incoming> out;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  const auto take_some = [&] {
    auto some = from.take(kLook);
    std::ranges::move(some, std::back_inserter(out));
  };
  while (out.size() < count && std::chrono::steady_clock::now() < end) take_some();
  take_some();
  EXPECT_THAT(out, SizeIs(count)) << from.trouble();
  return out;
}

std::vector<std::string> texts(const std::vector<Incoming>& messages) {
  std::vector<std::string> out;
  out.reserve(messages.size());
  for (const auto& one : messages) out.emplace_back(one.payload.begin(), one.payload.end());
  return out;
}

void expect_all_accounted_for(const Publisher& of) {
  const auto counts = of.counts();
  EXPECT_EQ(counts.taken, counts.acknowledged + counts.lost() + counts.given_back + counts.waiting);
}

class Nats : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(make_streams(server.options(), 1, 1)); }
  NatsServer server;
};

TEST_F(Nats, StreamsCanBeMadeAgain) {
  EXPECT_TRUE(make_streams(server.options(), 1, 1));
  // Of the next epoch are the same subjects, which the broker does not allow twice.
  EXPECT_FALSE(make_streams(server.options(), 2, 1));
}

TEST_F(Nats, EachSubscriberGetsAllInOrder) {
  const auto sender = publisher(server.options());
  const auto first = levels(server.options());
  for (int i = 0; i < 200; ++i) {
    // No faster than the broker takes them.
    ASSERT_TRUE(eventually([&] { return sender->counts().waiting < 32; }));
    sender->publish(level(i));
  }
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_EQ(sender->counts().acknowledged, 200u);
  EXPECT_EQ(sender->trouble(), "");
  const auto late = levels(server.options());
  for (auto* one : {first.get(), late.get()}) {
    const auto got = take(*one, 200);
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].payload.at(0), i);
      EXPECT_EQ(got[i].subject, subject(wire::Type::kLevels));
      // Who comes late is told how many are left.
      if (one == late.get()) {
        EXPECT_EQ(got[i].pending, got.size() - 1 - i);
      }
    }
  }
}

TEST_F(Nats, KeepsOneOfEachKey) {
  const auto sender = publisher(server.options());
  for (const auto* key : {"a", "b", "a", "a"}) sender->publish(event(key));
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_EQ(sender->counts().doubles, 2u);
  EXPECT_THAT(sender->take_outcomes(), SizeIs(4));
  EXPECT_THAT(texts(take(*events(server.options()), 2)), ElementsAreArray({"a", "b"}));
}

Outgoing past(const std::string& to, const std::string& key) {
  return {.subject = to, .payload = {7}, .key = key, .name = {}, .of_the_past = true};
}

std::vector<std::pair<std::string, bool>> outcomes_of(Publisher& of) {
  std::vector<std::pair<std::string, bool>> out;
  for (const auto& one : of.take_outcomes()) out.emplace_back(one.key, one.acknowledged);
  return out;
}

TEST_F(Nats, WhatIsOverHasAStreamOfItsOwnAndIsKeptOnce) {
  const auto sender = publisher(server.options());
  const auto to = wire::subject_of({"main", kHost, wire::Type::kLevels, true});
  for (const auto* key : {"a", "b", "a"}) sender->publish(past(to, key));
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_THAT(outcomes_of(*sender),
              testing::UnorderedElementsAre(std::pair("a", true), std::pair("b", true),
                                            std::pair("a", true)));
  const auto late = subscriber(server.options(), "RV_LATE", wire::subject_of_all_late());
  take(*late, 2);
  EXPECT_THAT(levels(server.options())->take(kLook), IsEmpty());
}

TEST_F(Nats, TellsWhichLevelsItHas) {
  const auto sender = publisher(server.options());
  auto named = level(1);
  named.name = "first";
  sender->publish(std::move(named));
  sender->publish(level(2));
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_THAT(outcomes_of(*sender), testing::ElementsAre(std::pair("first", true)));
}

// As of a fleet whose streams were made before there was one for it.
TEST_F(Nats, WhatIsOverAndHasNoStreamHoldsNobodyUp) {
  const auto sender = publisher(server.options());
  for (int i = 0; i < 20; ++i) {
    sender->publish(past("rv0.none.main." + kHost, std::to_string(i)));
    sender->publish(level(i));
    ASSERT_TRUE(sender->drain(kPatience));
    EXPECT_EQ(sender->trouble(), "");
  }
  EXPECT_EQ(sender->counts().given_back, 20u);
  EXPECT_EQ(sender->counts().acknowledged, 20u);
  for (const auto& [key, acknowledged] : outcomes_of(*sender)) EXPECT_FALSE(acknowledged) << key;
  expect_all_accounted_for(*sender);
}

TEST_F(Nats, AKilledBrokerLosesNoEventAndNobodyGetsOneTwice) {
  const auto sender = publisher(server.options());
  const auto reader = events(server.options());
  std::vector<std::string> sent;
  std::vector<std::string> got;
  const auto send = [&](int count) {
    for (int i = 0; i < count; ++i) {
      sent.push_back("event " + std::to_string(sent.size()));
      ASSERT_TRUE(sender->publish(event(sent.back())));
    }
  };
  for (int round = 0; round < 3; ++round) {
    send(20);
    server.kill();
    send(20);
    ASSERT_TRUE(eventually([&] { return !sender->trouble().empty(); }));
    EXPECT_THAT(reader->take(kLook), SizeIs(testing::Le(20u)));
    server.start();
    ASSERT_TRUE(sender->drain(kPatience)) << sender->trouble();
    EXPECT_EQ(sender->trouble(), "");
  }
  const auto all = texts(take(*events(server.options()), sent.size()));
  EXPECT_THAT(std::set(all.begin(), all.end()),
              ElementsAreArray(std::set(sent.begin(), sent.end())));
  expect_all_accounted_for(*sender);
}

TEST_F(Nats, AReaderGoesOnAfterTheLastThatItGot) {
  const auto sender = publisher(server.options());
  const auto reader = events(server.options());
  std::vector<std::string> got;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 5; ++i) sender->publish(event(std::to_string(5 * round + i)));
    ASSERT_TRUE(sender->drain(kPatience));
    for (const auto& text : texts(take(*reader, 5))) got.push_back(text);
    server.kill();
    EXPECT_THAT(reader->take(kLook), IsEmpty());
    server.start();
  }
  ASSERT_THAT(got, SizeIs(15));
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], std::to_string(i));
}

// A caller that waited for the broker would never get to the end.
// The library of Debian 12 has a race there (Connection::close()).
TEST_F(Nats, AReaderMayEndWhileMessagesCome) {
  constexpr int kMessages = 3'000;
  constexpr int kReaders = 40;
  const auto from = publisher(server.options());
  for (int i = 0; i < kMessages; ++i) {
    const auto key = "finding" + std::to_string(i);
    ASSERT_TRUE(eventually([&] { return from->publish(event(key)); }));
  }
  ASSERT_TRUE(from->drain(kPatience));
  for (int i = 0; i < kReaders; ++i) {
    const auto reader = events(server.options());
    EXPECT_FALSE(reader->take(kPatience).empty());
  }
}

TEST_F(Nats, ASuspendedBrokerHoldsNobodyUp) {
  const auto sender = publisher(server.options());
  sender->publish(level(0));
  ASSERT_TRUE(sender->drain(kPatience));
  server.suspend();
  for (int i = 0; i < 10'000; ++i) EXPECT_TRUE(sender->publish(level(i)));
  EXPECT_TRUE(sender->publish(event("kept")));
  const auto counts = sender->counts();
  // On a slow machine some that were sent are given up as unanswered meanwhile, and others take
  // their place.
  EXPECT_LE(counts.waiting, 2u * 64 + 1);
  EXPECT_GE(counts.lost(), 10'000u - 2 * 64);
  expect_all_accounted_for(*sender);
  ASSERT_TRUE(eventually([&] { return sender->counts().unanswered > 0; }));
  EXPECT_THAT(sender->trouble(), HasSubstr("broker"));
  server.resume();
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_THAT(texts(take(*events(server.options()), 1)), ElementsAreArray({"kept"}));
  expect_all_accounted_for(*sender);
}

TEST(NatsServerAlone, WithoutAStreamIsToldAndOnceThereIsOneTheEventComes) {
  NatsServer server;
  const auto sender = publisher(server.options());
  sender->publish(event("a"));
  ASSERT_TRUE(eventually([&] {
    return sender->trouble() == "the broker has no stream for these messages";
  })) << sender->trouble();
  const auto reader = events(server.options());
  EXPECT_THAT(reader->take(kLook), IsEmpty());
  EXPECT_NE(reader->trouble(), "");
  ASSERT_TRUE(make_streams(server.options(), 1, 1));
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_THAT(take(*reader, 1), SizeIs(1));
}

TEST(NatsServerAlone, ThatIsNotThereComesLater) {
  NatsServer server;
  ASSERT_TRUE(make_streams(server.options(), 1, 1));
  server.kill();
  const auto sender = publisher(server.options());
  sender->publish(event("a"));
  ASSERT_TRUE(
      eventually([&] { return sender->trouble().find("no connection") != std::string::npos; }));
  server.start();
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_THAT(take(*events(server.options()), 1), SizeIs(1));
}

// Users as docs say: a host may publish under its own id and read its own answers, no more.
class Allowed : public testing::Test {
 protected:
  Allowed() { std::ofstream(folder.path() / "password") << "pass word\n"; }
  void SetUp() override { ASSERT_TRUE(make_streams(as("analyser"), 1, 1)); }

  static std::string users() {
    std::string out = "authorization {users = [{user: analyser, password: \"pass word\"}\n";
    for (const auto& host : {kHost, kOther}) {
      out += fmt::format(R"({{user: {0}, password: "pass word", permissions: {{)"
                         R"(publish: ["rv1.*.*.{0}"], subscribe: ["_INBOX.{0}.>"]}}}})"
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

TEST_F(Allowed, AHostPublishesUnderItsOwnIdAlone) {
  const auto sender = publisher(as(kHost));
  sender->publish(level(1));
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_EQ(sender->counts().acknowledged, 1u);
  sender->publish(level(2, kOther));
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_EQ(sender->counts().acknowledged, 1u);
  EXPECT_EQ(sender->counts().unanswered, 1u);
  EXPECT_THAT(sender->trouble(), HasSubstr("let it publish \"rv1.*.*." + kOther + "\""));
  // The other host can, so that it is not the subject that is wrong.
  const auto other = publisher(as(kOther));
  other->publish(level(3, kOther));
  ASSERT_TRUE(other->drain(kPatience));
  const auto got = take(*levels(as("analyser")), 2);
  ASSERT_THAT(got, SizeIs(2));
  EXPECT_EQ(got[0].payload.at(0), 1);
  EXPECT_EQ(got[1].payload.at(0), 3);
}

TEST_F(Allowed, AHostReadsNothingAndMakesNoStreams) {
  const auto sender = publisher(as(kOther));
  sender->publish(level(3, kOther));
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_FALSE(make_streams(as(kHost), 1, 1));
  const auto reader = levels(as(kHost));
  for (int i = 0; i < 3; ++i) EXPECT_THAT(reader->take(milliseconds(200)), IsEmpty());
  EXPECT_NE(reader->trouble(), "");
}

TEST_F(Allowed, WhoIsNotKnownIsRefused) {
  std::ofstream(folder.path() / "password") << "another\n";
  const auto opened = Connection::open(as(kHost));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kPermission);
  auto nobody = as(kHost);
  nobody.password_file = folder.path() / "none";
  EXPECT_FALSE(Connection::open(nobody));
}

class Encrypted : public testing::Test {
 protected:
  Encrypted()
      : key(base::made_key()),
        certificate(base::made_certificate(key.get(), "DNS:broker.example,IP:127.0.0.1")) {
    std::ofstream(folder.path() / "certificate") << base::pem_of(certificate.get());
    std::ofstream(folder.path() / "key") << base::pem_of(key.get());
    const auto other = base::made_key();
    std::ofstream(folder.path() / "other")
        << base::pem_of(base::made_certificate(other.get(), "IP:127.0.0.1").get());
    server = std::make_unique<NatsServer>("tls {cert_file: \"" + file("certificate") +
                                          "\", key_file: \"" + file("key") + "\"}\n");
  }
  std::string file(const char* name) const { return folder.path() / name; }

  base::TempDir folder;
  base::Key key;
  base::Certificate certificate;
  std::unique_ptr<NatsServer> server;
};

TEST_F(Encrypted, PublishesToABrokerWhoseCertificateIsTrusted) {
  auto options = server->options("tls");
  options.ca_file = file("certificate");
  options.server_name = "broker.example";
  ASSERT_TRUE(make_streams(options, 1, 1));
  const auto sender = publisher(options);
  sender->publish(level(1));
  ASSERT_TRUE(sender->drain(kPatience));
  EXPECT_THAT(take(*levels(options), 1), SizeIs(1));
}

TEST_F(Encrypted, NoOtherBrokerIsTrusted) {
  auto options = server->options("tls");
  EXPECT_FALSE(Connection::open(options));
  options.ca_file = file("other");
  EXPECT_FALSE(Connection::open(options));
  options.ca_file = file("certificate");
  EXPECT_TRUE(Connection::open(options));
  options.server_name = "another.example";
  EXPECT_FALSE(Connection::open(options));
  options.ca_file = file("none");
  EXPECT_FALSE(Connection::open(options));
}

TEST(NatsLibrary, ThatIsNotThereIsSaidWithTheCommandThatInstallsIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto load = [] {
    ::setenv("REVEAL_NATS_LIB", "/nowhere/libnats.so", 1);
    const auto loaded = load_nats();
    const bool told = !loaded && loaded.error().kind == base::ErrorKind::kAbsent &&
                      loaded.error().message().find("apt-get install libnats") != std::string::npos;
    std::exit(told ? 0 : 1);
  };
  EXPECT_EXIT(load(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace reveal::bus

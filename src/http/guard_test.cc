#include "http/guard.h"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"

namespace reveal::http {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// "U*U" of Openwall's crypt_blowfish, wrapper.c; the SHA-256 of "abc" of FIPS 180-2.
constexpr const char* kUsers =
    "ann:$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW:operator\n";
constexpr const char* kTokens =
    "prometheus:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n";
constexpr const char* kRight = "Basic YW5uOlUqVQ==";    // ann:U*U
constexpr const char* kWrong = "Basic YW5uOlUqVSo=";    // ann:U*U*
constexpr const char* kAnother = "Basic YW5uOlUqVSoq";  // ann:U*U**

class GuardTest : public ::testing::Test {
 protected:
  // A guard before answers that say who asked.
  GuardTest()
      : guard_(
            access::Gate::open(
                {.users = write("users", kUsers), .tokens = write("tokens", kTokens)})
                .value(),
            [](const Request& request) { return request.target.path == "/-/ready"; },
            [this](const Request& request, const Caller& caller) {
              if (request.target.path == "/broken") throw std::runtime_error("no memory");
              ++answered_;
              return Response{.body = "for " + caller.who.name};
            },
            [this] { ++over_; }) {}

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    auto out = folder_.path() / name;
    EXPECT_TRUE(base::write_new_file(out, text));
    std::filesystem::permissions(out, std::filesystem::perms::owner_read);
    return out;
  }

  Response ask(const std::string& authorization, const std::string& path = "/metrics") {
    Request request{.method = Method::kGet, .authorization = authorization};
    request.target.path = path;
    return guard_.respond(request, {.is_asked = true});
  }

  // Returns what the request that came last is answered with after its check.
  Response checked() {
    Response out;
    const int before = over_;
    EXPECT_TRUE(guard_.must_check());
    EXPECT_TRUE(guard_.begin_check([&](const Response& response) { out = response; }));
    EXPECT_FALSE(guard_.must_check());
    while (over_ == before) std::this_thread::yield();
    const auto then = guard_.take();
    EXPECT_TRUE(then);
    if (then) then();
    EXPECT_FALSE(guard_.take());
    return out;
  }

  base::TempDir folder_;
  int answered_ = 0;
  std::atomic<int> over_ = 0;
  Guard guard_;
};

TEST_F(GuardTest, LetsThroughWhoeverNeedsNotBeKnown) {
  const Request request{.method = Method::kGet};
  EXPECT_EQ(guard_.respond(request, {.over_socket = true}).body, "for ");
  EXPECT_EQ(ask("", "/-/ready").body, "for ");
  EXPECT_EQ(ask("Bearer abc").body, "for prometheus");
  EXPECT_FALSE(guard_.must_check());
}

TEST_F(GuardTest, RefusesWhoShowsNothingThatIsRight) {
  for (const auto* authorization : {"", "Bearer abd", "Digest x"}) {
    const auto refusal = ask(authorization);
    EXPECT_EQ(refusal.status, 401) << authorization;
    EXPECT_THAT(refusal.challenge, StartsWith("Basic realm=")) << authorization;
    EXPECT_FALSE(guard_.must_check()) << authorization;
  }
  EXPECT_EQ(answered_, 0);
}

TEST_F(GuardTest, APasswordIsCheckedBeforeTheAnswer) {
  EXPECT_TRUE(ask(kRight).is_pending);
  EXPECT_EQ(answered_, 0);
  EXPECT_EQ(checked().body, "for ann");
  EXPECT_EQ(ask(kRight).body, "for ann") << "at once, because it is remembered";
  EXPECT_TRUE(ask(kWrong).is_pending);
  EXPECT_EQ(checked().status, 401);
  EXPECT_EQ(answered_, 2);
}

TEST_F(GuardTest, TheNextRequestIsNotTakenForTheOneThatIsChecked) {
  EXPECT_TRUE(ask(kRight).is_pending);
  EXPECT_EQ(ask("").status, 401);
  EXPECT_FALSE(guard_.must_check());
}

TEST_F(GuardTest, AnAnswerThatFailsAfterTheCheckIsAnError) {
  EXPECT_TRUE(ask(kRight, "/broken").is_pending);
  const auto failure = checked();
  EXPECT_EQ(failure.status, 500);
  EXPECT_THAT(failure.body, HasSubstr("no memory"));
}

TEST_F(GuardTest, FewPasswordsMayWait) {
  const auto ignored = [](const Response&) {};
  for (std::size_t i = 0; i < Guard::kMostPasswords; ++i) {
    ASSERT_TRUE(ask(kWrong).is_pending);
    EXPECT_TRUE(guard_.begin_check(ignored)) << i;
  }
  ASSERT_TRUE(ask(kAnother).is_pending);
  EXPECT_FALSE(guard_.begin_check(ignored)) << "none was taken";
  EXPECT_FALSE(guard_.must_check());
}

TEST_F(GuardTest, WhoGuessesHasToWait) {
  int pending = 0;
  Response last{.is_pending = true};
  while (last.is_pending && pending < 1000) {
    last = ask(kWrong);
    pending += last.is_pending ? 1 : 0;
  }
  EXPECT_EQ(last.status, 429);
  EXPECT_EQ(last.retry_after_s, 1);
  EXPECT_GE(pending, static_cast<int>(access::Gate::kWrongAtOnce));
}

}  // namespace
}  // namespace reveal::http

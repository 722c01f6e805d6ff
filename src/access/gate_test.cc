#include "access/gate.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"
#include "base/thread.h"

namespace reveal::access {
namespace {

using ::testing::HasSubstr;
using Kind = Decision::Kind;

// "U*U" of Openwall's crypt_blowfish, wrapper.c; the SHA-256 of "abc" of FIPS 180-2.
constexpr const char* kHash = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
constexpr const char* kDigest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kUserHeader = "Basic YW5uOlUqVQ==";     // ann:U*U
constexpr const char* kWrongHeader = "Basic YW5uOlUqVSo=";    // ann:U*U*
constexpr const char* kUnknownHeader = "Basic Ym9iOlUqVQ==";  // bob:U*U

class GateTest : public ::testing::Test {
 protected:
  void SetUp() override {
    write(users_, std::string("ann:") + kHash + ":operator\n");
    write(tokens_, std::string("prometheus:") + kDigest + "\n");
    auto gate = Gate::open({.users = users_, .tokens = tokens_});
    ASSERT_TRUE(gate) << gate.error().message();
    gate_ = std::move(*gate);
  }

  static void write(const std::filesystem::path& file, const std::string& text) {
    ASSERT_TRUE(base::write_new_file(file, text));
    std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  }
  // Returns the outcome of the check that a header needs.
  std::optional<Who> checked(const char* header) {
    const auto decision = gate_->decide(header, now_ns_);
    EXPECT_EQ(decision.kind, Kind::kMustCheck);
    return gate_->check(decision.password);
  }
  Kind kind_of(const char* header) { return gate_->decide(header, now_ns_).kind; }

  base::TempDir folder_;
  std::filesystem::path users_ = folder_.path() / "users";
  std::filesystem::path tokens_ = folder_.path() / "tokens";
  std::unique_ptr<Gate> gate_;
  std::int64_t now_ns_ = 1'000'000'000'000;
};

TEST_F(GateTest, KnowsATokenAtOnce) {
  const auto decision = gate_->decide("Bearer abc", now_ns_);
  EXPECT_EQ(decision.kind, Kind::kKnown);
  EXPECT_EQ(decision.who.name, "prometheus");
  EXPECT_EQ(decision.who.role, Role::kViewer);
  EXPECT_EQ(kind_of("Bearer abd"), Kind::kRefused);
  EXPECT_EQ(kind_of("Bearer "), Kind::kRefused);
  EXPECT_EQ(kind_of(""), Kind::kRefused);
}

TEST_F(GateTest, ChecksAPasswordOnce) {
  const auto who = checked(kUserHeader);
  ASSERT_TRUE(who);
  EXPECT_EQ(who->name, "ann");
  EXPECT_EQ(who->role, Role::kOperator);
  const auto again = gate_->decide(kUserHeader, now_ns_);
  EXPECT_EQ(again.kind, Kind::kKnown);
  EXPECT_EQ(again.who.role, Role::kOperator);
}

TEST_F(GateTest, RefusesWrongPasswordsAndUnknownNames) {
  EXPECT_FALSE(checked(kWrongHeader));
  EXPECT_FALSE(checked(kUnknownHeader));
  EXPECT_EQ(kind_of(kWrongHeader), Kind::kMustCheck) << "a wrong one is not remembered";
}

TEST_F(GateTest, BoundsWrongPasswordsButNotThoseItKnows) {
  ASSERT_TRUE(checked(kUserHeader));
  for (int i = 0; i < Gate::kWrongAtOnce; ++i) EXPECT_FALSE(checked(kWrongHeader));
  EXPECT_EQ(kind_of(kWrongHeader), Kind::kTooMany);
  EXPECT_EQ(kind_of(kUserHeader), Kind::kKnown);
  EXPECT_EQ(kind_of("Bearer abc"), Kind::kKnown);
  now_ns_ += Gate::kBetweenWrong_ns;
  EXPECT_FALSE(checked(kWrongHeader));
}

TEST_F(GateTest, BoundsPasswordsThatAreCheckedAtTheSameTime) {
  for (int i = 0; i < Gate::kWrongAtOnce; ++i) EXPECT_EQ(kind_of(kWrongHeader), Kind::kMustCheck);
  EXPECT_EQ(kind_of(kWrongHeader), Kind::kTooMany);
  EXPECT_TRUE(gate_->check({.name = "ann", .secret = "U*U"}));
  EXPECT_EQ(kind_of(kWrongHeader), Kind::kMustCheck) << "one was right";
  EXPECT_EQ(kind_of(kWrongHeader), Kind::kTooMany);
}

TEST_F(GateTest, ReadsFilesThatChange) {
  ASSERT_TRUE(checked(kUserHeader));
  EXPECT_FALSE(gate_->refresh().value());
  write(users_, std::string("bob:") + kHash + "\n");
  EXPECT_FALSE(gate_->refresh().value()) << "the writer may not be done";
  EXPECT_TRUE(gate_->refresh().value());
  EXPECT_FALSE(checked(kUserHeader));
  EXPECT_TRUE(checked(kUnknownHeader));
}

TEST_F(GateTest, KeepsTheOldFilesIfTheNewOnesAreWrong) {
  write(users_, "ann:secret\n");
  EXPECT_FALSE(gate_->refresh().value());
  const auto failed = gate_->refresh();
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message(), HasSubstr("line 1"));
  EXPECT_FALSE(gate_->refresh().value()) << "told once";
  EXPECT_TRUE(checked(kUserHeader));
}

TEST_F(GateTest, AsksForWhatThereIs) {
  EXPECT_THAT(gate_->challenge(), HasSubstr("Basic realm="));
  const auto tokens = Gate::open({.tokens = tokens_});
  ASSERT_TRUE(tokens);
  EXPECT_THAT((*tokens)->challenge(), HasSubstr("Bearer realm="));
  EXPECT_EQ((*tokens)->decide(kUserHeader, now_ns_).kind, Kind::kRefused);
  EXPECT_FALSE((*tokens)->check({.name = "ann", .secret = "U*U"}));
}

// As in the agent: one thread decides, one checks passwords, and one reads the files anew.
TEST_F(GateTest, ThreadsFindWholeListsWhileTheyAreReadAnew) {
  std::atomic<bool> is_over = false;
  std::atomic<int> decided = 0;
  std::atomic<int> wrong = 0;
  auto decides = base::start_thread("what decides", [&] {
    while (!is_over) {
      const auto decision = gate_->decide("Bearer abc", now_ns_);
      const bool is_right = decision.kind == Kind::kKnown && decision.who.name == "prometheus";
      wrong += is_right && !gate_->challenge().empty() ? 0 : 1;
      ++decided;
    }
  });
  auto checks = base::start_thread("what checks", [&] {
    while (!is_over) {
      const auto decision = gate_->decide(kUserHeader, now_ns_);
      auto who = std::optional<Who>(decision.who);
      if (decision.kind == Kind::kMustCheck) who = gate_->check(decision.password);
      wrong += who && who->name == "ann" ? 0 : 1;
    }
  });
  ASSERT_TRUE(decides && checks);
  const std::string token = std::string("prometheus:") + kDigest + "\n";
  for (int round = 0; round < 20; ++round) {
    const bool is_even = round % 2 == 0;
    write(tokens_, is_even ? token + "grafana:" + std::string(64, 'a') + "\n" : token);
    write(users_, std::string("ann:") + kHash + (is_even ? ":viewer\n" : ":operator\n"));
    EXPECT_FALSE(gate_->refresh().value());
    EXPECT_TRUE(gate_->refresh().value());
  }
  while (decided == 0) std::this_thread::yield();
  is_over = true;
  decides->join();
  checks->join();
  EXPECT_EQ(wrong, 0);
  const auto last = gate_->decide(kUserHeader, now_ns_);
  const auto who = last.kind == Kind::kKnown ? last.who : gate_->check(last.password).value();
  EXPECT_EQ(who.role, Role::kOperator) << "as the files that were read last have it";
}

TEST_F(GateTest, OpensOnlyWithSoundFiles) {
  write(tokens_, "prometheus\n");
  const auto gate = Gate::open({.users = users_, .tokens = tokens_});
  ASSERT_FALSE(gate);
  EXPECT_THAT(gate.error().message(), HasSubstr(tokens_.string() + ", line 1"));
}

}  // namespace
}  // namespace reveal::access

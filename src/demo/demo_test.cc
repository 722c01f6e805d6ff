#include "demo/demo.h"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/temp_dir.h"
#include "base/unique_fd.h"
#include "demo/job.h"
#include "demo/lossy_network.h"
#include "demo/process.h"

namespace reveal::demo {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;

report::SavedFinding finding(std::int64_t begin_s, std::int64_t end_s, std::string claim) {
  report::SavedFinding out;
  out.claim = std::move(claim);
  out.begin_ns = begin_s * kSecond;
  out.end_ns = end_s * kSecond;
  return out;
}

Done disturbed(std::int64_t begin_s, std::int64_t end_s) {
  return {.status = 0, .disturbed = true, .begin_ns = begin_s * kSecond, .end_ns = end_s * kSecond};
}

// Runs `body` in a process of its own, which may change what it is; returns what that returns.
template <typename Body>
int apart(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(HeldAgainst, TellsTheFindingThatSharesMostTimeWithTheDisturbance) {
  report::SavedReport report;
  report.findings = {finding(10, 21, "Something before."), finding(21, 28, "Tasks waited.")};
  bool found = false;
  const auto told = held_against(report, *find_disturbance("cpu"), disturbed(20, 28), found);
  EXPECT_TRUE(found);
  EXPECT_NE(told.find("finding 2"), std::string::npos) << told;
  EXPECT_NE(told.find("Tasks waited"), std::string::npos) << told;
  EXPECT_NE(told.find("1.0 s late"), std::string::npos) << told;
  EXPECT_NE(told.find("0.0 s"), std::string::npos) << told;
  EXPECT_NE(told.find("00:00:20.0 to 00:00:28.0 UTC"), std::string::npos) << told;
}

TEST(HeldAgainst, AFindingAtAnotherTimeIsNone) {
  report::SavedReport report;
  bool found = true;
  held_against(report, disturbances().front(), disturbed(20, 28), found);
  EXPECT_FALSE(found);
  report.findings = {finding(2, 20, "Before."), finding(28, 40, "After.")};
  found = true;
  const auto told = held_against(report, disturbances().front(), disturbed(20, 28), found);
  EXPECT_FALSE(found);
  EXPECT_NE(told.find("did not find"), std::string::npos) << told;
}

TEST(Disturbances, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const auto& row : disturbances()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(find_disturbance(row.name), &row);
    EXPECT_EQ(row.name, model::to_string(row.subsystem));
  }
  EXPECT_EQ(find_disturbance("nothing"), nullptr);
}

// Each disturbs for about as long as it should, and leaves no file.
TEST(Disturbances, EndAndLeaveNothing) {
  const base::TempDir folder;
  for (const auto& row : disturbances()) {
    const int status = apart([&] {
      fs::current_path(folder.path());
      Prepared prepared;
      if (row.prepare != nullptr) {
        auto made = row.prepare();
        if (!made) return 77;
        prepared = std::move(*made);
      }
      const auto begin = std::chrono::steady_clock::now();
      if (!row.disturb(prepared, std::chrono::milliseconds(300))) return 1;
      return std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(300) ? 0 : 2;
    });
    EXPECT_TRUE(status == 0 || (status == 77 && row.prepare != nullptr)) << row.name << status;
    EXPECT_TRUE(fs::is_empty(folder.path())) << row.name;
  }
}

TEST(Job, BothRanksEndAndLeaveNothing) {
  const base::TempDir folder;
  EXPECT_EQ(apart([&] {
              fs::current_path(folder.path());
              return run_job(std::chrono::seconds(1)) ? 0 : 1;
            }),
            0);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

// Sends `count` datagrams to itself one by one; returns how many arrived.
int arrived(int count) {
  const base::UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket.get(), any, size) != 0 || ::getsockname(socket.get(), any, &size) != 0) {
    return -1;
  }
  int out = 0;
  char byte = 0;
  for (int i = 0; i < count; ++i) {
    ::sendto(socket.get(), &byte, 1, 0, any, size);
    for (int wait = 0; wait < 20; ++wait) {
      if (::recv(socket.get(), &byte, 1, 0) == 1) {
        ++out;
        break;
      }
      ::usleep(50);
    }
  }
  return out;
}

TEST(LossyNetwork, LosesTheShareThatItShould) {
  const int status = apart([] {
    if (!enter_own_network()) return 77;
    if (const auto lossy = lose_packets(0.5); !lossy) {
      return lossy.error().kind == base::ErrorKind::kAbsent ? 77 : 1;
    }
    const int some = arrived(200);  // 100, with a deviation of 7
    if (some < 60 || some > 140) return 2;
    if (!lose_packets(0)) return 3;
    return arrived(200) == 200 ? 0 : 4;
  });
  if (status == 77) GTEST_SKIP() << "no network namespace, or no netem, for this user";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace reveal::demo

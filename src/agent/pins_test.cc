#include "agent/pins.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include <gmock/gmock.h>

#include "agent/testing/made_recording.h"
#include "base/temp_dir.h"
#include "base/thread.h"

namespace reveal::agent {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kLong_ns = 900 * kSecond_ns;
constexpr std::int64_t kEnd_ns = 1'700'000'060 * kSecond_ns;  // of what is recorded

struct PinsTest : testing::Test {
  base::TempDir dir;
  std::filesystem::path recording = dir.path() / "recording";
  std::filesystem::path folder = dir.path() / "pins";
  KeptSpace space{{dir.path()}, {}};

  void SetUp() override { record(recording, 60); }
  static Pins::Line next_line(Pins& pins) {
    for (;;) {
      auto lines = pins.take_lines();
      if (!lines.empty()) return lines.front();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

TEST_F(PinsTest, AStretchIsNamedByItsEndAndOneMoreMayFollow) {
  Pins pins(recording, folder, space);
  const auto first = pins.begin(10 * kSecond_ns, kEnd_ns);
  ASSERT_TRUE(first);
  EXPECT_EQ(*first, folder / "20231114T221420.000Z");
  const auto line = next_line(pins);
  EXPECT_FALSE(line.failed);
  EXPECT_THAT(line.text, HasSubstr("kept 100 frames in " + first->string()));
  EXPECT_TRUE(std::filesystem::is_directory(*first));
  ASSERT_TRUE(pins.begin(kLong_ns, kEnd_ns + kSecond_ns));
  EXPECT_THAT(next_line(pins).text, HasSubstr("kept 600 frames"));
}

TEST_F(PinsTest, NothingIsKeptThatWouldFillTheDisk) {
  KeptSpace full{{dir.path()}, {.min_free_bytes = std::uint64_t{1} << 62}};
  Pins pins(recording, folder, full);
  const auto refused = pins.begin(kLong_ns, kEnd_ns);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::kNoSpace);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(PinsTest, NothingIsKeptForWhichItsShareHasNoRoom) {
  KeptSpace small{{dir.path()}, {.most_bytes = std::uint64_t{2} << 20}};
  Pins pins(recording, folder, small);
  const auto refused = pins.begin(kLong_ns, kEnd_ns);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::kNoSpace);
  EXPECT_THAT(refused.error().message(), HasSubstr("set record.max_size higher"));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(PinsTest, TheShareHasItsRoomAgainOnceAStretchIsCopied) {
  KeptSpace small{{dir.path()}, {.most_bytes = std::uint64_t{4} << 20}};
  Pins pins(recording, folder, small);
  for (int i = 0; i < 3; ++i) {
    const auto begun = pins.begin(kLong_ns, kEnd_ns + i * kSecond_ns);
    ASSERT_TRUE(begun) << begun.error().message();
    EXPECT_FALSE(next_line(pins).failed);
  }
}

TEST_F(PinsTest, WhatFailsIsSaid) {
  Pins pins(dir.path() / "none", folder, space);
  ASSERT_TRUE(pins.begin(kLong_ns, kEnd_ns));
  const auto line = next_line(pins);
  EXPECT_TRUE(line.failed);
  EXPECT_THAT(line.text, HasSubstr("nothing is kept"));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(PinsTest, WhatAKilledAgentLeftIsRemoved) {
  std::filesystem::create_directories(folder / "20231114T221420.000Z.part");
  std::filesystem::create_directories(folder / "20231114T221421.000Z");
  const Pins pins(recording, folder, space);
  EXPECT_FALSE(std::filesystem::exists(folder / "20231114T221420.000Z.part"));
  EXPECT_TRUE(std::filesystem::exists(folder / "20231114T221421.000Z"));
}

// A request over HTTP and a signal may ask at once, while a stretch is copied.
TEST_F(PinsTest, WhatSeveralThreadsBeginIsToldOnceEach) {
  Pins pins(dir.path() / "none", folder, space);
  std::atomic<int> begun = 0;
  std::atomic<int> asking = 2;
  const auto asks = [&](std::int64_t first_ns) {
    for (int i = 0; i < 100; ++i) {
      const auto started = pins.begin(kLong_ns, first_ns + i * kSecond_ns);
      if (started) {
        ++begun;
      } else {
        EXPECT_EQ(started.error().kind, base::ErrorKind::kBusy);
      }
      std::this_thread::yield();
    }
    --asking;
  };
  auto one = base::start_thread("one that asks", [&] { asks(kEnd_ns); });
  auto other = base::start_thread("another", [&] { asks(kEnd_ns + 1000 * kSecond_ns); });
  ASSERT_TRUE(one && other);
  int told = 0;
  while (asking > 0 || told < begun) {
    for (const auto& line : pins.take_lines()) told += line.failed ? 1 : 0;
    std::this_thread::yield();
  }
  one->join();
  other->join();
  EXPECT_GE(begun, 1);
  EXPECT_EQ(told, begun);
  EXPECT_TRUE(pins.take_lines().empty());
  ASSERT_TRUE(pins.begin(kLong_ns, kEnd_ns)) << "none is left that is said to be copied";
}

}  // namespace
}  // namespace reveal::agent

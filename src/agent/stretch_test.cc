#include "agent/stretch.h"

#include <fstream>

#include <gmock/gmock.h>

#include "agent/testing/made_recording.h"
#include "base/temp_dir.h"
#include "store/segment_reader.h"

namespace reveal::agent {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kBegin_ns = 1'700'000'000 * kSecond_ns;  // of a synthetic host

struct StretchTest : testing::Test {
  base::TempDir dir;
  std::filesystem::path recording = dir.path() / "recording";
  std::filesystem::path kept = dir.path() / "kept";
  std::filesystem::path part = dir.path() / "kept.part";

  void SetUp() override { record(recording, 60); }
  static Stretch between(std::int64_t from_s, std::int64_t to_s) {
    return {.from_ns = kBegin_ns + from_s * kSecond_ns, .to_ns = kBegin_ns + to_s * kSecond_ns};
  }
  static std::size_t frames_in(const std::filesystem::path& folder) {
    auto reader = store::SegmentReader::open(folder);
    if (!reader) return 0;
    for (std::size_t frames = 0;; ++frames) {
      const auto frame = reader->next();
      if (!frame || *frame == nullptr) return frames;
    }
  }
};

TEST_F(StretchTest, IsARecordingOfItsOwn) {
  EXPECT_EQ(keep_stretch(recording, kept, between(10, 20)), 100U);
  std::filesystem::remove_all(recording);
  EXPECT_EQ(frames_in(kept), 100U);
  EXPECT_FALSE(std::filesystem::exists(part));
}

TEST_F(StretchTest, IsAllThatThereIsIfThatIsLess) {
  EXPECT_EQ(keep_stretch(recording, kept, between(-1000, 30)), 300U);
}

TEST_F(StretchTest, WithoutAFrameIsAnErrorAndNoFolder) {
  EXPECT_EQ(keep_stretch(recording, kept, between(1000, 2000)).error().kind,
            base::ErrorKind::kTooLittle);
  EXPECT_FALSE(std::filesystem::exists(kept));
  EXPECT_FALSE(std::filesystem::exists(part));
}

TEST_F(StretchTest, OnADiskThatIsFullIsAnErrorAndNoFolder) {
  auto stretch = between(0, 60);
  stretch.min_free_bytes = std::uint64_t{1} << 62;
  EXPECT_EQ(keep_stretch(recording, kept, stretch).error().kind, base::ErrorKind::kNoSpace);
  EXPECT_FALSE(std::filesystem::exists(kept));
  EXPECT_FALSE(std::filesystem::exists(part));
}

TEST_F(StretchTest, IsGivenUpIfItShallStop) {
  const std::atomic<bool> stop = true;
  EXPECT_EQ(keep_stretch(recording, kept, between(0, 60), &stop).error().kind,
            base::ErrorKind::kBusy);
  EXPECT_FALSE(std::filesystem::exists(kept));
}

TEST_F(StretchTest, WhatAKilledAgentLeftIsReplaced) {
  std::filesystem::create_directory(part);
  std::ofstream(part / "000001.rvs") << "half of it";
  EXPECT_EQ(keep_stretch(recording, kept, between(0, 10)), 100U);
  EXPECT_FALSE(std::filesystem::exists(part));
}

TEST_F(StretchTest, ItsBytesAreThoseOfFilesWrittenSince) {
  std::uint64_t all = 0;
  for (const auto& file : std::filesystem::directory_iterator(recording)) all += file.file_size();
  EXPECT_EQ(bytes_since(recording, 0), all);
  EXPECT_EQ(bytes_since(recording, 4'000'000'000 * kSecond_ns), 0U);
  EXPECT_EQ(bytes_since(dir.path() / "none", 0), 0U);
}

}  // namespace
}  // namespace reveal::agent

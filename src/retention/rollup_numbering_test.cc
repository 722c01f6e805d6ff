// Recordings that number channels anew, and their rollups.
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "retention/testing/downsampled.h"
#include "store/recording_dir.h"
#include "store/segment_reader.h"

namespace reveal::retention {
namespace {

namespace fs = std::filesystem;
using base::TempDir;

constexpr auto kSecond = Recorder::kSecond;
constexpr std::int64_t kNever = 1'000'000 * kSecond;

// Numbers of channels change within the old time, and between two runs; names are what counts.
TEST(RollupNumbering, ChannelsThatWereNumberedAnewAreTheSameInRollupsAndEvidence) {
  const TempDir plain;
  const TempDir anew;
  const RetentionAges ages{70 * kSecond, kNever, kNever};
  const auto evidence = around({{60, 61}, {200, 201}});
  Recorder as_ever(plain.path());
  Recorder numbers(anew.path());
  for (int i = 0; i < 3; ++i) {
    as_ever.ticks(550).ticks(550);
    numbers.ticks(550).number_anew().ticks(550);
    downsample_at(plain.path(), as_ever.now(), ages, evidence);
    downsample_at(anew.path(), numbers.now(), ages, evidence);
  }
  as_ever.finish();
  numbers.finish();
  for (const char* part : {"", "1s", "evidence"}) {
    EXPECT_GT(values_by_name(anew.path() / part).size(), 50u) << part;
  }
  auto got = values_by_name(anew.path() / "1s");
  auto want = values_by_name(plain.path() / "1s");
  const auto both = std::min(got.size(), want.size());  // their segments end at other ticks
  got.resize(both);
  want.resize(both);
  EXPECT_GT(both, 200u);
  EXPECT_EQ(got, want);
  const auto evidence_got = values_by_name(anew.path() / "evidence");
  const auto evidence_want = values_by_name(plain.path() / "evidence");
  EXPECT_EQ(evidence_got, evidence_want);
}

// Returns how many channels the segment with most has, each read alone.
std::size_t most_channels_of_a_segment(const fs::path& dir) {
  std::size_t out = 0;
  const auto numbers = store::list_segments(dir).value();
  for (const auto number : numbers) {
    const TempDir alone;
    fs::copy(dir / store::segment_name(number), alone.path());
    auto reader = store::SegmentReader::open(alone.path());
    EXPECT_TRUE(reader);
    while (reader->next().value() != nullptr) continue;
    EXPECT_TRUE(reader->damage().empty()) << dir << ": " << reader->damage()[0].what;
    out = std::max(out, reader->channels().channel_count());
  }
  return out;
}

// Returns how many frames two recordings both have, and expects the same values in these.
std::size_t expect_same_by_name(const fs::path& got, const fs::path& want) {
  const auto values = values_by_name(got);
  const auto ticks = sequences(got);
  const auto wanted_values = values_by_name(want);
  const auto wanted_ticks = sequences(want);
  std::size_t out = 0;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const auto at = std::find(wanted_ticks.begin(), wanted_ticks.end(), ticks[i]);
    if (at == wanted_ticks.end()) continue;
    const auto place = static_cast<std::size_t>(at - wanted_ticks.begin());
    EXPECT_EQ(values[i], wanted_values[place]) << got << ", tick " << ticks[i];
    ++out;
  }
  return out;
}

// Groups come and go, and the recording numbers those that live: so do its rollups, and they have
// the same values as those of a recording that never numbered anew.
TEST(RollupNumbering, ARollupNumbersTheChannelsThatLive) {
  constexpr std::size_t kRounds = 28;
  constexpr std::size_t kEver = kRounds * Recorder::kGroups;
  const TempDir plain;
  const TempDir anew;
  const RetentionAges ages{70 * kSecond, 200 * kSecond, kNever};
  Recorder as_ever(plain.path());
  Recorder numbers(anew.path());
  for (std::size_t i = 0; i < kRounds; ++i) {
    as_ever.other_groups().ticks(1100);
    numbers.number_anew().other_groups().ticks(1100);
    downsample_at(plain.path(), as_ever.now(), ages);
    downsample_at(anew.path(), numbers.now(), ages);
  }
  for (const auto& [part, least] : {std::pair("1s", 100U), std::pair("1min", 15U)}) {
    EXPECT_GT(expect_same_by_name(anew.path() / part, plain.path() / part), least);
    EXPECT_GE(most_channels_of_a_segment(plain.path() / part), 2 * kEver) << part;
    EXPECT_LE(most_channels_of_a_segment(anew.path() / part), kEver) << part;
  }
}

}  // namespace
}  // namespace reveal::retention

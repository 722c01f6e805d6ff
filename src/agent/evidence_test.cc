#include "agent/evidence.h"

#include <gmock/gmock.h>

#include "agent/kept_items.h"
#include "agent/testing/made_recording.h"
#include "base/temp_dir.h"
#include "store/segment_reader.h"

namespace reveal::agent {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kBegin_ns = 1'700'000'000 * kSecond_ns;  // of a synthetic host

LoggedFinding finding_from(std::int64_t begin_s, std::int64_t end_s) {
  LoggedFinding out;
  out.windows_begin_ns = kBegin_ns + begin_s * kSecond_ns;
  out.windows_end_ns = kBegin_ns + end_s * kSecond_ns;
  return out;
}

// The frames of a recording in `dir` between two moments, as bits.
std::vector<std::vector<std::uint64_t>> frames(const std::filesystem::path& dir,
                                               std::int64_t from_ns, std::int64_t to_ns) {
  store::ReadOptions span;
  span.from_ns = from_ns;
  span.to_ns = to_ns;
  auto reader = store::SegmentReader::open(dir, span);
  EXPECT_TRUE(reader);
  std::vector<std::vector<std::uint64_t>> out;
  for (;;) {
    const auto frame = reader->next();
    EXPECT_TRUE(frame);
    if (*frame == nullptr) return out;
    out.push_back((*frame)->bits);
  }
}

TEST(Evidence, IsEveryFrameAroundTheFindingAsItWasRecorded) {
  const base::TempDir dir;
  record(dir.path() / "recording", 200);
  ASSERT_TRUE(pin_evidence(dir.path() / "recording", dir.path() / "f", finding_from(100, 110), {}));
  const auto from_ns = kBegin_ns + 70 * kSecond_ns;
  const auto to_ns = kBegin_ns + 140 * kSecond_ns;
  const auto kept = frames(dir.path() / "f/evidence", 0, to_ns + kSecond_ns);
  EXPECT_EQ(kept.size(), 700U);
  EXPECT_EQ(kept, frames(dir.path() / "recording", from_ns, to_ns));
}

TEST(Evidence, OfALongFindingIsItsBegin) {
  const base::TempDir dir;
  record(dir.path() / "recording", 800);
  ASSERT_TRUE(pin_evidence(dir.path() / "recording", dir.path() / "f", finding_from(40, 790), {}));
  EXPECT_EQ(frames(dir.path() / "f/evidence", 0, kBegin_ns + 900 * kSecond_ns).size(), 6000U);
}

TEST(Evidence, ThatIsThereStays) {
  const base::TempDir dir;
  record(dir.path() / "recording", 100);
  ASSERT_TRUE(pin_evidence(dir.path() / "recording", dir.path() / "f", finding_from(40, 50), {}));
  ASSERT_TRUE(pin_evidence(dir.path() / "gone", dir.path() / "f", finding_from(40, 50), {}));
  EXPECT_EQ(frames(dir.path() / "f/evidence", 0, kBegin_ns + 900 * kSecond_ns).size(), 700U);
}

TEST(Evidence, IsItsFirstFramesIfThereIsNoRoomForAll) {
  const base::TempDir dir;
  record(dir.path() / "recording", 200);
  constexpr std::uint64_t kMost = 100'000;
  ASSERT_TRUE(pin_evidence(dir.path() / "recording", dir.path() / "f", finding_from(100, 110),
                           {.max_bytes = kMost}));
  const auto kept = frames(dir.path() / "f/evidence", 0, kBegin_ns + 900 * kSecond_ns);
  EXPECT_GT(kept.size(), 10U);
  EXPECT_LT(kept.size(), 700U);
  auto first =
      frames(dir.path() / "recording", kBegin_ns + 70 * kSecond_ns, kBegin_ns + 140 * kSecond_ns);
  first.resize(kept.size());
  EXPECT_EQ(kept, first);
  EXPECT_LE(bytes_below(dir.path() / "f"), kMost);
}

TEST(Evidence, ThatWentDoesNotComeBack) {
  const base::TempDir dir;
  record(dir.path() / "recording", 100);
  std::filesystem::create_directories(dir.path() / "f");
  EXPECT_EQ(evidence_gone_since(dir.path() / "f"), std::nullopt);
  note_evidence_gone(dir.path() / "f", kBegin_ns);
  note_evidence_gone(dir.path() / "f", kBegin_ns + kSecond_ns);
  EXPECT_EQ(evidence_gone_since(dir.path() / "f"), "2023-11-14T22:13:20.000Z");
  ASSERT_TRUE(pin_evidence(dir.path() / "recording", dir.path() / "f", finding_from(40, 50), {}));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "f/evidence"));
}

TEST(Evidence, WithoutARecordingIsAnErrorAndNoFolder) {
  const base::TempDir dir;
  EXPECT_FALSE(pin_evidence(dir.path() / "gone", dir.path() / "f", finding_from(40, 50), {}));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "f/evidence"));
}

}  // namespace
}  // namespace reveal::agent

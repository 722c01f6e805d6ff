#include "agent/kept_space.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "agent/evidence.h"
#include "agent/finding_file.h"
#include "agent/finding_id.h"
#include "base/rng.h"
#include "base/temp_dir.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kNow_ns = 1'700'000'000 * kSecond_ns;
constexpr std::int64_t kDay_ns = 86'400 * kSecond_ns;
constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;

void write_file(const fs::path& path, std::uint64_t bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << std::string(bytes, 'x');
}

// A folder of an agent, which a test fills.
class KeptSpaceTest : public testing::Test {
 protected:
  void SetUp() override { write_file(paths_.state() / "judged", 20); }

  // Makes a finding of so many days ago, and returns its folder.
  fs::path finding(int days_ago, std::uint64_t evidence_bytes) {
    const auto begin_ns = kNow_ns - days_ago * kDay_ns + ++made_ * 1'000'000;
    LoggedFinding out;
    out.id = new_finding_id(begin_ns);
    out.windows_begin_ns = begin_ns;
    const auto folder = folder_of(paths_.findings(), out);
    write_file(folder / "finding.json", 3 * kKiB);
    write_file(folder / "verdict.json", 2 * kKiB);
    if (evidence_bytes > 0) write_file(folder / "evidence/000001.rvs", evidence_bytes);
    return folder;
  }
  fs::path pin(int days_ago, std::uint64_t bytes) {
    const auto folder = paths_.pins() / fmt::format("2023{:04}T000000.000Z", 400 - days_ago);
    write_file(folder / "000001.rvs", bytes);
    return folder;
  }
  fs::path report(int days_ago, std::uint64_t bytes) {
    const auto file = paths_.reports() / "2023/11" / fmt::format("{:02}.json", 14 - days_ago);
    write_file(file, bytes);
    write_file(fs::path(file).replace_extension(".txt"), bytes);
    return file;
  }
  static bool has_evidence(const fs::path& folder) { return fs::exists(folder / "evidence"); }
  std::uint64_t bytes() const { return bytes_below(dir_.path()); }

  base::TempDir dir_;
  Paths paths_{dir_.path()};
  std::int64_t made_ = 0;
};

TEST_F(KeptSpaceTest, WithRoomForAllNothingGoes) {
  const auto folder = finding(3, 100 * kKiB);
  pin(3, 100 * kKiB);
  report(3, kKiB);
  const auto before = bytes();
  KeptSpace space(paths_, {.most_bytes = 10 * kMiB});
  space.keep_up(kNow_ns);
  EXPECT_EQ(space.room_for_evidence(kNow_ns).value(), 10 * kMiB / 8);
  EXPECT_EQ(bytes(), before);
  EXPECT_THAT(space.take_lines(), IsEmpty());
  EXPECT_EQ(evidence_gone_since(folder), std::nullopt);
}

TEST_F(KeptSpaceTest, WithoutALimitAnyNumberIsRight) {
  finding(3, kMiB);
  KeptSpace space(paths_, {});
  EXPECT_EQ(space.room_for_evidence(kNow_ns).value(), 0U);
  EXPECT_TRUE(space.hold_for_pin(std::uint64_t{1} << 60, kNow_ns));
  space.keep_up(kNow_ns);
  EXPECT_GT(bytes(), kMiB);
}

TEST_F(KeptSpaceTest, TheOldestEvidenceMakesWayAndItsFindingSaysSo) {
  const auto oldest = finding(9, 300 * kKiB);
  const auto older = finding(8, 300 * kKiB);
  const auto newest = finding(1, 300 * kKiB);
  KeptSpace space(paths_, {.most_bytes = kMiB});
  EXPECT_TRUE(space.room_for_evidence(kNow_ns));
  EXPECT_FALSE(has_evidence(oldest));
  EXPECT_TRUE(has_evidence(older));
  EXPECT_TRUE(has_evidence(newest));
  EXPECT_TRUE(fs::exists(oldest / "finding.json"));
  EXPECT_EQ(evidence_gone_since(oldest), "2023-11-14T22:13:20.000Z");
  EXPECT_THAT(space.take_lines(), ElementsAre(HasSubstr("1 finding's evidence")));
}

TEST_F(KeptSpaceTest, WhatSomebodyAskedToKeepNeverMakesWayForEvidence) {
  const auto kept = pin(30, 900 * kKiB);
  const auto folder = finding(1, 60 * kKiB);
  KeptSpace space(paths_, {.most_bytes = kMiB});
  const auto room = space.room_for_evidence(kNow_ns);
  ASSERT_FALSE(room);
  EXPECT_EQ(room.error().kind, base::ErrorKind::kNoSpace);
  EXPECT_THAT(room.error().message(), HasSubstr("remove pins"));
  EXPECT_TRUE(fs::exists(kept));
  EXPECT_TRUE(has_evidence(folder)) << "nothing goes for what finds no room even so";
}

TEST_F(KeptSpaceTest, PinsMayTakeHalfAndFindingsMakeWayForThem) {
  pin(2, 300 * kKiB);
  const auto folder = finding(1, 500 * kKiB);
  KeptSpace space(paths_, {.most_bytes = kMiB});
  const auto refused = space.hold_for_pin(400 * kKiB, kNow_ns);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("remove older pins"));
  EXPECT_TRUE(has_evidence(folder)) << "nothing goes for what is refused";
  ASSERT_TRUE(space.hold_for_pin(150 * kKiB, kNow_ns));
  EXPECT_FALSE(has_evidence(folder));
  EXPECT_FALSE(space.hold_for_pin(150 * kKiB, kNow_ns)) << "one is held already";
  space.pin_is_made(150 * kKiB);
  EXPECT_TRUE(space.hold_for_pin(150 * kKiB, kNow_ns));
}

TEST_F(KeptSpaceTest, ASmallerShareTakesThePinsLast) {
  const auto old_pin = pin(9, 700 * kKiB);
  const auto new_pin = pin(1, 700 * kKiB);
  const auto folder = finding(0, 10 * kKiB);
  const auto file = report(0, kKiB);
  KeptSpace space(paths_, {.most_bytes = kMiB});
  space.keep_up(kNow_ns);
  EXPECT_FALSE(fs::exists(folder)) << "a finding goes before a pin";
  EXPECT_FALSE(fs::exists(file));
  EXPECT_FALSE(fs::exists(old_pin));
  EXPECT_TRUE(fs::exists(new_pin));
  EXPECT_THAT(space.take_lines(), ElementsAre(HasSubstr("1 pin")));
}

TEST_F(KeptSpaceTest, FindingsThatGoOnMakeWayAfterThoseThatAreOverAndBeforePins) {
  const auto save = [&](int days_ago, bool open) {
    LoggedFinding one;
    one.windows_begin_ns = kNow_ns - days_ago * kDay_ns;
    one.windows_end_ns = one.begin_ns = one.end_ns = one.windows_begin_ns;
    one.id = new_finding_id(one.windows_begin_ns);
    one.open = open;
    one.fields = fmt::format(
        R"({{"severity_word":"minor","claim":"{}","subsystem":"cpu","remedy":null,"patterns":[]}})",
        std::string(100 * kKiB, 'c'));
    EXPECT_TRUE(save_finding(paths_.findings(), one));
    return folder_of(paths_.findings(), one);
  };
  const auto goes_on = save(9, true);
  const auto over = save(3, false);
  const auto pinned = pin(30, 60 * kKiB);
  KeptSpace(paths_, {.most_bytes = 256 * kKiB}).keep_up(kNow_ns);
  EXPECT_FALSE(fs::exists(over));
  EXPECT_TRUE(fs::exists(goes_on));
  KeptSpace(paths_, {.most_bytes = 128 * kKiB}).keep_up(kNow_ns);
  EXPECT_FALSE(fs::exists(goes_on));
  EXPECT_TRUE(fs::exists(pinned));
}

TEST_F(KeptSpaceTest, WhatIsNobodysStaysAndIsSaidOnce) {
  write_file(paths_.pins() / "20231114T221320.000Z.part/000001.rvs", 100);
  write_file(paths_.state() / "of somebody else", 2 * kMiB);
  write_file(paths_.findings() / "2023/11/14/notes/mine", 100);
  KeptSpace space(paths_, {.most_bytes = kMiB});
  space.keep_up(kNow_ns);
  space.keep_up(kNow_ns);
  EXPECT_THAT(space.take_lines(), ElementsAre(HasSubstr("of which nothing can go")));
  EXPECT_TRUE(fs::exists(paths_.findings() / "2023/11/14/notes/mine"));
  EXPECT_TRUE(fs::exists(paths_.pins() / "20231114T221320.000Z.part"));
}

TEST_F(KeptSpaceTest, EvidenceOfAnAgentThatWasKilledGoesAtTheBegin) {
  const auto folder = finding(1, 0);
  write_file(folder / "evidence.part/000001.rvs", kMiB);
  const KeptSpace space(paths_, {.most_bytes = kMiB});
  EXPECT_FALSE(fs::exists(folder / "evidence.part"));
  EXPECT_TRUE(fs::exists(folder / "finding.json"));
}

TEST_F(KeptSpaceTest, LinksAreNotFollowed) {
  const base::TempDir other;
  write_file(other.path() / "theirs", 3 * kMiB);
  const auto folder = finding(1, 0);
  fs::create_directory_symlink(other.path(), folder / "evidence");
  KeptSpace space(paths_, {.most_bytes = kMiB});
  space.keep_up(kNow_ns);
  EXPECT_TRUE(fs::exists(folder / "finding.json")) << "a link takes next to nothing";
  EXPECT_TRUE(fs::exists(other.path() / "theirs"));
}

// Of a random folder: what stays is within the share, and whatever went was to go before it.
class RandomKeptSpace : public KeptSpaceTest, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(RandomKeptSpace, TheNewestAndWhatSomebodyAskedForGoLast) {
  base::Rng rng(GetParam());
  const auto most = (1 + rng.below(8)) * 512 * kKiB;
  std::vector<fs::path> findings;  // the oldest first
  std::vector<fs::path> pins;
  for (int days_ago = 13; days_ago >= 0; --days_ago) {
    for (auto i = rng.below(4); i > 0; --i)
      findings.push_back(finding(days_ago, rng.below(200) * kKiB));
    if (rng.below(3) == 0) pins.push_back(pin(days_ago, rng.below(300) * kKiB));
    if (rng.below(2) == 0) report(days_ago, rng.below(20) * kKiB);
  }
  std::set<fs::path> had;
  for (const auto& folder : findings) {
    if (has_evidence(folder)) had.insert(folder);
  }
  KeptSpace space(paths_, {.most_bytes = most});
  space.keep_up(kNow_ns);
  EXPECT_LE(bytes(), most);
  const auto in_order = [](const std::vector<bool>& stays) {
    return std::is_sorted(stays.begin(), stays.end());
  };
  std::vector<bool> evidence;
  std::vector<bool> told;
  std::vector<bool> pinned;
  pinned.reserve(pins.size());
  for (const auto& folder : findings) {
    told.push_back(fs::exists(folder));
    if (!had.contains(folder)) continue;
    evidence.push_back(has_evidence(folder));
    EXPECT_EQ(!has_evidence(folder) && told.back(), evidence_gone_since(folder).has_value());
  }
  for (const auto& folder : pins) pinned.push_back(fs::exists(folder));
  EXPECT_TRUE(in_order(evidence));
  EXPECT_TRUE(in_order(told));
  EXPECT_TRUE(in_order(pinned));
  if (std::count(pinned.begin(), pinned.end(), false) > 0) {
    EXPECT_THAT(told, testing::Not(Contains(true)));
  }
  if (std::count(told.begin(), told.end(), false) > 0) {
    EXPECT_THAT(evidence, testing::Not(Contains(true)));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomKeptSpace, testing::Range<std::uint64_t>(1, 41));

}  // namespace
}  // namespace reveal::agent

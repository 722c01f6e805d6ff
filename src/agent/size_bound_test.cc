// All that an agent has on its disk, while frames, rollups, findings, pins and reports come in any
// order, parts of it are killed, and people and clocks do what they do: never more than
// record.max_size, and nothing goes before its turn or without need.
//
// What must hold is taken from docs/how_to/agent.md ("How much") and docs/how_to/retention.md, and
// is measured by what lies in the folders, not by what the agent counts.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "agent/evidence.h"
#include "agent/finding_file.h"
#include "agent/finding_id.h"
#include "agent/kept_space.h"
#include "agent/pins.h"
#include "agent/size_shares.h"
#include "agent/stretch.h"
#include "agent/testing/checked_recording.h"
#include "agent/testing/kept_order.h"
#include "base/new_file.h"
#include "base/rng.h"
#include "base/temp_dir.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::uint64_t kKiB = 1024;

// The table of docs/how_to/agent.md.
constexpr std::uint64_t kMost = 4096 * kKiB;

TEST(SizeShares, AreNeverMoreThanAllAndLeaveRoomForWhatIsThereTwice) {
  for (const std::uint64_t most : {kLeastSize, kLeastSize + 7, std::uint64_t{10} << 30}) {
    const auto shares = shares_of(most);
    // A recorder that begins has what its journals have in a segment, too: at most three blocks, of
    // which there are at least sixteen in its share.
    EXPECT_LE(shares.frames + 3 * shares.frames / 16 + shares.rollups + shares.kept, most);
  }
  EXPECT_EQ(shares_of(0).frames, 0U);
}

// The oldest frames go, and rollups grow slowly; soon there are too many frames a second; there are
// none, and too many a minute; segments are so large that nothing is downsampled.
constexpr Course kCourses[] = {{"often", kSecond_ns / 10, 50, 7, 0},
                               {"seconds", kSecond_ns / 2, 50, 7, 1},
                               {"minutes", 10 * kSecond_ns, 50, 7, 1},
                               {"large_blocks", kSecond_ns / 10, 600, 6, 0}};

class SizeBound : public testing::TestWithParam<Course> {
 protected:
  static constexpr int kSteps = 100;

  void SetUp() override {
    fs::create_directories(paths_.state());
    recording_.begin();
    begin_judge(kMost);
    recording_.frames(9000);
  }

  // --- the judge, and what it keeps

  // Another judge, which may have another max_size than the one before.
  void begin_judge(std::uint64_t max_size) {
    share_ = max_size / 8;
    pins_.reset();
    space_ = std::make_unique<KeptSpace>(paths_,
                                         KeptSpace::Limits{.most_bytes = shares_of(max_size).kept});
    pins_ = std::make_unique<Pins>(paths_.recording(), paths_.pins(), *space_);
    for_each_below(paths_.directory, [&](const fs::path& path, std::uint64_t) {
      EXPECT_NE(path.extension(), ".part") << path;
    });
  }

  // A judge that is killed while it copies, and the next one.
  void restart_judge() {
    put(paths_.pins() / "20231114T221320.000Z.part/000001.rvs", 8 * kKiB);
    if (!open_.empty()) {
      put(folder_of(paths_.findings(), open_.front()) / "evidence.part/000001.rvs", 8 * kKiB);
    }
    begin_judge(share_ == kMost / 8 && rng_.below(3) == 0 ? kMost / 2 : kMost);
    look();
  }

  // An eighth of the share is left for what is written between two looks.
  std::uint64_t at_rest() const { return share_ - share_ / 8; }

  // Calls `act` and checks that what goes by it are these. Returns what is there then.
  template <typename Act>
  KeptOrder expect_gone(const KeptOrder& before, const std::set<std::string>& these, Act act) {
    act();
    KeptOrder after(paths_.directory);
    EXPECT_EQ(gone(before, after), these);
    kept_went_ += static_cast<int>(these.size());
    return after;
  }

  void look() {
    const KeptOrder before(paths_.directory);
    const auto after = expect_gone(before, before.going(at_rest(), Rank::kPin),
                                   [&] { space_->keep_up(recording_.now_ns()); });
    EXPECT_LE(after.bytes(), share_);
    look_at_all("a look");
  }

  void save(LoggedFinding& finding) {
    finding.begin_ns = finding.windows_begin_ns;
    finding.end_ns = finding.windows_end_ns;
    finding.fields = fmt::format(
        R"({{"severity_word":"minor","claim":"{}","subsystem":"cpu","remedy":null,"patterns":[]}})",
        std::string(rng_.below(3000), 'c'));
    finding.verdict = std::string(1 + rng_.below(3000), 'v');
    ASSERT_TRUE(save_finding(paths_.findings(), finding));
    look_at_all("a finding");
  }

  // One begins, or one that goes on ends.
  void find() {
    if (open_.size() > 2 && rng_.below(3) != 0) return end_finding();
    LoggedFinding finding;
    finding.windows_end_ns = recording_.now_ns();
    finding.windows_begin_ns =
        recording_.now_ns() - static_cast<std::int64_t>(rng_.below(500)) * course_.interval_ns;
    finding.id = new_finding_id(finding.windows_begin_ns);
    save(finding);
    open_.push_back(finding);
  }

  void end_finding() {
    const auto one = open_.begin() + static_cast<std::ptrdiff_t>(rng_.below(open_.size()));
    auto finding = *one;
    open_.erase(one);
    finding.open = false;
    ++finding.revision;
    save(finding);
    const KeptOrder before(paths_.directory);
    const auto most = share_ / 8;
    const bool fits = before.bytes_without(Rank::kEvidence) <= at_rest() - most;
    const auto going =
        fits ? before.going(at_rest() - most, Rank::kEvidence) : std::set<std::string>();
    std::optional<std::uint64_t> room;
    expect_gone(before, going, [&] {
      if (const auto got = space_->room_for_evidence(recording_.now_ns())) room = *got;
    });
    EXPECT_EQ(room.has_value(), fits);
    const auto folder = folder_of(paths_.findings(), finding);
    if (!room) return note_evidence_gone(folder, recording_.now_ns());
    EXPECT_EQ(*room, most);
    // The clock may say that it was when there are no frames.
    static_cast<void>(pin_evidence(paths_.recording(), folder, finding, {.max_bytes = *room}));
    look_at_all("evidence");
  }

  void pin() {
    const auto bytes = (30 + rng_.below(120)) * kKiB;
    const KeptOrder before(paths_.directory);
    const bool fits = before.pins_bytes() + bytes <= share_ / 2 &&
                      before.bytes_without(Rank::kOpenFinding) + bytes <= at_rest();
    const auto going =
        fits ? before.going(at_rest() - bytes, Rank::kOpenFinding) : std::set<std::string>();
    bool held = false;
    expect_gone(before, going,
                [&] { held = space_->hold_for_pin(bytes, recording_.now_ns()).has_value(); });
    EXPECT_EQ(held, fits);
    if (!held) return;
    const auto ticks = static_cast<std::int64_t>(10 + rng_.below(150));
    fs::create_directories(paths_.pins());
    const auto name = fmt::format("{:020}Z", recording_.now_ns());
    if (keep_stretch(paths_.recording(), paths_.pins() / name,
                     {.from_ns = recording_.now_ns() - ticks * course_.interval_ns,
                      .to_ns = recording_.now_ns(),
                      .max_bytes = bytes})) {
      EXPECT_LE(all_bytes(paths_.pins() / name), bytes + 8 * kKiB);
    }
    look_at_all("a pin");
    space_->pin_is_made(bytes);
  }

  void put(const fs::path& file, std::uint64_t bytes) {
    fs::create_directories(file.parent_path());
    ASSERT_TRUE(base::write_new_file(file, std::string(bytes, 'x')));
  }

  void report() {
    const auto day = fmt::format("2023/11/{:02}", 1 + rng_.below(28));
    put(paths_.reports() / (day + ".txt"), rng_.below(4000));
    put(paths_.reports() / (day + ".json"), rng_.below(4000));
  }

  // --- people, programs and clocks

  void remove_something() {
    const auto names = KeptOrder(paths_.directory).names();
    if (names.empty() || rng_.below(2) == 0) return recording_.remove_oldest();
    const auto& name = names[rng_.below(names.size())];
    fs::remove_all(paths_.directory / name);
    for (const char* ending : {".txt", ".json"}) fs::remove(paths_.directory / (name + ending));
  }

  // What is nobody's, or state: it never goes, and other things make way for it.
  void grow_something() {
    const fs::path file = rng_.below(2) == 0 ? paths_.state() / "alerts.json"
                                             : paths_.findings() / "2023/11/14/notes/mine";
    put(file, rng_.below(24 * kKiB));
    look();
  }

  void step_clock() {
    const auto ticks = static_cast<std::int64_t>(rng_.below(601)) - 300;
    recording_.step_clock(ticks * course_.interval_ns);
  }

  void do_something() {
    switch (rng_.below(12)) {
      case 0:
        return pin();
      case 1:
        return recording_.downsample();
      case 2:
        return report();
      case 3:
        return recording_.restart();
      case 4:
        return restart_judge();
      case 5:
        return remove_something();
      case 6:
        return grow_something();
      case 7:
        return step_clock();
      default:
        return find();
    }
  }

  // --- all of it

  void look_at_all(const char* after) {
    const auto bytes = all_bytes(paths_.directory);
    EXPECT_LE(bytes, kMost) << "after " << after;
    most_in_step_ = std::max(most_in_step_, bytes);
  }

  base::TempDir dir_;
  Paths paths_{dir_.path()};
  const Course course_ = GetParam();
  base::Rng rng_{1};
  CheckedRecording recording_{paths_.recording(), course_, kMost, 101,
                              [this](const char* after) { look_at_all(after); }};
  std::unique_ptr<KeptSpace> space_;
  std::unique_ptr<Pins> pins_;
  std::vector<LoggedFinding> open_;
  std::uint64_t share_ = 0;  // of what is kept
  // How far the run came.
  std::uint64_t most_in_step_ = 0;  // bytes on the disk
  int kept_went_ = 0;
};

TEST_P(SizeBound, IsReachedAndHoldsAndNothingGoesBeforeItsTurnOrWithoutNeed) {
  int full = 0;           // steps
  int frames_went = 0;    // steps
  bool was_left = false;  // without a look
  for (int step = 0; step < kSteps && !HasFatalFailure(); ++step) {
    SCOPED_TRACE(fmt::format("step {}", step));
    most_in_step_ = 0;
    recording_.frames(50 + rng_.below(1000));
    do_something();
    look_at_all("what was done");
    was_left = !was_left && rng_.below(3) == 0;
    if (!was_left) look();
    full += most_in_step_ * 10 >= kMost / 8 * course_.eighths * 9 ? 1 : 0;
    frames_went += recording_.take_removed() ? 1 : 0;
  }
  recording_.check_frames();
  // A run that does not fill the disk proves nothing.
  EXPECT_GE(2 * full, kSteps) << "steps that came within 10 % of all that is there at rest";
  EXPECT_GE(3 * frames_went, kSteps) << "steps in which the oldest frames went";
  EXPECT_GE(8 * kept_went_, kSteps) << "findings, evidence, reports and pins that made way";
  EXPECT_GE(recording_.rollups_shortened(), course_.rollups_shortened);
}

INSTANTIATE_TEST_SUITE_P(Courses, SizeBound, testing::ValuesIn(kCourses),
                         [](const auto& run) { return std::string(run.param.name); });

}  // namespace
}  // namespace reveal::agent

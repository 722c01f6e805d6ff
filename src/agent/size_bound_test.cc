// All that an agent has on its disk, while frames, findings, pins, reports and rollups come in any
// order: never more than record.max_size.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "agent/evidence.h"
#include "agent/finding_file.h"
#include "agent/finding_id.h"
#include "agent/kept_space.h"
#include "agent/size_shares.h"
#include "agent/stretch.h"
#include "base/rng.h"
#include "base/temp_dir.h"
#include "pipeline/testing/synthetic_host.h"
#include "retention/downsampling.h"
#include "store/segment_writer.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::uint64_t kMost = std::uint64_t{4} << 20;

TEST(SizeShares, AreNeverMoreThanAllAndLeaveRoomForWhatIsThereTwice) {
  for (const std::uint64_t most : {kLeastSize, kLeastSize + 7, std::uint64_t{10} << 30}) {
    const auto shares = shares_of(most);
    // A recorder that begins has what its journals have in a segment, too: at most three blocks, of
    // which there are at least sixteen in its share.
    EXPECT_LE(shares.frames + 3 * shares.frames / 16 + shares.rollups + shares.kept, most);
  }
  EXPECT_EQ(shares_of(0).frames, 0U);
}

class SizeBound : public testing::TestWithParam<std::uint64_t> {
 protected:
  void SetUp() override {
    fs::create_directories(paths_.state());
    begin();
  }

  void begin() {
    store::WriterOptions options;
    options.min_free_bytes = 0;
    options.segment_ns = 30 * kSecond_ns;
    options.retention.max_bytes = shares_of(kMost).frames;
    auto writer = store::SegmentWriter::resume(paths_.recording(), options);
    ASSERT_TRUE(writer) << writer.error().message();
    writer_.emplace(std::move(*writer));
    if (const auto* tail = writer_->resumed()) {
      host_.facts = tail->facts;
    }
    ASSERT_TRUE(writer_->begin(host_.facts));
  }

  void check(const char* after) const {
    EXPECT_LE(bytes_below(dir_.path()), kMost) << after << ", round " << round_;
  }

  void frames(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto& frame = host_.tick(rng_.below(2) == 0);
      now_ns_ = frame.wall_ns;
      ASSERT_TRUE(writer_->write(host_.channels, frame));
      if (i % 64 == 0) check("a frame");
    }
  }

  void find() {
    LoggedFinding finding;
    finding.windows_end_ns = now_ns_ - 30 * kSecond_ns;
    finding.windows_begin_ns =
        finding.windows_end_ns - static_cast<std::int64_t>(rng_.below(120)) * kSecond_ns;
    finding.id = new_finding_id(finding.windows_begin_ns);
    finding.fields = fmt::format(R"({{"claim":"{}"}})", std::string(rng_.below(4000), 'c'));
    finding.verdict = std::string(rng_.below(4000), 'v');
    ASSERT_TRUE(save_finding(paths_.findings(), finding));
    check("a finding");
    const auto folder = folder_of(paths_.findings(), finding);
    const auto room = space_.room_for_evidence(now_ns_);
    if (!room) return;
    if (pin_evidence(paths_.recording(), folder, finding, {.max_bytes = *room})) ++evidence_;
  }

  void pin() {
    const auto bytes = (40 + rng_.below(300)) * 1024;
    if (!space_.hold_for_pin(bytes, now_ns_)) return;
    const Stretch stretch{
        .from_ns = now_ns_ - static_cast<std::int64_t>(1 + rng_.below(60)) * kSecond_ns,
        .to_ns = now_ns_,
        .max_bytes = bytes};
    const auto name = fmt::format("20231114T2213{:02}.000Z", round_);
    fs::create_directories(paths_.pins());
    if (keep_stretch(paths_.recording(), paths_.pins() / name, stretch)) ++pinned_;
    check("a pin");
    space_.pin_is_made(bytes);
  }

  void downsample() {
    const auto full_ns = static_cast<std::int64_t>(10 + rng_.below(300)) * kSecond_ns;
    const auto done =
        retention::downsample({paths_.recording(),
                               {full_ns, 10 * full_ns, 100 * full_ns, shares_of(kMost).rollups},
                               now_ns_,
                               {}});
    EXPECT_TRUE(done) << done.error().message();
  }

  void kill_recorder() {
    writer_.reset();
    begin();
    check("another recorder");
  }

  void report() {
    const auto file = paths_.reports() / fmt::format("2023/11/{:02}.json", 1 + rng_.below(28));
    fs::create_directories(file.parent_path());
    std::ofstream(file) << std::string(rng_.below(8000), 'r');
  }

  base::TempDir dir_;
  Paths paths_{dir_.path()};
  base::Rng rng_{GetParam()};
  pipeline::SyntheticHost host_;
  std::optional<store::SegmentWriter> writer_;
  KeptSpace space_{paths_, {.most_bytes = shares_of(kMost).kept}};
  std::int64_t now_ns_ = 0;
  int round_ = 0;
  int pinned_ = 0;
  int evidence_ = 0;
};

TEST_P(SizeBound, HoldsWhateverComes) {
  frames(1000);
  for (round_ = 0; round_ < 60; ++round_) {
    frames(50 + rng_.below(1500));
    const auto what = rng_.below(6);
    if (what == 0) pin();
    if (what == 1) downsample();
    if (what == 2) report();
    if (what == 3) kill_recorder();
    if (what >= 4) find();
    check("what was done");
    space_.keep_up(now_ns_);
    check("a look");
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SizeBound, testing::Range<std::uint64_t>(1, 7));

}  // namespace
}  // namespace reveal::agent

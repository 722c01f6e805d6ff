// A recorder that goes on with its recording in place: whatever a crash left, each frame that could
// be read before can be read after, as it was.
#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "store/followed_recording.h"
#include "store/recording_dir.h"
#include "store/segment_closing.h"
#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using model::Frame;
using testing::HasSubstr;
using testing_run::expect_same;
using testing_run::read_all;
using testing_run::TempDir;
using testing_run::fs::path;

constexpr std::size_t kChannels = 8;

WriterOptions small_segments() {
  WriterOptions options = testing_run::blocks_of(5);
  options.segment_bytes = 2500;
  return options;
}

std::vector<Frame> part(const std::vector<Frame>& all, std::size_t from, std::size_t to) {
  return {all.begin() + static_cast<std::ptrdiff_t>(from),
          all.begin() + static_cast<std::ptrdiff_t>(to)};
}

// Writes `frames` as the recorder would that goes on in `dir`, and is then killed or finishes.
void go_on(const path& dir, const std::vector<Frame>& frames, bool finish,
           const WriterOptions& options = small_segments()) {
  auto writer = SegmentWriter::resume(dir, options);
  ASSERT_TRUE(writer) << writer.error().message();
  const auto begun = writer->begin(testing_run::facts());
  ASSERT_TRUE(begun) << begun.error().message();
  model::ChannelTable table;
  if (writer->resumed() != nullptr) table = writer->resumed()->channels.clone();
  for (const Frame& frame : frames) {
    testing_run::grow(table, frame.bits.size());
    ASSERT_TRUE(writer->write(table, frame));
  }
  EXPECT_EQ(writer->status().dropped_frames, 0u);
  if (!finish) return;
  ASSERT_TRUE(writer->finish());
}

void expect_frames(const std::vector<Frame>& got, const std::vector<Frame>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    expect_same(got[i], want[i]);
    EXPECT_EQ(got[i].notes, want[i].notes);
  }
}

void expect_recorded(const path& dir, const std::vector<Frame>& want) {
  const auto read = read_all(dir);
  EXPECT_EQ(read.error, "");
  EXPECT_TRUE(read.damage.empty()) << read.damage.front().file << ": " << read.damage.front().what;
  expect_frames(read.frames, want);
}

void copy_files(const path& from, const path& to) {
  testing_run::fs::remove_all(to);
  testing_run::fs::copy(from, to);
}

TEST(Resume, BeginsARecordingIfThereIsNone) {
  const TempDir dir;
  const auto all = testing_run::frames(1, 20, kChannels);
  go_on(dir.path() / "a" / "b", all, true);
  expect_recorded(dir.path() / "a" / "b", all);
  EXPECT_TRUE(read_all(dir.path() / "a" / "b").clean);
}

TEST(Resume, GoesOnAfterAnOrderlyEnd) {
  const TempDir dir;
  const auto all = testing_run::frames(2, 90, kChannels);
  go_on(dir.path(), part(all, 0, 40), true);
  go_on(dir.path(), part(all, 40, 41), true);
  go_on(dir.path(), part(all, 41, 90), true);
  expect_recorded(dir.path(), all);
  EXPECT_TRUE(read_all(dir.path()).clean);
  EXPECT_TRUE(list_journals(dir.path())->empty());
}

// However few or many frames each of the recorders has time for.
TEST(Resume, GoesOnAfterEachOfManyKills) {
  base::Rng rng(3);
  for (std::size_t round = 0; round < 6; ++round) {
    SCOPED_TRACE(round);
    const TempDir dir;
    const auto all = testing_run::frames(rng.next(), 100, kChannels);
    std::size_t done = 0;
    while (done < all.size()) {
      const std::size_t to = std::min<std::size_t>(done + rng.below(round + 2), all.size());
      go_on(dir.path(), part(all, done, to), rng.below(9) == 0);
      done = to;
      expect_recorded(dir.path(), part(all, 0, done));
    }
    go_on(dir.path(), {}, true);
    expect_recorded(dir.path(), all);
    EXPECT_TRUE(list_journals(dir.path())->empty());
  }
}

TEST(Resume, TheOldJournalsStayUntilAnotherBlockHasLanded) {
  const TempDir dir;
  const auto all = testing_run::frames(4, 30, kChannels);
  go_on(dir.path(), part(all, 0, 13), false);
  const auto old = *list_journals(dir.path());
  ASSERT_GE(old.size(), 2u);
  auto writer = SegmentWriter::resume(dir.path(), small_segments());
  ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
  EXPECT_EQ(*list_journals(dir.path()), old);
  expect_recorded(dir.path(), part(all, 0, 13));
  model::ChannelTable table = writer->resumed()->channels.clone();
  ASSERT_TRUE(writer->write(table, all[13]));
  EXPECT_EQ(list_journals(dir.path())->back(), old.back() + 1);
  std::size_t done = 14;
  while (done < all.size() && list_journals(dir.path())->front() == old.front()) {
    ASSERT_TRUE(writer->write(table, all[done++]));
    expect_recorded(dir.path(), part(all, 0, done));
  }
  EXPECT_GT(list_journals(dir.path())->front(), old.back());
  EXPECT_EQ(writer->bytes_on_disk(), testing_run::bytes_in(dir.path()));
}

// Cuts each file of a killed recorder, at each of its last bytes, and goes on.
void expect_resumable_however_cut(const path& original, const path& scratch, const path& name,
                                  std::size_t cuts, const std::vector<Frame>& more) {
  const std::uint64_t size = testing_run::fs::file_size(original / name);
  for (std::uint64_t cut = 1; cut <= std::min<std::uint64_t>(cuts, size); ++cut) {
    SCOPED_TRACE(name.string() + " less " + std::to_string(cut));
    copy_files(original, scratch);
    testing_run::fs::resize_file(scratch / name, size - cut);
    const auto before = read_all(scratch);
    std::vector<Frame> want = before.frames;
    ASSERT_TRUE(before.damage.empty());
    go_on(scratch, {}, false);
    expect_recorded(scratch, want);
    want.insert(want.end(), more.begin(), more.end());
    go_on(scratch, more, cut % 64 == 0);
    expect_recorded(scratch, want);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Resume, NothingThatWasWholeIsLostHoweverTheLastSegmentIsCut) {
  const TempDir dir;
  const auto all = testing_run::frames(5, 60, kChannels);
  go_on(dir.path() / "killed", part(all, 0, 50), false);
  const auto segments = *list_segments(dir.path() / "killed");
  ASSERT_GT(segments.size(), 1u);
  // To its first byte: the next recorder begins it again.
  expect_resumable_however_cut(dir.path() / "killed", dir.path() / "r",
                               segment_name(segments.back()), 1u << 20, part(all, 50, 57));
}

TEST(Resume, NothingThatWasWholeIsLostHoweverAJournalIsCut) {
  const TempDir dir;
  const auto all = testing_run::frames(6, 60, kChannels);
  WriterOptions options = testing_run::blocks_of(20);
  go_on(dir.path() / "killed", part(all, 0, 50), false, options);
  const auto journals = *list_journals(dir.path() / "killed");
  expect_resumable_however_cut(dir.path() / "killed", dir.path() / "r",
                               journal_name(journals.back()), 1u << 20, part(all, 50, 57));
}

// The old journals outlive what the next recorder has made of them until then.
TEST(Resume, ACrashWhileItBeginsCostsNothing) {
  const TempDir dir;
  const path killed = dir.path() / "killed";
  const path scratch = dir.path() / "r";
  const auto all = testing_run::frames(15, 23, kChannels);
  go_on(killed, all, false);
  const auto before = *list_segments(killed);
  go_on(killed, {}, false);
  const path name = segment_name(before.back() + 1);
  const std::uint64_t size = testing_run::fs::file_size(killed / name);
  for (std::uint64_t left = 0; left <= size && !HasFailure(); ++left) {
    SCOPED_TRACE(left);
    copy_files(killed, scratch);
    testing_run::fs::resize_file(scratch / name, left);
    expect_recorded(scratch, all);
    go_on(scratch, {}, left % 64 == 0);
    expect_recorded(scratch, all);
  }
}

TEST(Resume, AFirstSegmentThatWasNeverBegunIsBegunAgain) {
  const auto all = testing_run::frames(7, 12, kChannels);
  for (const std::size_t bytes : {0u, 3u, 16u, 40u}) {
    const TempDir dir;
    go_on(dir.path(), {}, false);
    testing_run::fs::resize_file(dir.path() / segment_name(1), bytes);
    go_on(dir.path(), all, false);
    expect_recorded(dir.path(), all);
    EXPECT_EQ(*list_segments(dir.path()), std::vector<std::uint32_t>{1});
  }
}

TEST(Resume, ADamagedLastSegmentStaysAsItIs) {
  const TempDir dir;
  const auto all = testing_run::frames(8, 40, kChannels);
  go_on(dir.path(), part(all, 0, 23), false, testing_run::blocks_of(5));
  const path damaged = dir.path() / segment_name(1);
  std::string bytes = testing_run::read_file(damaged);
  bytes[bytes.size() - 60] = static_cast<char>(bytes[bytes.size() - 60] ^ 1);
  testing_run::write_file(damaged, bytes);
  const auto before = read_all(dir.path());
  ASSERT_FALSE(before.damage.empty());
  go_on(dir.path(), part(all, 23, 40), true);
  EXPECT_EQ(testing_run::read_file(damaged), bytes);
  const auto after = read_all(dir.path());
  ASSERT_EQ(after.frames.size(), before.frames.size() + 17);
  for (std::size_t i = 0; i < before.frames.size(); ++i) {
    expect_same(after.frames[i], before.frames[i]);
  }
}

TEST(Resume, SaysHowTheRecordingEnded) {
  const TempDir dir;
  const auto all = testing_run::frames(9, 37, kChannels);
  go_on(dir.path(), all, false);
  model::FactTable stated;
  for (const Frame& frame : all) {
    for (const auto& note : frame.notes) stated.apply(note);
  }
  const auto writer = SegmentWriter::resume(dir.path());
  ASSERT_TRUE(writer) << writer.error().message();
  const RecordingTail* tail = writer->resumed();
  ASSERT_NE(tail, nullptr);
  EXPECT_EQ(tail->facts.host, "h1");
  EXPECT_EQ(tail->channels.channel_count(), kChannels);
  ASSERT_TRUE(tail->last);
  EXPECT_EQ(tail->last->sequence, all.back().sequence);
  EXPECT_EQ(tail->last->wall_ns, all.back().wall_ns);
  EXPECT_EQ(tail->last->mono_ns, all.back().mono_ns);
  EXPECT_EQ(tail->stated.notes(), stated.notes());
}

TEST(Resume, UntilItBeginsNothingChanges) {
  const TempDir dir;
  const auto all = testing_run::frames(10, 23, kChannels);
  go_on(dir.path(), all, false);
  const auto bytes = testing_run::bytes_in(dir.path());
  { ASSERT_TRUE(SegmentWriter::resume(dir.path())); }
  EXPECT_EQ(testing_run::bytes_in(dir.path()), bytes);
  WriterOptions full;
  full.min_free_bytes = std::uint64_t{1} << 62;
  auto writer = SegmentWriter::resume(dir.path(), full);
  ASSERT_TRUE(writer);
  EXPECT_FALSE(writer->begin(testing_run::facts()));
  EXPECT_EQ(testing_run::bytes_in(dir.path()), bytes);
}

struct Kept : model::FrameSink {
  base::Result<void> begin(const model::RunFacts&) override { return {}; }
  base::Result<void> write(const model::ChannelTable&, const Frame& frame) override {
    frames.push_back(frame);
    return {};
  }
  base::Result<void> finish() override { return {}; }
  std::vector<Frame> frames;
};

TEST(Resume, AFollowerSeesAllFramesOnce) {
  base::Rng rng(11);
  const TempDir dir;
  auto all = testing_run::frames(11, 120, kChannels);
  for (std::size_t i = 60; i < all.size(); ++i) all[i].resize(kChannels + 1);  // a device comes
  FollowedRecording followed(dir.path(), std::nullopt);
  Kept kept;
  for (std::size_t done = 0; done < all.size();) {
    const std::size_t to = std::min<std::size_t>(done + 1 + rng.below(9), all.size());
    go_on(dir.path(), part(all, done, to), rng.below(4) == 0);
    done = to;
    ASSERT_TRUE(followed.read_new(kept));
    ASSERT_EQ(kept.frames.size(), done);
  }
  for (std::size_t i = 0; i < all.size(); ++i) expect_same(kept.frames[i], all[i]);
}

// What the host lacks may be another source after a restart. A recorder that goes on in the segment
// of one that was killed says so in its next segment.
TEST(Resume, AFollowerKnowsTheFactsOfTheLatestRecorder) {
  const TempDir dir;
  const auto all = testing_run::frames(8, 30, kChannels);
  FollowedRecording followed(dir.path(), std::nullopt);
  EXPECT_EQ(followed.latest_facts(), nullptr);
  Kept kept;
  for (std::uint32_t recorder = 0; recorder < 3; ++recorder) {
    SCOPED_TRACE(recorder);
    auto writer = SegmentWriter::resume(dir.path(), small_segments());
    ASSERT_TRUE(writer);
    auto facts = testing_run::facts();
    facts.unseen = {{"nvml", "reason " + std::to_string(recorder), "", recorder}};
    ASSERT_TRUE(writer->begin(facts));
    model::ChannelTable table;
    if (writer->resumed() != nullptr) table = writer->resumed()->channels.clone();
    for (std::size_t i = 10 * recorder; i < 10 * (recorder + 1); ++i) {
      testing_run::grow(table, all[i].bits.size());
      ASSERT_TRUE(writer->write(table, all[i]));
      ASSERT_TRUE(followed.read_new(kept));
      ASSERT_NE(followed.latest_facts(), nullptr);
      EXPECT_EQ(followed.latest_facts()->unseen, facts.unseen);
    }
    ASSERT_TRUE(writer->finish());
  }
  const auto reader = SegmentReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->facts().unseen.at(0).reason, "reason 0") << "the run is who it was";
}

TEST(Resume, RetentionCountsWhatWasThere) {
  const TempDir dir;
  const auto all = testing_run::frames(12, 400, kChannels);
  go_on(dir.path(), part(all, 0, 300), false);
  const auto before = testing_run::bytes_in(dir.path());
  WriterOptions options = small_segments();
  options.retention.max_bytes = before / 2;
  go_on(dir.path(), part(all, 300, 302), false, options);
  EXPECT_LE(testing_run::bytes_in(dir.path()), before / 2);
  auto read = read_all(dir.path());
  EXPECT_TRUE(read.damage.empty());
  EXPECT_EQ(read.frames.back().sequence, all[301].sequence);

  options.retention = {.keep_ns = 3'000'000'000, .max_bytes = 0};  // 30 frames
  go_on(dir.path(), part(all, 302, 303), false, options);
  read = read_all(dir.path());
  EXPECT_TRUE(read.damage.empty());
  EXPECT_EQ(read.frames.back().sequence, all[302].sequence);
  EXPECT_GE(read.frames.size(), 30u);
  EXPECT_LT(read.frames.size(), 90u);
}

// The frames that are missing in the middle of the first run are no loss at the end of the second.
TEST(Resume, EachRunTellsWhichOfItsFramesAreMissingAtTheEnd) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const TempDir dir;
  const auto all = testing_run::frames(14, 100, kChannels);
  // By run: its frames that the disk refuses.
  const auto record_run = [&](std::size_t from, std::size_t to, std::size_t no_from,
                              std::size_t no_to) {
    auto writer = SegmentWriter::resume(dir.path(), testing_run::blocks_of(600));
    ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
    model::ChannelTable table;
    testing_run::grow(table, kChannels);
    for (std::size_t i = from; i < to; ++i) {
      const rlimit limit{i >= no_from && i < no_to ? 64 : before.rlim_cur, before.rlim_max};
      ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
      ASSERT_TRUE(writer->write(table, all[i]));
    }
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ASSERT_TRUE(writer->finish());
  };
  const auto lost_at_end = [&] {
    auto reader = SegmentReader::open(dir.path());
    EXPECT_TRUE(reader);
    for (auto next = reader->next(); next && *next != nullptr;) next = reader->next();
    EXPECT_TRUE(reader->damage().empty());
    return reader->lost_at_end();
  };
  record_run(0, 50, 20, 30);
  EXPECT_EQ(lost_at_end(), 0u);
  record_run(50, 100, 95, 100);
  EXPECT_EQ(lost_at_end(), 5u);
}

std::string refusal(const path& dir) {
  const auto writer = SegmentWriter::resume(dir);
  return writer ? "" : writer.error().message();
}

TEST(Resume, RefusesWhatItCannotGoOnWith) {
  const TempDir dir;
  {
    auto writer = SegmentWriter::create(dir.path() / "growing");
    ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
    EXPECT_THAT(refusal(dir.path() / "growing"), HasSubstr("another recorder"));
  }
  go_on(dir.path() / "newer", {}, true);
  std::string bytes = testing_run::read_file(dir.path() / "newer" / segment_name(1));
  Bytes header;
  append_file_header(header);
  header[8] = kFormatVersion + 1;
  const std::uint32_t sum = crc32(ByteView(header).first(12));
  for (std::size_t i = 0; i < 4; ++i) header[12 + i] = static_cast<std::uint8_t>(sum >> (8 * i));
  std::copy(header.begin(), header.end(), bytes.begin());
  testing_run::write_file(dir.path() / "newer" / segment_name(1), bytes);
  EXPECT_THAT(refusal(dir.path() / "newer"), HasSubstr("update reveal"));

  testing_run::fs::create_directory(dir.path() / "thesis");
  testing_run::write_file(dir.path() / "thesis" / "thesis.tex", "x");
  EXPECT_THAT(refusal(dir.path() / "thesis"), HasSubstr("thesis.tex"));

  testing_run::fs::create_directory(dir.path() / "journals");
  testing_run::write_file(dir.path() / "journals" / journal_name(1), "x");
  EXPECT_THAT(refusal(dir.path() / "journals"), HasSubstr("no segment"));
}

TEST(CloseSegment, TwiceIsOnce) {
  const TempDir dir;
  go_on(dir.path(), testing_run::frames(13, 7, kChannels), false);
  const path segment = dir.path() / segment_name(1);
  EXPECT_EQ(read_segment_end(segment)->state, SegmentState::kOpen);
  ASSERT_TRUE(close_segment(segment));
  const auto end = read_segment_end(segment);
  EXPECT_EQ(end->state, SegmentState::kClosed);
  EXPECT_EQ(end->frames, 5u);
  const std::string bytes = testing_run::read_file(segment);
  ASSERT_TRUE(close_segment(segment));
  EXPECT_EQ(testing_run::read_file(segment), bytes);
  EXPECT_FALSE(read_segment_end(dir.path() / "absent.rvs"));
}

}  // namespace
}  // namespace reveal::store

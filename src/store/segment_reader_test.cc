#include "store/segment_reader.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/record_scanner.h"
#include "store/recording_dir.h"
#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using model::Frame;
using testing::HasSubstr;
using testing_run::expect_same;
using testing_run::read_all;
using testing_run::read_file;
using testing_run::Recording;
using testing_run::TempDir;
using testing_run::write_file;

// Expects what was read to be the first frames of what was written.
void expect_prefix(const Recording& got, const std::vector<Frame>& want) {
  ASSERT_LE(got.frames.size(), want.size());
  for (std::size_t i = 0; i < got.frames.size(); ++i) expect_same(got.frames[i], want[i]);
}

TEST(SegmentReader, ReturnsWhatWasWritten) {
  const TempDir dir;
  const auto all = testing_run::frames(1, 200, 40);
  testing_run::record(dir.path(), all);
  const Recording got = read_all(dir.path());
  EXPECT_EQ(got.error, "");
  EXPECT_TRUE(got.clean);
  EXPECT_TRUE(got.damage.empty());
  ASSERT_EQ(got.frames.size(), all.size());
  expect_prefix(got, all);
}

TEST(SegmentReader, ChannelsAppearInTheFrameThatFirstUsesThem) {
  const TempDir dir;
  base::Rng rng(2);
  std::vector<Frame> all;
  Frame frame;
  for (std::size_t i = 0; i < 60; ++i) {
    frame = testing_run::next_frame(rng, frame, 1 + i / 7);
    all.push_back(frame);
  }
  testing_run::record(dir.path(), all);
  auto reader = SegmentReader::open(dir.path());
  ASSERT_TRUE(reader);
  for (const Frame& want : all) {
    const auto got = reader->next();
    ASSERT_TRUE(got && *got != nullptr);
    expect_same(**got, want);
    EXPECT_GE(reader->channels().channel_count(), want.bits.size());
  }
}

TEST(SegmentReader, SegmentsRollAndStandAlone) {
  const TempDir dir;
  const auto all = testing_run::frames(3, 100, 10);
  WriterOptions options = testing_run::blocks_of(5);
  options.segment_bytes = 3000;
  testing_run::record(dir.path(), all, options);
  auto numbers = list_segments(dir.path());
  ASSERT_TRUE(numbers);
  ASSERT_GT(numbers->size(), 3u);
  const Recording whole = read_all(dir.path());
  ASSERT_EQ(whole.frames.size(), all.size());
  expect_prefix(whole, all);
  EXPECT_TRUE(whole.clean && whole.damage.empty());

  // The last segment alone is a recording of the last frames.
  const std::string last = segment_name(numbers->back());
  const TempDir alone;
  testing_run::fs::copy_file(dir.path() / last, alone.path() / last);
  const Recording tail = read_all(alone.path());
  ASSERT_FALSE(tail.frames.empty());
  expect_same(tail.frames.back(), all.back());
  EXPECT_TRUE(tail.clean && tail.damage.empty());
}

TEST(SegmentReader, ASegmentMayAlsoRollByTime) {
  const TempDir dir;
  const auto all = testing_run::frames(4, 35, 3);
  WriterOptions options = testing_run::blocks_of(5);
  options.segment_ns = 800'000'000;  // frames are 100 ms apart: two blocks
  testing_run::record(dir.path(), all, options);
  EXPECT_EQ(list_segments(dir.path())->size(), 4u);
  EXPECT_EQ(read_all(dir.path()).frames.size(), all.size());
}

TEST(SegmentReader, AMissingOrCutSegmentIsDamageAndAMarkedGap) {
  const TempDir dir;
  const auto all = testing_run::frames(5, 100, 10);
  WriterOptions options = testing_run::blocks_of(5);
  options.segment_bytes = 3000;
  testing_run::record(dir.path(), all, options);
  testing_run::fs::resize_file(dir.path() / "000001.rvs", 2000);
  testing_run::fs::remove(dir.path() / "000003.rvs");
  const Recording got = read_all(dir.path());
  EXPECT_EQ(got.error, "");
  ASSERT_EQ(got.damage.size(), 2u);
  EXPECT_EQ(got.damage[0].file, "000001.rvs");
  EXPECT_EQ(got.damage[0].offset + got.damage[0].bytes, 2000u);
  EXPECT_EQ(got.damage[1].file, "000003.rvs");
  const auto marked = std::count_if(got.frames.begin(), got.frames.end(), [](const Frame& frame) {
    return (frame.gap & model::kGapDamage) != 0;
  });
  EXPECT_EQ(marked, 2);
  expect_same(got.frames.back(), all.back());
}

TEST(SegmentReader, ASegmentOfAnotherRecordingIsLeftOut) {
  const TempDir dir;
  const auto all = testing_run::frames(6, 20, 5);
  testing_run::record(dir.path(), all);
  const TempDir other;
  auto writer = SegmentWriter::create(other.path(), testing_run::without_reserve());
  model::RunFacts facts = testing_run::facts();
  facts.start_wall_ns += 1;
  ASSERT_TRUE(writer && writer->begin(facts) && writer->finish());
  testing_run::fs::copy_file(other.path() / "000001.rvs", dir.path() / "000002.rvs");
  const Recording got = read_all(dir.path());
  EXPECT_EQ(got.frames.size(), all.size());
  ASSERT_EQ(got.damage.size(), 1u);
  EXPECT_THAT(got.damage[0].what, HasSubstr("another recording"));
}

// A file that was copied under another number has no frame twice, wherever the copy stands.
TEST(SegmentReader, ACopyOfASegmentIsLeftOut) {
  const auto all = testing_run::frames(8, 120, 5);
  WriterOptions options = testing_run::blocks_of(5);
  options.segment_bytes = 3000;
  for (const bool before : {false, true}) {
    const TempDir dir;
    testing_run::record(dir.path(), all, options);
    const auto segments = list_segments(dir.path()).value();
    ASSERT_GT(segments.size(), 3u);
    const auto last = dir.path() / segment_name(segments.back());
    const auto copy = before ? segment_name(segments[1]) : segment_name(segments.back() + 1);
    testing_run::fs::copy_file(last, dir.path() / copy,
                               testing_run::fs::copy_options::overwrite_existing);
    const Recording got = read_all(dir.path());
    EXPECT_EQ(got.error, "");
    for (std::size_t i = 1; i < got.frames.size(); ++i) {
      EXPECT_LT(got.frames[i - 1].sequence, got.frames[i].sequence);
    }
    EXPECT_EQ(got.frames.size() < all.size(), before);
    expect_same(got.frames.back(), all.back());
    ASSERT_EQ(got.damage.size(), 1u);
    EXPECT_EQ(got.damage[0].file, copy);
    EXPECT_THAT(got.damage[0].what, HasSubstr("copy of another segment"));
  }
}

// A block that stands in a segment twice gives its frames once.
TEST(SegmentReader, ABlockThatIsThereTwiceIsReadOnce) {
  const TempDir dir;
  const auto all = testing_run::frames(9, 20, 5);
  testing_run::record(dir.path(), all, testing_run::blocks_of(5));
  const std::string bytes = read_file(dir.path() / "000001.rvs");
  const std::string marker("\xD3\x52\x56\x9C", 4);
  std::vector<std::size_t> blocks;
  for (auto at = bytes.find(marker); at != std::string::npos; at = bytes.find(marker, at + 4)) {
    if (bytes[at + 12] == 8) blocks.push_back(at);
  }
  ASSERT_EQ(blocks.size(), 4u);
  const auto first = bytes.substr(blocks[0], blocks[1] - blocks[0]);
  std::ofstream(dir.path() / "000001.rvs", std::ios::binary)
      << bytes.substr(0, blocks[3]) << first << bytes.substr(blocks[3]);
  const Recording got = read_all(dir.path());
  ASSERT_EQ(got.frames.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) expect_same(got.frames[i], all[i]);
  ASSERT_EQ(got.damage.size(), 1u);
  EXPECT_THAT(got.damage[0].what, HasSubstr("there before"));
}

TEST(SegmentReader, CutOffAtEveryByteItYieldsAPrefix) {
  const TempDir dir;
  const auto all = testing_run::frames(7, 13, 5);
  testing_run::record(dir.path(), all, testing_run::blocks_of(2));
  const std::string bytes = read_file(dir.path() / "000001.rvs");
  std::size_t frames_before = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    write_file(dir.path() / "000001.rvs", bytes.substr(0, length));
    const Recording got = read_all(dir.path());
    EXPECT_FALSE(got.clean) << length;
    EXPECT_TRUE(got.damage.empty()) << length;
    expect_prefix(got, all);
    EXPECT_GE(got.frames.size(), frames_before) << length;
    frames_before = got.frames.size();
    if (!got.error.empty()) {
      EXPECT_THAT(got.error, HasSubstr("cut off"));
    }
  }
  EXPECT_EQ(frames_before, all.size());
}

TEST(SegmentReader, AFlippedBitCostsAtMostItsBlock) {
  const TempDir dir;
  auto all = testing_run::frames(8, 25, 4);
  testing_run::record(dir.path(), all, testing_run::blocks_of(10));
  const std::string bytes = read_file(dir.path() / "000001.rvs");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    write_file(dir.path() / "000001.rvs", bad);
    const Recording got = read_all(dir.path());
    ASSERT_EQ(got.error, "") << at;
    EXPECT_TRUE(!got.damage.empty() || !got.clean) << at;

    std::size_t begin = 0;
    while (begin < got.frames.size() && got.frames[begin].sequence == all[begin].sequence) {
      expect_same(got.frames[begin], all[begin]);
      ++begin;
    }
    const std::size_t lost = all.size() - got.frames.size();
    EXPECT_LE(lost, 10u) << at;
    EXPECT_TRUE(lost == 0 || (begin + lost) % 10 == 0 || begin + lost == all.size()) << at;
    for (std::size_t i = begin; i < got.frames.size(); ++i) {
      Frame want = all[i + lost];
      if (i == begin) want.gap |= model::kGapDamage;
      expect_same(got.frames[i], want);
    }
  }
}

// Spoils the first letter of `word` wherever the file has it.
void spoil(const testing_run::fs::path& path, std::string_view word) {
  std::string bytes = read_file(path);
  for (std::size_t at = bytes.find(word); at != std::string::npos; at = bytes.find(word, at)) {
    bytes[at] = '!';
  }
  write_file(path, bytes);
}

TEST(SegmentReader, WithoutRunFactsASegmentCannotBeRead) {
  const TempDir dir;
  const auto all = testing_run::frames(13, 12, 3);
  WriterOptions options = testing_run::blocks_of(10);
  options.segment_ns = 900'000'000;  // one block
  testing_run::record(dir.path(), all, options);
  spoil(dir.path() / "000001.rvs", "start_wall_ns");
  const Recording second = read_all(dir.path());
  EXPECT_EQ(second.error, "");
  ASSERT_EQ(second.frames.size(), 2u);
  EXPECT_NE(second.frames[0].gap & model::kGapDamage, 0);
  expect_same(second.frames[1], all[11]);
  spoil(dir.path() / "000002.rvs", "start_wall_ns");
  EXPECT_THAT(read_all(dir.path()).error, HasSubstr("cut off or damaged"));
}

// Spoils all tables after the first block of a segment.
void spoil_later_tables(const testing_run::fs::path& path) {
  std::string bytes = read_file(path);
  MemoryBytes memory(as_bytes(bytes));
  RecordScanner scanner(memory, kFileHeaderBytes);
  std::vector<std::uint64_t> found;
  bool after_block = false;
  for (auto record = scanner.next(); !record->end; record = scanner.next()) {
    if (record->type == RecordType::kBlock) after_block = true;
    if (after_block && record->type != RecordType::kBlock && record->type != RecordType::kEnd) {
      found.push_back(record->offset + record->bytes - 1);
    }
  }
  ASSERT_EQ(found.size(), 4u);  // both tables, twice
  for (const std::uint64_t at : found) bytes[at] = static_cast<char>(bytes[at] ^ 1);
  write_file(path, bytes);
}

// Both copies of a table that grew in the middle are gone: blocks that use it cannot be read, until
// the next segment states it again.
TEST(SegmentReader, ALostTableCostsTheFramesThatNeedIt) {
  const TempDir dir;
  auto all = testing_run::frames(14, 20, 3);
  base::Rng rng(15);
  while (all.size() < 60) all.push_back(testing_run::next_frame(rng, all.back(), 6));
  WriterOptions options = testing_run::blocks_of(10);
  options.segment_ns = 3'900'000'000;  // four blocks
  testing_run::record(dir.path(), all, options);
  spoil_later_tables(dir.path() / "000001.rvs");
  const Recording got = read_all(dir.path());
  ASSERT_EQ(got.frames.size(), 40u);
  for (std::size_t i = 0; i < 20; ++i) expect_same(got.frames[i], all[i]);
  all[40].gap |= model::kGapDamage;
  for (std::size_t i = 20; i < 40; ++i) expect_same(got.frames[i], all[i + 20]);
  EXPECT_FALSE(got.damage.empty());
}

TEST(SegmentReader, NoiseBetweenRecordsIsPassedOver) {
  const TempDir dir;
  const auto all = testing_run::frames(9, 30, 4);
  testing_run::record(dir.path(), all, testing_run::blocks_of(5));
  const std::string bytes = read_file(dir.path() / "000001.rvs");
  const std::string marker("\xD3RV\x9C", 4);
  const std::size_t at = bytes.find(marker, bytes.size() / 2);
  const std::string noise = marker + std::string(300'000, 'x') + marker + marker;
  write_file(dir.path() / "000001.rvs", bytes.substr(0, at) + noise + bytes.substr(at));
  const Recording got = read_all(dir.path());
  ASSERT_EQ(got.damage.size(), 1u);
  EXPECT_EQ(got.damage[0].offset, at);
  EXPECT_EQ(got.damage[0].bytes, noise.size());
  EXPECT_TRUE(got.clean);
  expect_same(got.frames.back(), all.back());
}

TEST(SegmentReader, RecordsOfUnknownTypesAreSkipped) {
  const TempDir dir;
  const auto all = testing_run::frames(10, 12, 4);
  testing_run::record(dir.path(), all, testing_run::blocks_of(5));
  std::string bytes = read_file(dir.path() / "000001.rvs");
  Bytes unknown;
  append_record(unknown, static_cast<RecordType>(200), as_bytes("from the future"));
  const std::size_t at = bytes.find("\xD3RV\x9C", bytes.size() * 3 / 4);
  bytes.insert(at, as_text(unknown));
  write_file(dir.path() / "000001.rvs", bytes);
  const Recording got = read_all(dir.path());
  EXPECT_EQ(got.frames.size(), all.size());
  EXPECT_TRUE(got.damage.empty() && got.clean);
  expect_prefix(got, all);
}

TEST(SegmentReader, ReadsUpToTheLastFrameWhileTheWriterGoesOn) {
  const TempDir dir;
  const auto all = testing_run::frames(11, 30, 4);
  auto writer = SegmentWriter::create(dir.path(), testing_run::without_reserve());
  ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
  EXPECT_EQ(read_all(dir.path()).frames.size(), 0u);
  model::ChannelTable table;
  testing_run::grow(table, 4);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_TRUE(writer->write(table, all[i]));
    const Recording got = read_all(dir.path());
    ASSERT_EQ(got.frames.size(), i + 1);
    expect_same(got.frames.back(), all[i]);
    EXPECT_FALSE(got.clean);
    EXPECT_TRUE(got.damage.empty());
  }
}

// What killing the recorder leaves: blocks in the segment, and journals.
void record_and_abandon(const testing_run::fs::path& dir, const std::vector<Frame>& all,
                        WriterOptions options) {
  auto writer = SegmentWriter::create(dir, options);
  ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
  model::ChannelTable table;
  for (const Frame& frame : all) {
    testing_run::grow(table, frame.bits.size());
    ASSERT_TRUE(writer->write(table, frame));
  }
  EXPECT_EQ(writer->bytes_on_disk(), testing_run::bytes_in(dir));
}

// Returns the numbers of the frames up to the end.
std::vector<std::uint64_t> rest_of(SegmentReader& reader) {
  std::vector<std::uint64_t> out;
  for (;;) {
    const auto frame = reader.next();
    if (!frame || *frame == nullptr) return out;
    out.push_back((*frame)->sequence);
  }
}

TEST(SegmentReader, GoesOnFromOneJournalToTheNext) {
  const TempDir dir;
  const auto all = testing_run::frames(12, 60, 4);
  auto writer = SegmentWriter::create(dir.path(), testing_run::blocks_of(10));
  ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
  model::ChannelTable table;
  testing_run::grow(table, 4);
  std::size_t done = 0;
  const auto write_until = [&](std::size_t end) {
    for (; done < end; ++done) ASSERT_TRUE(writer->write(table, all[done]));
  };
  write_until(3);
  auto reader = SegmentReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(rest_of(*reader).size(), 3u);
  for (const std::size_t end : {3u, 5u, 9u, 13u, 14u}) {
    const std::size_t before = done;
    write_until(end);
    const auto goes_on = reader->go_on();
    ASSERT_TRUE(goes_on && *goes_on) << end;
    std::vector<std::uint64_t> expected;
    for (std::size_t i = before; i < end; ++i) expected.push_back(all[i].sequence);
    EXPECT_EQ(rest_of(*reader), expected) << end;
  }
  write_until(60);  // the journal after the one that was read has come and gone
  const auto goes_on = reader->go_on();
  ASSERT_TRUE(goes_on);
  EXPECT_FALSE(*goes_on);
}

// A recorder that takes a recording up again numbers its journals from the first on.
TEST(SegmentReader, DoesNotGoOnInAJournalThatIsGone) {
  const TempDir dir;
  record_and_abandon(dir.path(), testing_run::frames(14, 5, 4), testing_run::without_reserve());
  auto reader = SegmentReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(rest_of(*reader).size(), 5u);
  ASSERT_TRUE(*reader->go_on());
  const std::string journal = read_file(dir.path() / "000001.rvj");
  testing_run::fs::remove(dir.path() / "000001.rvj");
  write_file(dir.path() / "000001.rvj", journal);
  const auto goes_on = reader->go_on();
  ASSERT_TRUE(goes_on);
  EXPECT_FALSE(*goes_on);
}

TEST(SegmentReader, DoesNotGoOnAfterTheEndOfARecording) {
  const TempDir dir;
  testing_run::record(dir.path(), testing_run::frames(13, 10, 4));
  auto reader = SegmentReader::open(dir.path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(rest_of(*reader).size(), 10u);
  const auto goes_on = reader->go_on();
  ASSERT_TRUE(goes_on);
  EXPECT_FALSE(*goes_on);
}

TEST(SegmentReader, AnAbandonedRecordingHasEveryFrame) {
  for (const std::size_t block : {1u, 3u, 20u, 600u}) {
    for (const std::size_t count : {1u, 2u, 19u, 20u, 21u, 45u, 70u}) {
      const TempDir dir;
      const auto all = testing_run::frames(count, count, 7);
      record_and_abandon(dir.path(), all, testing_run::blocks_of(block));
      const Recording got = read_all(dir.path());
      EXPECT_TRUE(got.damage.empty() && !got.clean);
      ASSERT_EQ(got.frames.size(), count) << block;
      for (std::size_t i = 0; i < count; ++i) {
        expect_same(got.frames[i], all[i]);
        EXPECT_EQ(got.frames[i].notes, all[i].notes);
      }
    }
  }
}

TEST(SegmentReader, AJournalCutOffAnywhereYieldsAPrefix) {
  const TempDir dir;
  const auto all = testing_run::frames(16, 13, 5);
  record_and_abandon(dir.path(), all, testing_run::without_reserve());
  const std::string bytes = read_file(dir.path() / "000001.rvj");
  std::size_t frames_before = 0;
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    write_file(dir.path() / "000001.rvj", bytes.substr(0, length));
    const Recording got = read_all(dir.path());
    EXPECT_TRUE(got.error.empty() && got.damage.empty() && !got.clean) << length;
    expect_prefix(got, all);
    EXPECT_GE(got.frames.size(), frames_before) << length;
    frames_before = got.frames.size();
  }
  EXPECT_EQ(frames_before, all.size());
}

// The block that cannot be read is the latest, whose journal is still there.
TEST(SegmentReader, AJournalStandsInForADamagedBlock) {
  const TempDir dir;
  const auto all = testing_run::frames(17, 45, 5);
  record_and_abandon(dir.path(), all, testing_run::blocks_of(20));
  std::string bytes = read_file(dir.path() / "000001.rvs");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file(dir.path() / "000001.rvs", bytes);
  const Recording got = read_all(dir.path());
  EXPECT_EQ(got.damage.size(), 1u);
  ASSERT_EQ(got.frames.size(), all.size());
  expect_prefix(got, all);
}

std::vector<Frame> read_some(const testing_run::fs::path& dir, ReadOptions options) {
  auto reader = SegmentReader::open(dir, std::move(options));
  EXPECT_TRUE(reader) << reader.error().message();
  std::vector<Frame> out;
  for (auto frame = reader->next(); frame && *frame != nullptr; frame = reader->next()) {
    out.push_back(**frame);
  }
  EXPECT_TRUE(reader->damage().empty());
  return out;
}

// Expects the first frame to state what held before and in it, and the others what they said.
void expect_notes_of_part(const std::vector<Frame>& got, const std::vector<Frame>& all,
                          std::size_t begin) {
  if (got.empty()) return;
  model::FactTable held;
  for (std::size_t i = 0; i <= begin; ++i) {
    for (const auto& note : all[i].notes) held.apply(note);
  }
  std::size_t facts = 0;
  for (const auto& note : got[0].notes) facts += note.kind == model::Note::Kind::kFact ? 1U : 0U;
  EXPECT_EQ(facts, held.notes().size());
  for (const auto& fact : held.notes()) EXPECT_THAT(got[0].notes, testing::Contains(fact));
  for (std::size_t i = 1; i < got.size(); ++i) EXPECT_EQ(got[i].notes, all[begin + i].notes);
}

TEST(SegmentReader, FramesOfATimeOnly) {
  const auto all = testing_run::frames(18, 120, 6);
  WriterOptions options = testing_run::blocks_of(7);
  options.segment_ns = 2'000'000'000;
  const TempDir closed;
  testing_run::record(closed.path(), all, options);
  ASSERT_GT(list_segments(closed.path())->size(), 4u);
  const TempDir open;
  record_and_abandon(open.path(), all, options);
  base::Rng rng(19);
  for (int round = 0; round < 60; ++round) {
    const std::size_t from = rng.below(all.size());
    const std::size_t to = from + rng.below(all.size() - from);
    ReadOptions of_time;
    if (round % 3 != 0) of_time.from_ns = all[from].wall_ns;
    if (round % 3 != 1) of_time.to_ns = all[to].wall_ns;
    const std::size_t begin = of_time.from_ns ? from : 0;
    const std::size_t end = of_time.to_ns ? to : all.size();
    for (const auto& dir : {closed.path(), open.path()}) {
      const auto got = read_some(dir, of_time);
      ASSERT_EQ(got.size(), end - begin) << round;
      for (std::size_t i = 0; i < got.size(); ++i) expect_same(got[i], all[begin + i]);
      expect_notes_of_part(got, all, of_time.from_ns ? begin : 0);
    }
  }
}

TEST(SegmentReader, ChannelsThatAreNotWantedAreMissing) {
  const auto all = testing_run::frames(20, 50, 9);
  const TempDir dir;
  record_and_abandon(dir.path(), all, testing_run::blocks_of(20));
  ReadOptions options;
  options.wanted = [](const model::MetricDescriptor& metric, std::string_view instance) {
    return metric.name == "cpu_quantity1_total" && instance == "cpu=1";
  };
  const auto got = read_some(dir.path(), options);
  ASSERT_EQ(got.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Frame want = all[i];
    for (std::size_t channel = 0; channel < want.bits.size(); ++channel) {
      if (channel == 4) continue;
      want.bits[channel] = 0;
      want.validity[channel] = model::Validity::kMissing;
    }
    expect_same(got[i], want);
  }
}

TEST(SegmentReader, ADamagedBlockAfterTheTimeIsNotEvenLookedAt) {
  const TempDir dir;
  const auto all = testing_run::frames(21, 60, 6);
  testing_run::record(dir.path(), all, testing_run::blocks_of(10));
  std::string bytes = read_file(dir.path() / "000001.rvs");
  MemoryBytes memory(as_bytes(bytes));
  RecordScanner scanner(memory, kFileHeaderBytes);
  for (auto record = scanner.next(); !record->end; record = scanner.next()) {
    if (record->type != RecordType::kBlock) continue;
    bytes[record->offset + record->bytes - 1] ^= 1;
  }
  write_file(dir.path() / "000001.rvs", bytes);
  ReadOptions options;
  options.to_ns = all[0].wall_ns;
  EXPECT_EQ(read_some(dir.path(), options).size(), 0u);
}

TEST(SegmentReader, SaysWhatIsWrongWithAPath) {
  const TempDir dir;
  EXPECT_THAT(read_all(dir.path() / "absent").error, HasSubstr("no such directory"));
  EXPECT_THAT(read_all(dir.path()).error, HasSubstr("not a Reveal recording"));
  write_file(dir.path() / "file", "x");
  EXPECT_THAT(read_all(dir.path() / "file").error, HasSubstr("is not a directory"));
  EXPECT_THAT(read_all(dir.path()).error, HasSubstr("not a Reveal recording"));
  write_file(dir.path() / "000001.rvs", "some text that is longer than a header");
  EXPECT_THAT(read_all(dir.path()).error, HasSubstr("000001.rvs: is not a segment of Reveal"));
  testing_run::fs::remove(dir.path() / "000001.rvs");
  ASSERT_EQ(::mkfifo((dir.path() / "000001.rvs").c_str(), 0600), 0);
  EXPECT_THAT(read_all(dir.path()).error, HasSubstr("is not a regular file"));
}

TEST(SegmentReader, RefusesANewerFormat) {
  const TempDir dir;
  testing_run::record(dir.path(), testing_run::frames(12, 3, 2));
  std::string bytes = read_file(dir.path() / "000001.rvs");
  bytes[8] = kFormatVersion + 1;
  Bytes crc;
  put_u32(crc, crc32(as_bytes(bytes).first(12)));
  bytes.replace(12, 4, as_text(crc));
  write_file(dir.path() / "000001.rvs", bytes);
  EXPECT_THAT(read_all(dir.path()).error, HasSubstr("storage format 4"));
}

TEST(Crc32, IsThatOfZlibAndPng) {
  EXPECT_EQ(crc32(as_bytes("123456789")), 0xCBF43926u);
}

TEST(SegmentNames, OneSpellingForEachNumber) {
  EXPECT_EQ(segment_name(1), "000001.rvs");
  EXPECT_EQ(segment_name(1'234'567), "1234567.rvs");
  EXPECT_EQ(segment_number("000001.rvs"), 1u);
  EXPECT_EQ(segment_number("1234567.rvs"), 1'234'567u);
  for (const char* name : {"1.rvs", "0000001.rvs", "000000.rvs", "-00001.rvs", "00000a.rvs",
                           "000001.rvs~", "99999999999.rvs", ".rvs", "report.json"}) {
    EXPECT_FALSE(segment_number(name)) << name;
  }
}

}  // namespace
}  // namespace reveal::store

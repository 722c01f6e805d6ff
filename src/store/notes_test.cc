// Notes: what was said is said again on reading, once, whatever becomes of the frames around it.
#include <algorithm>

#include <gmock/gmock.h>

#include "store/notes_codec.h"
#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using model::Note;
using testing_run::TempDir;

std::vector<Note> all_notes(const std::vector<model::Frame>& frames) {
  std::vector<Note> out;
  for (const auto& frame : frames) out.insert(out.end(), frame.notes.begin(), frame.notes.end());
  return out;
}

// Records the frames in segments of a few frames each.
void record(const std::filesystem::path& dir, const std::vector<model::Frame>& frames) {
  auto options = testing_run::blocks_of(4);
  options.segment_ns = 700'000'000;
  auto writer = SegmentWriter::create(dir, options);
  ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
  model::ChannelTable table;
  testing_run::grow(table, 4);
  for (const auto& frame : frames) ASSERT_TRUE(writer->write(table, frame));
  ASSERT_TRUE(writer->finish());
}

TEST(Notes, ComeBackWithTheirFrameOverManySegments) {
  const TempDir dir;
  const auto frames = testing_run::frames(11, 100, 4);
  record(dir.path(), frames);
  const auto got = testing_run::read_all(dir.path());
  ASSERT_EQ(got.frames.size(), frames.size());
  ASSERT_GT(all_notes(frames).size(), 4u);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(got.frames[i].notes, frames[i].notes) << i;
  }
}

TEST(Notes, ALaterSegmentAloneStillKnowsTheFacts) {
  const TempDir dir;
  auto frames = testing_run::frames(12, 100, 4);
  for (auto& frame : frames) frame.notes.clear();
  frames[0].notes = {{Note::Kind::kFact, "net", "mtu of eth0", "9000"},
                     {Note::Kind::kEvent, "kmsg", "xid", "79"},
                     {Note::Kind::kFact, "cgroup", "cg=a", "slurm job 7"}};
  frames[1].notes = {{Note::Kind::kFact, "cgroup", "cg=a", ""}};
  record(dir.path(), frames);
  ASSERT_TRUE(std::filesystem::remove(dir.path() / "000001.rvs"));
  const auto got = testing_run::read_all(dir.path());
  EXPECT_THAT(all_notes(got.frames), ::testing::ElementsAre(frames[0].notes[0]));
}

TEST(Notes, OfADamagedFrameComeWithTheNextSoundOne) {
  const TempDir dir;
  auto frames = testing_run::frames(13, 70, 4);
  for (auto& frame : frames) frame.notes.clear();
  auto writer = SegmentWriter::create(dir.path(), testing_run::without_reserve());
  ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
  model::ChannelTable table;
  testing_run::grow(table, 4);
  std::uint64_t end_of_twelfth = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (i == 12) frames[i].notes = {{Note::Kind::kEvent, "kmsg", "xid", "79"}};
    ASSERT_TRUE(writer->write(table, frames[i]));
    if (i == 12) end_of_twelfth = std::filesystem::file_size(dir.path() / "000001.rvj");
  }
  auto bytes = testing_run::read_file(dir.path() / "000001.rvj");
  bytes[end_of_twelfth - 1] = static_cast<char>(bytes[end_of_twelfth - 1] ^ 0x40);
  testing_run::write_file(dir.path() / "000001.rvj", bytes);
  const auto got = testing_run::read_all(dir.path());
  ASSERT_LT(got.frames.size(), frames.size());
  EXPECT_THAT(all_notes(got.frames), ::testing::ElementsAre(frames[12].notes[0]));
}

TEST(NotesCodec, RoundTripAndEveryCutIsRefused) {
  const std::vector<Note> notes{{Note::Kind::kFact, "a", "", std::string("\0\n", 2)},
                                {Note::Kind::kEvent, "", "b", "c"}};
  Bytes payload;
  put_notes(payload, notes);
  EXPECT_EQ(read_notes(payload).value(), notes);
  for (std::size_t length = 0; length < payload.size(); ++length) {
    EXPECT_FALSE(read_notes(ByteView(payload).first(length))) << length;
  }
  payload[1] = 2;  // no such kind
  EXPECT_FALSE(read_notes(payload));
  EXPECT_TRUE(read_notes(Bytes{0}).value().empty());
}

}  // namespace
}  // namespace reveal::store

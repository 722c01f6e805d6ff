// Segments that number channels anew: a channel is the same to each reader as long as its name is,
// and each file can be read alone.
#include "store/numbering.h"

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/followed_recording.h"
#include "store/recording_dir.h"
#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using model::ChannelId;
using model::ChannelTable;
using model::Frame;
using model::Validity;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing_run::TempDir;
using testing_run::fs::path;

using Values = std::map<std::string, std::uint64_t>;  // those that are not missing, by channel

// The table of a host on which only these groups are.
ChannelTable table_of(const std::vector<std::string>& groups, double scale = 1) {
  ChannelTable out;
  model::MetricDescriptor load;
  load.name = "cpu_load";
  load.collector = "loadavg";
  out.add_channel(out.add_metric(load));
  model::MetricDescriptor used;
  used.name = "cpu_cgroup_used";
  used.collector = "cgroup";
  used.scale = scale;
  for (const auto& group : groups) out.add_channel(out.add_metric(used), "cg=/" + group);
  return out;
}

// A recorder of a host whose groups come and go: the value of a channel is of its tick and its
// name.
class Recorder {
 public:
  explicit Recorder(const path& dir, WriterOptions options = testing_run::blocks_of(4))
      : writer_(SegmentWriter::create(dir, options)) {
    EXPECT_TRUE(writer_ && writer_->begin(testing_run::facts()));
  }
  explicit Recorder(SegmentWriter writer, std::uint64_t next)
      : writer_(std::move(writer)), next_(next) {}

  SegmentWriter& writer() { return *writer_; }
  void number_anew() { ASSERT_TRUE(writer_->number_anew()); }
  void record(const ChannelTable& table, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(writer_->write(table, frame_of(table, next_)));
      expected.push_back(values_of(table, frame_of(table, next_)));
      ++next_;
    }
    EXPECT_EQ(writer_->status().dropped_frames, 0u);
  }

  static Values values_of(const ChannelTable& table, const Frame& frame) {
    Values out;
    for (std::size_t i = 0; i < frame.bits.size(); ++i) {
      const ChannelId id(i);
      if (frame.validity[i] != Validity::kMissing) out[table.name(id)] = frame.bits[i];
    }
    return out;
  }

  std::vector<Values> expected;

 private:
  static Frame frame_of(const ChannelTable& table, std::uint64_t tick) {
    Frame out;
    out.sequence = tick;
    out.mono_ns = 5'000'000'000 + static_cast<std::int64_t>(tick) * 100'000'000;
    out.wall_ns = testing_run::facts().start_wall_ns + out.mono_ns;
    out.resize(table.channel_count());
    for (std::size_t i = 0; i < table.channel_count(); ++i) {
      const auto name = table.name(ChannelId(i));
      out.set_u64(ChannelId(i), 1000 * tick + std::hash<std::string>()(name) % 1000);
    }
    // The collector of groups was read 1 ms before the tick, the other one 2 ms.
    for (std::size_t i = 0; i < table.source_count(); ++i) {
      const bool groups = table.source_name(model::SourceId(i)) == "cgroup";
      out.read_ns.push_back(out.mono_ns - (groups ? 1'000'000 : 2'000'000));
    }
    return out;
  }

  base::Result<SegmentWriter> writer_;
  std::uint64_t next_ = 0;
};

struct Read {
  std::vector<Values> values;
  std::vector<Damage> damage;
  ChannelTable channels;
};

Read read(const path& dir, ReadOptions options = {}) {
  Read out;
  auto reader = SegmentReader::open(dir, std::move(options));
  EXPECT_TRUE(reader) << reader.error().message();
  if (!reader) return out;
  for (;;) {
    const auto frame = reader->next();
    EXPECT_TRUE(frame);
    if (!frame || *frame == nullptr) break;
    out.values.push_back(Recorder::values_of(reader->channels(), **frame));
  }
  out.damage = reader->damage();
  out.channels = reader->channels().clone();
  return out;
}

// One that goes on after a recorder of this recording, with the channels it found.
Recorder resumed(const path& dir, std::uint64_t next) {
  auto writer = SegmentWriter::resume(dir, testing_run::blocks_of(4));
  EXPECT_TRUE(writer) << writer.error().message();
  EXPECT_TRUE(writer->begin(testing_run::facts()));
  return Recorder(std::move(*writer), next);
}

std::string whole_file(const path& dir, std::uint32_t segment) {
  return testing_run::read_file(dir / segment_name(segment));
}

TEST(NumberingTest, AChannelIsTheSameAsLongAsItsNameIs) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.record(table_of({"a", "b"}), 10);
  recorder.number_anew();
  recorder.record(table_of({"c", "b"}), 10);
  recorder.number_anew();
  recorder.record(table_of({"a"}), 7);
  EXPECT_EQ(read(dir.path()).values, recorder.expected);  // the latest frames are in a journal
  ASSERT_TRUE(recorder.writer().finish());
  const auto got = read(dir.path());
  EXPECT_EQ(got.values, recorder.expected);
  EXPECT_THAT(got.damage, IsEmpty());
  EXPECT_EQ(got.channels.channel_count(), 4u);
  EXPECT_EQ(got.channels.metric_count(), 2u);
}

TEST(NumberingTest, ReadingTimesAreThoseOfTheCollectorOfThatName) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.record(table_of({}), 4);
  recorder.number_anew();
  ChannelTable other;
  other.add_channel(other.add_metric(table_of({"a"}).metric(model::MetricId(1))), "cg=/a");
  other.add_channel(other.add_metric(table_of({"a"}).metric(model::MetricId(0))));
  recorder.record(other, 4);
  ASSERT_TRUE(recorder.writer().finish());
  auto reader = SegmentReader::open(dir.path());
  ASSERT_TRUE(reader);
  for (int i = 0; i < 8; ++i) {
    const auto frame = reader->next();
    ASSERT_TRUE(frame && *frame != nullptr);
    const auto& read_ns = (*frame)->read_ns;
    EXPECT_EQ(read_ns[0], (*frame)->mono_ns - 2'000'000) << i;
    if (i >= 4) {
      EXPECT_EQ(read_ns[1], (*frame)->mono_ns - 1'000'000) << i;
    }
  }
}

TEST(NumberingTest, EachSegmentCanBeReadAlone) {
  const TempDir dir;
  WriterOptions options = testing_run::blocks_of(4);
  options.segment_ns = 1'000'000'000;  // several segments a numbering
  Recorder recorder(dir.path(), options);
  recorder.record(table_of({"a", "b"}), 25);
  recorder.number_anew();
  recorder.record(table_of({"c", "b"}), 25);
  ASSERT_TRUE(recorder.writer().finish());
  const auto segments = list_segments(dir.path());
  ASSERT_TRUE(segments);
  ASSERT_GE(segments->size(), 4u);
  std::vector<Values> all;
  for (const std::uint32_t number : *segments) {
    const TempDir alone;
    testing_run::fs::copy(dir.path() / segment_name(number), alone.path());
    const auto part = read(alone.path());
    EXPECT_THAT(part.damage, IsEmpty());
    all.insert(all.end(), part.values.begin(), part.values.end());
  }
  EXPECT_EQ(all, recorder.expected);
}

TEST(NumberingTest, OnlyFilesThatNeedItHaveVersionThree) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.record(table_of({"a"}), 5);
  recorder.number_anew();
  recorder.record(table_of({"b"}), 5);
  EXPECT_EQ(whole_file(dir.path(), 1)[8], 2);
  EXPECT_EQ(whole_file(dir.path(), 2)[8], 3);
  EXPECT_EQ(whole_file(dir.path(), 1).find("numbering"), std::string::npos);
  EXPECT_NE(whole_file(dir.path(), 2).find(R"("numbering":2)"), std::string::npos);
  const auto journals = list_journals(dir.path());
  ASSERT_TRUE(journals && !journals->empty());
  EXPECT_EQ(testing_run::read_file(dir.path() / journal_name(journals->back()))[8], 3);
}

TEST(NumberingTest, NothingIsLostThatWasOnlyInAJournal) {
  const TempDir dir;
  Recorder recorder(dir.path(), testing_run::blocks_of(1000));
  recorder.record(table_of({"a"}), 50);
  recorder.number_anew();
  EXPECT_EQ(read(dir.path()).values, recorder.expected);  // before the first frame that follows
  recorder.record(table_of({"b"}), 1);
  const auto got = read(dir.path());
  EXPECT_EQ(got.values, recorder.expected);
  EXPECT_THAT(got.damage, IsEmpty());
}

TEST(NumberingTest, NumberingTwiceWithoutAFrameLeavesNoEmptySegment) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.record(table_of({"a"}), 5);
  recorder.number_anew();
  recorder.number_anew();
  recorder.record(table_of({"b"}), 5);
  ASSERT_TRUE(recorder.writer().finish());
  const auto segments = list_segments(dir.path());
  ASSERT_TRUE(segments);
  EXPECT_THAT(*segments, ElementsAre(1u, 2u));
  EXPECT_EQ(read(dir.path()).values, recorder.expected);
}

TEST(NumberingTest, AResumedRecordingGoesOnWhicheverSegmentItsRecorderGotTo) {
  for (const std::size_t after : {0u, 1u, 5u, 40u}) {
    const TempDir dir;
    std::vector<Values> expected;
    {
      Recorder killed(dir.path());
      killed.record(table_of({"a", "b"}), 9);
      killed.number_anew();
      killed.record(table_of({"c", "b"}), after);
      expected = killed.expected;
    }
    auto again = resumed(dir.path(), expected.size());
    ChannelTable table = again.writer().resumed()->channels.clone();
    const auto metric = table.find_metric("cpu_cgroup_used");
    ASSERT_TRUE(metric);
    table.add_channel(*metric, "cg=/d");
    again.record(table, 10);
    ASSERT_TRUE(again.writer().finish());
    expected.insert(expected.end(), again.expected.begin(), again.expected.end());
    const auto got = read(dir.path());
    EXPECT_EQ(got.values, expected) << after;
    EXPECT_THAT(got.damage, IsEmpty()) << after;
  }
}

TEST(NumberingTest, OnlyChannelsThatAreWantedHaveValues) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.record(table_of({"a", "b"}), 6);
  recorder.number_anew();
  recorder.record(table_of({"b"}), 6);  // of these some are in a journal
  ReadOptions options;
  options.wanted = [](const model::MetricDescriptor&, std::string_view instance) {
    return instance == "cg=/b";
  };
  const auto got = read(dir.path(), options);
  ASSERT_THAT(got.values, SizeIs(12));
  for (std::size_t i = 0; i < got.values.size(); ++i) {
    const std::string name = "cpu_cgroup_used{cg=/b}";
    EXPECT_EQ(got.values[i], (Values{{name, recorder.expected[i][name]}}));
  }
}

TEST(NumberingTest, AMetricThatIsAnotherUnderTheSameNameIsTold) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.record(table_of({"a"}), 5);
  recorder.number_anew();
  recorder.record(table_of({"a"}, 0.001), 5);
  ASSERT_TRUE(recorder.writer().finish());
  const auto got = read(dir.path());
  ASSERT_FALSE(got.damage.empty());
  EXPECT_THAT(got.damage.front().what, testing::HasSubstr("a metric that is another"));
  EXPECT_EQ(got.channels.metric(model::MetricId(1)).scale, 1);
}

TEST(NumberingTest, WithoutItsRunFactsASegmentIsDamageAndNotRubbish) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.record(table_of({"a", "b"}), 8);
  recorder.number_anew();
  recorder.record(table_of({"c", "b"}), 8);
  ASSERT_TRUE(recorder.writer().finish());
  std::string bytes = whole_file(dir.path(), 2);
  for (std::size_t at = 0; (at = bytes.find("numbering", at)) != std::string::npos; ++at) {
    bytes[at] ^= 1;  // both copies
  }
  testing_run::write_file(dir.path() / segment_name(2), bytes);
  const auto got = read(dir.path());
  const std::vector<Values> before(recorder.expected.begin(), recorder.expected.begin() + 8);
  EXPECT_EQ(got.values, before);
  EXPECT_FALSE(got.damage.empty());
}

TEST(NumberingTest, OneCopyOfItsRunFactsAndTablesIsEnough) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.record(table_of({"a", "b"}), 8);
  recorder.number_anew();
  recorder.record(table_of({"c", "b"}), 8);
  ASSERT_TRUE(recorder.writer().finish());
  std::string bytes = whole_file(dir.path(), 2);
  bytes[bytes.find("numbering")] ^= 1;
  testing_run::write_file(dir.path() / segment_name(2), bytes);
  EXPECT_EQ(read(dir.path()).values, recorder.expected);
}

class Follower : public model::FrameSink {
 public:
  base::Result<void> begin(const model::RunFacts& /*facts*/) override { return {}; }
  base::Result<void> write(const ChannelTable& channels, const Frame& frame) override {
    for (std::size_t i = 0; i < channels.channel_count(); ++i) {
      if (i == names.size()) names.push_back(channels.name(ChannelId(i)));
      EXPECT_EQ(names[i], channels.name(ChannelId(i)));  // a number never changes its meaning
    }
    values.push_back(Recorder::values_of(channels, frame));
    return {};
  }
  base::Result<void> finish() override { return {}; }

  std::vector<std::string> names;
  std::vector<Values> values;
};

TEST(NumberingTest, WhoFollowsTheRecordingKeepsTheNumbersItKnows) {
  const TempDir dir;
  Recorder recorder(dir.path());
  FollowedRecording followed(dir.path(), std::nullopt);
  Follower sink;
  const auto groups = [](int i) {
    return std::vector<std::string>{"g" + std::to_string(i), "stays", "h" + std::to_string(i)};
  };
  for (int i = 0; i < 40; ++i) {
    if (i % 3 == 2) recorder.number_anew();
    recorder.record(table_of(groups((i + 1) / 3)), 3);
    if (i % 2 == 0) {
      ASSERT_TRUE(followed.read_new(sink));
    }
  }
  ASSERT_TRUE(recorder.writer().finish());
  ASSERT_TRUE(followed.read_new(sink));
  EXPECT_EQ(sink.values, recorder.expected);
}

TEST(NumberingTest, ARecordingIsExtendedByFramesThatAreNumberedOtherwise) {
  const TempDir dir;
  std::vector<Values> expected;
  {
    Recorder recorder(dir.path());
    recorder.record(table_of({"a", "b"}), 8);
    ASSERT_TRUE(recorder.writer().finish());
    expected = recorder.expected;
  }
  WriterOptions options = testing_run::blocks_of(4);
  options.number_anew = true;
  auto writer = SegmentWriter::extend(dir.path(), {}, options);
  ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
  Recorder more(std::move(*writer), 8);
  more.record(table_of({"c", "b"}), 8);
  ASSERT_TRUE(more.writer().finish());
  expected.insert(expected.end(), more.expected.begin(), more.expected.end());
  EXPECT_EQ(read(dir.path()).values, expected);
}

}  // namespace
}  // namespace reveal::store

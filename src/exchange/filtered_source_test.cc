#include "exchange/filtered_source.h"

#include <gtest/gtest.h>

#include "exchange/testing/test_frames.h"

namespace reveal::exchange {
namespace {

using model::ChannelId;

class RunSource : public model::FrameSource {
 public:
  explicit RunSource(const test_frames::Run& run) : run_(run) {}
  const model::RunFacts& facts() const override { return run_.run_facts; }
  const model::ChannelTable& channels() const override { return run_.channels; }
  base::Result<const model::Frame*> next() override {
    return at_ < run_.frames.size() ? &run_.frames[at_++] : nullptr;
  }

 private:
  const test_frames::Run& run_;
  std::size_t at_ = 0;
};

std::vector<model::Frame> frames_of(FilteredSource& source) {
  std::vector<model::Frame> out;
  for (;;) {
    const auto frame = source.next();
    if (!frame || *frame == nullptr) return out;
    out.push_back(**frame);
  }
}

TEST(FilteredSource, ChoosesChannelsByPattern) {
  const auto run = test_frames::make_run(1, 5, 20, true);
  RunSource whole(run);
  FilteredSource part(whole, {.channels = {"*quantity1_total", "*{cpu=3}"}});
  const auto frames = frames_of(part);
  ASSERT_EQ(frames.size(), 5u);
  ASSERT_EQ(part.channels().channel_count(), 5u + 3u);
  EXPECT_EQ(frames[0].bits.size(), 6u);  // ten of twenty channels are there at first
  for (std::size_t i = 0; i < part.channels().channel_count(); ++i) {
    const ChannelId id(i);
    const auto origin = run.channels.find_channel(part.channels().name(id));
    ASSERT_TRUE(origin);
    EXPECT_EQ(frames[4].bits[i], run.frames[4].bits[origin->index()]);
    EXPECT_EQ(frames[4].validity[i], run.frames[4].validity[origin->index()]);
    EXPECT_EQ(frames[4].read_ns_of(part.channels().source(id)),
              run.frames[4].read_ns_of(run.channels.source(*origin)));
  }
}

TEST(FilteredSource, RestatesTheFactsThatHold) {
  auto run = test_frames::make_run(2, 4, 5);
  for (auto& frame : run.frames) frame.notes.clear();
  using model::Note;
  run.frames[0].notes = {{Note::Kind::kFact, "net", "mtu", "1500"},
                         {Note::Kind::kEvent, "kmsg", "xid", "79"}};
  run.frames[1].notes = {{Note::Kind::kFact, "net", "mtu", "9000"}};
  run.frames[2].notes = {{Note::Kind::kEvent, "kmsg", "xid", "80"}};
  RunSource whole(run);
  FilteredSource part(whole, {.from_ns = run.frames[2].wall_ns, .to_ns = run.frames[2].wall_ns});
  const auto frames = frames_of(part);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].sequence, 0u);
  EXPECT_EQ(frames[0].gap, model::kNoGap);
  EXPECT_EQ(frames[0].notes, (std::vector<Note>{{Note::Kind::kFact, "net", "mtu", "9000"},
                                                {Note::Kind::kEvent, "kmsg", "xid", "80"}}));
}

TEST(FilteredSource, KeepsTheWholeAsItIs) {
  const auto run = test_frames::make_run(3, 6, 10);
  RunSource whole(run);
  FilteredSource part(whole, {});
  const auto frames = frames_of(part);
  ASSERT_EQ(frames.size(), run.frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(frames[i].sequence, run.frames[i].sequence);
    EXPECT_EQ(frames[i].bits, run.frames[i].bits);
    EXPECT_EQ(frames[i].validity, run.frames[i].validity);
    EXPECT_EQ(frames[i].notes, run.frames[i].notes);
  }
}

}  // namespace
}  // namespace reveal::exchange

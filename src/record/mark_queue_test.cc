#include "record/mark_queue.h"

#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <unistd.h>

#include "base/thread.h"

namespace reveal::record {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

struct MarkQueueTest : testing::Test {
  MarkQueue ours = std::move(MarkQueue::create().value());
  MarkQueue theirs = std::move(MarkQueue::open(::dup(ours.fd())).value());

  // What the frame at that time gets.
  static std::vector<std::string> said_at(MarkQueue& queue, std::int64_t wall_ns) {
    std::vector<model::Note> notes;
    queue.say(wall_ns, notes);
    std::vector<std::string> out;
    for (const auto& note : notes) {
      EXPECT_EQ(note.kind, model::Note::Kind::kEvent);
      EXPECT_EQ(note.source, "mark");
      out.push_back(note.subject + ": " + note.text);
    }
    return out;
  }
};

TEST_F(MarkQueueTest, AMarkIsInOneFrameOnceThatIsWritten) {
  EXPECT_THAT(said_at(theirs, 0), IsEmpty());
  EXPECT_FALSE(theirs.has_waiting());
  ASSERT_TRUE(ours.put(kSecond_ns, "job 7", "started"));
  EXPECT_TRUE(theirs.has_waiting());
  EXPECT_THAT(said_at(theirs, kSecond_ns), ElementsAre("job 7: started"));
  EXPECT_TRUE(theirs.has_waiting());
  theirs.said();
  EXPECT_FALSE(theirs.has_waiting());
  EXPECT_THAT(said_at(theirs, kSecond_ns), IsEmpty());
}

TEST_F(MarkQueueTest, ARecorderThatIsKilledBeforeItWroteLeavesTheMarkToTheNext) {
  ASSERT_TRUE(ours.put(kSecond_ns, "mark", "deployed"));
  EXPECT_THAT(said_at(theirs, kSecond_ns), SizeIs(1));
  auto next = std::move(MarkQueue::open(::dup(ours.fd())).value());
  EXPECT_THAT(said_at(next, 11 * kSecond_ns), ElementsAre("mark: deployed (said 10.0 s before)"));
  next.said();
  EXPECT_THAT(said_at(next, 11 * kSecond_ns), IsEmpty());
}

TEST_F(MarkQueueTest, AFloodIsRefusedAndAFrameGetsFew) {
  for (std::size_t i = 0; i < MarkQueue::kMost; ++i) {
    ASSERT_TRUE(ours.put(0, "mark", std::to_string(i)));
  }
  EXPECT_EQ(ours.put(0, "mark", "one more").error().kind, base::ErrorKind::kBusy);
  std::vector<std::string> all;
  for (std::size_t frame = 0; frame < MarkQueue::kMost / MarkQueue::kMostATick; ++frame) {
    for (auto& one : said_at(theirs, 0)) all.push_back(std::move(one));
    theirs.said();
  }
  EXPECT_THAT(all, SizeIs(MarkQueue::kMost));
  EXPECT_EQ(all.back(), "mark: 63");
  EXPECT_TRUE(ours.put(0, "mark", "one more"));
}

TEST_F(MarkQueueTest, RefusesWhatIsTooLongAndADescriptorThatIsSomethingElse) {
  EXPECT_EQ(ours.put(0, "mark", std::string(MarkQueue::kMostBytes, 'x')).error().kind,
            base::ErrorKind::kUsage);
  EXPECT_EQ(MarkQueue::open(999).error().kind, base::ErrorKind::kUsage);
}

// The text of a mark: so long that one which is read while it is written would be a mixture.
std::string made_text(int number) {
  std::string out;
  while (out.size() < 400) out += std::to_string(number) + ' ';
  return out;
}

// Both threads use the same mapping: a thread sanitizer takes another one for other memory.
TEST_F(MarkQueueTest, MarksThatComeWhileOthersAreSaidArriveWholeAndInTheirOrder) {
  constexpr int kMarks = 1000;
  auto writer = base::start_thread("marks", [&] {
    for (int number = 0; number < kMarks; ++number) {
      while (!ours.put(0, "mark", made_text(number))) std::this_thread::yield();
    }
  });
  ASSERT_TRUE(writer);
  int next = 0;
  int wrong = 0;
  while (next < kMarks) {
    const auto said = said_at(ours, 0);
    if (said.empty()) std::this_thread::yield();
    for (const auto& one : said) wrong += one == "mark: " + made_text(next++) ? 0 : 1;
    ours.said();
  }
  writer->join();
  EXPECT_EQ(wrong, 0);
  EXPECT_THAT(said_at(ours, 0), IsEmpty());
}

}  // namespace
}  // namespace reveal::record

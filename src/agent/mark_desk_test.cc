#include "agent/mark_desk.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

namespace reveal::agent {
namespace {

using ::testing::ElementsAre;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

struct MarkDeskTest : testing::Test {
  record::MarkQueue recorder = std::move(record::MarkQueue::create().value());
  MarkDesk desk{std::move(record::MarkQueue::open(::dup(recorder.fd())).value())};

  std::vector<std::string> recorded() {
    std::vector<model::Note> notes;
    recorder.say(0, notes);
    recorder.said();
    std::vector<std::string> out;
    out.reserve(notes.size());
    for (const auto& note : notes) out.push_back(note.subject + ": " + note.text);
    return out;
  }
};

TEST_F(MarkDeskTest, KnowsJobsFromOtherTexts) {
  for (const char* text :
       {"job-start 81723", "job-end 81723.batch", "job-start", "job-start a b"}) {
    ASSERT_TRUE(desk.take(text, 0, 0)) << text;
  }
  EXPECT_THAT(recorded(), ElementsAre("job 81723: started", "job 81723.batch: ended",
                                      "mark: job-start", "mark: job-start a b"));
}

TEST_F(MarkDeskTest, ATextIsHarmlessAndOneLine) {
  ASSERT_TRUE(desk.take("a\x1b[31m\nb\xff", 0, 0));
  EXPECT_THAT(recorded(), ElementsAre("mark: a?[31m b?"));
}

TEST_F(MarkDeskTest, AFloodIsRefusedUntilItIsOver) {
  std::size_t taken = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    if (desk.take("x", 0, 5 * kSecond_ns)) ++taken;
    recorded();
  }
  EXPECT_EQ(taken, 30U);
  EXPECT_EQ(desk.take("x", 0, 6 * kSecond_ns).error().kind, base::ErrorKind::kBusy);
  EXPECT_TRUE(desk.take("x", 0, 7 * kSecond_ns));
}

}  // namespace
}  // namespace reveal::agent

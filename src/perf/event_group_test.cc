#include "perf/event_group.h"

#include <cerrno>

#include <gmock/gmock.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/mman.h>

namespace reveal::perf {
namespace {

constexpr EventCode software(std::uint64_t config) {
  return {.type = PERF_TYPE_SOFTWARE, .config = config};
}
constexpr EventCode kFaults = software(PERF_COUNT_SW_PAGE_FAULTS);
constexpr EventCode kClock = software(PERF_COUNT_SW_CPU_CLOCK);
constexpr EventCode kUnknown = software(1'000'000);

std::uint32_t pin_to_this_cpu() {
  const int cpu = ::sched_getcpu();
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  ::sched_setaffinity(0, sizeof(set), &set);
  return static_cast<std::uint32_t>(cpu);
}

void touch_pages(std::size_t pages) {
  const std::size_t size = pages * 4096;
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  ::madvise(memory, size, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < pages; ++i) static_cast<volatile char*>(memory)[i * 4096] = 1;
  ::munmap(memory, size);
}

// A group on this core, or the reason why this user may have none.
class EventGroupTest : public ::testing::Test {
 protected:
  void open(std::vector<EventCode> events, GroupOptions options = {}) {
    auto group = EventGroup::open(pin_to_this_cpu(), events, options);
    if (!group) {
      ASSERT_EQ(group.error().kind, base::ErrorKind::kPermission) << group.error().message();
      GTEST_SKIP() << group.error().message();
    }
    group_ = std::move(*group);
    counts_.resize(events.size());
  }
  const std::vector<ScaledCount>& read() {
    EXPECT_TRUE(group_->read(counts_));
    return counts_;
  }

  std::optional<EventGroup> group_;
  std::vector<ScaledCount> counts_;
};

TEST_F(EventGroupTest, CountsWhatHappensOnItsCore) {
  open({kUnknown, kFaults});
  if (!group_) return;
  EXPECT_NE(group_->refusals()[0], 0);
  EXPECT_EQ(group_->refusals()[1], 0);
  const auto before = read();
  touch_pages(1000);
  const auto after = read();
  EXPECT_FALSE(after[0]);
  ASSERT_TRUE(before[1] && after[1]);
  EXPECT_GE(*after[1] - *before[1], 1000u);
}

TEST_F(EventGroupTest, AStoppedGroupCountsNothingUntilItIsResumed) {
  open({kFaults, kClock}, {.stopped = true});
  if (!group_) return;
  touch_pages(1000);
  EXPECT_EQ(read()[0], ScaledCount(0));
  EXPECT_EQ(group_->enabled_ns(), 0u);
  group_->resume();
  touch_pages(1000);
  const auto counted = read()[0];
  ASSERT_TRUE(counted);
  EXPECT_GE(*counted, 1000u);
  EXPECT_GT(group_->enabled_ns(), 0u);
  EXPECT_EQ(group_->enabled_ns(), group_->running_ns());  // software events always run
  group_->stop();
  const auto stopped = read();
  const auto enabled = group_->enabled_ns();
  touch_pages(1000);
  EXPECT_EQ(read(), stopped);
  EXPECT_EQ(group_->enabled_ns(), enabled);
}

TEST_F(EventGroupTest, ManyGroupsOnOneCoreCountTheSame) {
  open({kFaults});
  if (!group_) return;
  auto other = EventGroup::open(pin_to_this_cpu(), std::vector{kFaults});
  ASSERT_TRUE(other);
  std::vector<ScaledCount> theirs(1);
  const auto before = *read()[0];
  ASSERT_TRUE(other->read(theirs));
  const auto their_before = *theirs[0];
  touch_pages(500);
  ASSERT_TRUE(other->read(theirs));
  const auto counted = *theirs[0] - their_before;
  EXPECT_GE(counted, 500u);
  EXPECT_GE(*read()[0] - before, counted);  // read last, so that it has seen at least as much
}

TEST(EventGroup, RefusedEventsSayWhy) {
  EXPECT_FALSE(EventGroup::open(0, std::vector{kUnknown}));
  EXPECT_FALSE(EventGroup::open(0, {}));
  const base::Error denied = refusal(EACCES, "cpu-cycles");
  EXPECT_EQ(denied.kind, base::ErrorKind::kPermission);
  EXPECT_THAT(denied.message(), ::testing::HasSubstr("CAP_PERFMON"));
  const base::Error container = refusal(EPERM, "cpu-cycles");
  EXPECT_EQ(container.kind, base::ErrorKind::kPermission);
  EXPECT_THAT(container.message(), ::testing::HasSubstr("seccomp"));
  EXPECT_NE(container.remedy, denied.remedy);
  EXPECT_FALSE(denied.remedy.empty());
  for (const int absent : {ENOENT, ENODEV, EINVAL, EOPNOTSUPP, ENODATA}) {
    EXPECT_EQ(refusal(absent, "cpu-cycles").kind, base::ErrorKind::kAbsent);
  }
}

}  // namespace
}  // namespace reveal::perf

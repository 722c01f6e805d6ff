#include "perf/event_group.h"

#include <cerrno>
#include <set>

#include <gmock/gmock.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/mman.h>

namespace reveal::perf {
namespace {

constexpr EventDescriptor event(std::uint64_t config, std::string_view name) {
  return {PERF_TYPE_SOFTWARE, config, name, "", "", "", "", "cpu", false, 1.0, 100, ""};
}
constexpr EventDescriptor kFaults = event(PERF_COUNT_SW_PAGE_FAULTS, "page-faults");
constexpr EventDescriptor kUnknown = event(1'000'000, "unknown");

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

TEST(EventGroup, CountsWhatHappensOnItsCore) {
  const EventDescriptor events[] = {kUnknown, kFaults};
  auto group = EventGroup::open(pin_to_this_cpu(), events);
  if (!group) {
    ASSERT_EQ(group.error().kind, base::ErrorKind::kPermission) << group.error().message();
    GTEST_SKIP() << group.error().message();
  }
  EXPECT_NE(group->refusals()[0], 0);
  EXPECT_EQ(group->refusals()[1], 0);
  ScaledCount before[2];
  ScaledCount after[2];
  ASSERT_TRUE(group->read(before));
  touch_pages(1000);
  ASSERT_TRUE(group->read(after));
  EXPECT_FALSE(after[0]);
  ASSERT_TRUE(before[1] && after[1]);
  EXPECT_GE(*after[1] - *before[1], 1000u);
}

TEST(EventGroup, RefusedEventsSayWhy) {
  const EventDescriptor events[] = {kUnknown};
  EXPECT_FALSE(EventGroup::open(0, events));
  EXPECT_FALSE(EventGroup::open(0, {}));
  const base::Error denied = refusal(EACCES, kFaults);
  EXPECT_EQ(denied.kind, base::ErrorKind::kPermission);
  EXPECT_THAT(denied.message(), ::testing::HasSubstr("CAP_PERFMON"));
  EXPECT_FALSE(denied.remedy.empty());
  EXPECT_EQ(refusal(ENOENT, kFaults).kind, base::ErrorKind::kAbsent);
}

TEST(Events, TableIsWellFormed) {
  std::set<std::string_view> metrics;
  std::set<std::pair<std::uint32_t, std::uint64_t>> codes;
  for (const EventDescriptor& event : software_events()) {
    EXPECT_TRUE(metrics.insert(event.metric).second) << event.metric;
    EXPECT_TRUE(codes.insert({event.type, event.config}).second) << event.metric;
    EXPECT_GT(event.scale, 0.0);
    EXPECT_THAT(std::string(event.metric), ::testing::StartsWith(std::string(event.subsystem)));
  }
}

}  // namespace
}  // namespace reveal::perf

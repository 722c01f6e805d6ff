// Runs as the only program of an emulated machine whose every instruction takes the same time: what
// the hardware counters must say is then known exactly. Prints its findings to the console, "GUEST
// PASS" or "GUEST FAIL" last, and turns the machine off.
//
// The machine's clock stands for 2^SHIFT ns an instruction (QEMU's -icount shift=SHIFT), and its
// PMU counts a cycle a ns, so that cycles are instructions times 2^SHIFT.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <linux/perf_event.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perf/event_group.h"

namespace {

using reveal::perf::EventCode;
using reveal::perf::EventGroup;
using reveal::perf::ScaledCount;

constexpr EventCode hardware(std::uint64_t config) {
  return {.type = PERF_TYPE_HARDWARE, .config = config};
}
constexpr EventCode kCycles = hardware(PERF_COUNT_HW_CPU_CYCLES);
constexpr EventCode kInstructions = hardware(PERF_COUNT_HW_INSTRUCTIONS);
constexpr EventCode kStalls = hardware(PERF_COUNT_HW_STALLED_CYCLES_BACKEND);
constexpr EventCode kMisses = hardware(PERF_COUNT_HW_CACHE_MISSES);

constexpr std::uint64_t kRounds = 20'000'000;
constexpr std::uint64_t kInstructionsOfRound = 3;  // add, subtract, branch
// What the kernel does around and between: reading the group, timer interrupts.
constexpr double kSlack = 0.01;

// After its start a kernel still tests what it has, in threads that share the only core with the
// loop: RISC-V's for two seconds.
constexpr unsigned kSettlingSeconds = 10;

int failures = 0;

void expect(bool holds, const std::string& what) {
  std::printf("%s %s\n", holds ? "ok  " : "FAIL", what.c_str());
  if (!holds) ++failures;
}

void loop(std::uint64_t rounds) {
  std::uint64_t sum = 0;
#if defined(__riscv)
  asm volatile(
      "1: addi %0, %0, 1\n"
      "   addi %1, %1, -1\n"
      "   bnez %1, 1b\n"
      : "+r"(sum), "+r"(rounds));
#else
  asm volatile(
      "1: add %0, %0, #1\n"
      "   subs %1, %1, #1\n"
      "   b.ne 1b\n"
      : "+r"(sum), "+r"(rounds)
      :
      : "cc");
#endif
}

bool is_near(std::uint64_t value, std::uint64_t wanted) {
  const auto low = static_cast<double>(wanted);
  return static_cast<double>(value) >= low && static_cast<double>(value) <= low * (1.0 + kSlack);
}

// Returns how far each event got over the loop.
std::vector<std::uint64_t> count_loop(EventGroup& group, std::size_t events) {
  std::vector<ScaledCount> before(events);
  std::vector<ScaledCount> after(events);
  expect(group.read(before).has_value(), "the group is read before");
  loop(kRounds);
  expect(group.read(after).has_value(), "the group is read after");
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < events; ++i) {
    out.push_back(after[i].value_or(0) - before[i].value_or(0));
  }
  return out;
}

void test_exact_counts(unsigned shift) {
  const std::vector<EventCode> events{kCycles, kInstructions};
  auto group = EventGroup::open(0, events);
  expect(group.has_value(), "cycles and instructions open in one group");
  if (!group) return;
  const auto counts = count_loop(*group, events.size());
  std::printf("cycles %llu instructions %llu\n", static_cast<unsigned long long>(counts[0]),
              static_cast<unsigned long long>(counts[1]));
  const std::uint64_t wanted = kRounds * kInstructionsOfRound;
  expect(is_near(counts[1], wanted), "instructions are those of the loop");
  expect(is_near(counts[0], wanted << shift), "cycles are instructions times 2^shift");
  expect(group->enabled_ns() == group->running_ns(), "a group that fits counts all the time");
}

// The machine's PMU knows neither: each must be refused by itself.
void test_absent_events() {
  const std::vector<EventCode> events{kCycles, kMisses, kInstructions};
  auto group = EventGroup::open(0, events);
  expect(group.has_value(), "a group opens beside an event that is refused");
  if (!group) return;
  expect(group->refusals()[0] == 0 && group->refusals()[2] == 0, "known events are open");
  expect(group->refusals()[1] != 0, "cache misses are refused");
  const auto counts = count_loop(*group, events.size());
  expect(counts[1] == 0 && counts[2] >= kRounds, "those beside it count");
}

// Arm's machine has seven counters, one of them for cycles only, RISC-V's has 18: twelve groups of
// two are more than either can count at once. They take turns, and what each is scaled to is still
// the loop's, within what a fair share of a short time can say.
void test_turns_of_the_kernel() {
  const std::vector<EventCode> events{kInstructions, kCycles};
  std::vector<EventGroup> groups;
  for (int i = 0; i < 12; ++i) {
    auto group = EventGroup::open(0, events);
    expect(group.has_value(), "a group of twelve opens");
    if (group) groups.push_back(std::move(*group));
  }
  std::vector<std::vector<ScaledCount>> before(groups.size(), std::vector<ScaledCount>(2));
  std::vector<ScaledCount> after(2);
  for (std::size_t i = 0; i < groups.size(); ++i) (void)groups[i].read(before[i]);
  for (int i = 0; i < 5; ++i) loop(kRounds);
  const double wanted = 5.0 * static_cast<double>(kRounds * kInstructionsOfRound);
  bool shared = false;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    expect(groups[i].read(after).has_value(), "a group that takes turns is read");
    shared = shared || groups[i].running_ns() < groups[i].enabled_ns();
    const double counted = static_cast<double>(after[0].value_or(0) - before[i][0].value_or(0));
    std::printf("group %zu: instructions %.0f, counted %llu of %llu ns\n", i, counted,
                static_cast<unsigned long long>(groups[i].running_ns()),
                static_cast<unsigned long long>(groups[i].enabled_ns()));
    expect(counted > 0.9 * wanted && counted < 1.2 * wanted, "its scaled count is the loop's");
  }
  expect(shared, "there were more groups than counters");
}

// A stopped group counts nothing; resumed, it counts exactly.
void test_stop_and_resume() {
  const std::vector<EventCode> events{kInstructions, kCycles};
  auto group = EventGroup::open(0, events, {.stopped = true});
  expect(group.has_value(), "a stopped group opens");
  if (!group) return;
  expect(count_loop(*group, 2)[0] == 0, "a stopped group counts nothing");
  group->resume();
  expect(is_near(count_loop(*group, 2)[0], kRounds * kInstructionsOfRound),
         "a resumed group counts the loop");
  group->stop();
  std::vector<ScaledCount> counts(2);
  (void)group->read(counts);  // what was counted between the last read and the stop
  expect(count_loop(*group, 2)[0] == 0, "a group stopped again counts nothing");
}

// From "reveal_shift=N" of the kernel's command line.
unsigned shift_of_machine() {
  std::FILE* file = std::fopen("/proc/cmdline", "r");
  char text[4096] = {};
  const std::size_t size = file == nullptr ? 0 : std::fread(text, 1, sizeof(text) - 1, file);
  if (file != nullptr) std::fclose(file);
  const std::string line(text, size);
  const auto at = line.find("reveal_shift=");
  return at == std::string::npos ? 0U : static_cast<unsigned>(std::atoi(line.c_str() + at + 13));
}

}  // namespace

int main() {
  ::mkdir("/proc", 0555);
  ::mount("proc", "/proc", "proc", 0, nullptr);
  const unsigned shift = shift_of_machine();
  ::sleep(kSettlingSeconds);
  test_exact_counts(shift);
  test_absent_events();
  test_stop_and_resume();
  test_turns_of_the_kernel();
  std::printf("GUEST %s\n", failures == 0 ? "PASS" : "FAIL");
  std::fflush(stdout);
  ::sync();
  ::reboot(RB_POWER_OFF);
  return failures;
}

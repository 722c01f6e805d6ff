#include "model/process_timeline.h"

#include <gtest/gtest.h>

namespace reveal::model {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr double kMiB = 1024.0 * 1024.0;
constexpr int kUptime_s = 1000;  // when a timeline begins

ProcessUse use(std::string name, std::uint64_t pid, double cores) {
  ProcessUse out;
  out.name = std::move(name);
  out.pid = pid;
  out.start = 100;
  out.seconds = 1;
  out.cores = cores;
  out.resident = kMiB;
  return out;
}

// Two minutes; each second's uses are those that `uses_at` returns.
template <typename UsesAt>
ProcessTimeline timeline(UsesAt uses_at) {
  ProcessTimeline out;
  out.add(0, kUptime_s * kSecond_ns, {{Note::Kind::kFact, "process", "processes", "recorded"}});
  for (int second = 1; second <= 120; ++second) {
    std::vector<Note> notes;
    for (const ProcessUse& one : uses_at(second)) notes.push_back(note_of(one));
    out.add(second * kSecond_ns, (kUptime_s + second) * kSecond_ns, notes);
  }
  return out;
}

std::optional<ProcessRise> asked(const ProcessTimeline& of, int begin, int end,
                                 Subsystem resource = Subsystem::kCpu,
                                 std::string_view group = {}) {
  return of.largest_rise(begin * kSecond_ns, end * kSecond_ns, resource, group);
}

TEST(ProcessTimeline, NamesTheProcessThatRoseAndNotTheOneThatAlwaysRuns) {
  const auto of = timeline([](int second) {
    std::vector<ProcessUse> out{use("train", 10, 1.5)};
    if (second > 60 && second <= 68) out.push_back(use("burst", 4242, 0.4));
    return out;
  });
  EXPECT_TRUE(of.is_recorded());
  const auto found = asked(of, 59, 70);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "burst");
  EXPECT_EQ(found->pid, 4242u);
  EXPECT_EQ(found->count, 1u);
  EXPECT_NEAR(found->observed, 0.4, 1e-9);
  EXPECT_EQ(found->usual, 0);
  EXPECT_NEAR(found->share, 1, 1e-9);
  EXPECT_FALSE(asked(of, 80, 90)) << "nobody rose there";
}

TEST(ProcessTimeline, SharesAreOfWhatAllUsedMore) {
  const auto of = timeline([](int second) {
    const bool in = second > 60 && second <= 70;
    return std::vector<ProcessUse>{use("a", 1, in ? 1.0 : 0.25), use("b", 2, in ? 0.5 : 0.25)};
  });
  const auto found = asked(of, 60, 70);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "a");
  EXPECT_NEAR(found->observed, 1.0, 1e-9);
  EXPECT_NEAR(found->usual, 0.25, 1e-9);
  EXPECT_NEAR(found->share, 0.75 / (0.75 + 0.25), 1e-9);
}

TEST(ProcessTimeline, WhatComesAfterTellsIfNothingIsBefore) {
  const auto of = timeline(
      [](int second) { return std::vector<ProcessUse>{use("a", 1, second <= 10 ? 1.0 : 0.3)}; });
  const auto found = asked(of, 0, 10);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->usual, 0.3, 1e-9);
}

TEST(ProcessTimeline, ShortRunsOfOneNameCountTogether) {
  const auto of = timeline([](int second) {
    std::vector<ProcessUse> out;
    if (second > 60 && second <= 70) {
      for (std::uint64_t i = 0; i < 3; ++i) {
        out.push_back(use("cc1plus", static_cast<std::uint64_t>(second) * 10 + i, 0.6));
      }
    }
    return out;
  });
  const auto found = asked(of, 60, 70);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "cc1plus");
  EXPECT_EQ(found->count, 30u);
  EXPECT_NEAR(found->observed, 1.8, 1e-9);
}

// What is not listed is not in the sum.
TEST(ProcessTimeline, IfAFullListLeavesOutSomeOfANameItIsToldAsTheLeast) {
  for (const std::size_t more : {0U, 4U}) {
    const auto of = timeline([&](int second) {
      std::vector<ProcessUse> out;
      if (second <= 60 || second > 70) return out;
      // Each is listed at some time, eight of them at any.
      const auto all = kMostByCpu - 1 + more;
      for (std::size_t i = 0; i < std::min<std::size_t>(all, kMostByCpu); ++i) {
        out.push_back(use("burner", 100 + (static_cast<std::size_t>(second) + i) % all, 0.7));
      }
      return out;
    });
    const auto found = asked(of, 60, 70);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->count, kMostByCpu - 1 + more);
    EXPECT_EQ(found->at_least, more > 0);
  }
}

// Twenty workers of which a reading lists eight, never the same: none of them rose.
TEST(ProcessTimeline, APlaceInAFullListIsNoRise) {
  const auto of = timeline([](int second) {
    std::vector<ProcessUse> out;
    for (std::uint64_t i = 0; i < kMostByCpu; ++i) {
      const auto worker = (static_cast<std::uint64_t>(second) * 7 + i * 3) % 20;
      out.push_back(use("rank" + std::to_string(worker), 100 + worker, 1.0));
    }
    return out;
  });
  EXPECT_FALSE(asked(of, 60, 70));
  const auto and_burner = timeline([](int second) {
    std::vector<ProcessUse> out;
    const bool in = second > 60 && second <= 70;
    if (in) out.push_back(use("burner", 7, 4.0));
    for (std::uint64_t i = in ? 1 : 0; i < kMostByCpu; ++i) {
      out.push_back(use("rank", 100 + (static_cast<std::uint64_t>(second) * 7 + i * 3) % 20, 1.0));
    }
    return out;
  });
  const auto found = asked(and_burner, 60, 70);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "burner");
  EXPECT_NEAR(found->usual, 1, 1e-9) << "at most as much as the least that is listed";
}

// Eight of a compiler's processes fill every list. Whoever comes now used nothing before; whoever
// was there may have used as much as the least of them.
TEST(ProcessTimeline, BeforeItBeganAProcessUsedNothingWhateverTheListHeld) {
  for (const bool is_new : {true, false}) {
    const auto of = timeline([is_new](int second) {
      std::vector<ProcessUse> out;
      for (std::uint64_t i = 0; i < kMostByCpu; ++i) out.push_back(use("cc1plus", 100 + i, 0.5));
      if (second > 60 && second <= 70) {
        auto burner = use("burner", 7, 0.5);
        if (is_new) burner.start = (kUptime_s + 60) * 100;
        out.push_back(burner);
      }
      return out;
    });
    const auto found = asked(of, 60, 70);
    EXPECT_EQ(found.has_value(), is_new);
    if (found) {
      EXPECT_EQ(found->name, "burner");
    }
  }
}

TEST(ProcessTimeline, TheKernelsOwnThreadsAreNotNamed) {
  const auto of = timeline([](int second) {
    const bool in = second > 60 && second <= 70;
    auto worker = use("kworker/u8:3-loop0", 33, in ? 0.5 : 0);
    worker.read = in ? 80 * kMiB : 0;
    worker.resident = 0;
    auto dd = use("dd", 44, in ? 0.2 : 0);
    dd.read = in ? 20 * kMiB : 0;
    return std::vector<ProcessUse>{worker, dd};
  });
  for (const auto resource : {Subsystem::kCpu, Subsystem::kStorage}) {
    const auto found = asked(of, 60, 70, resource);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "dd");
    EXPECT_NEAR(found->share, 1, 1e-9);
  }
}

TEST(ProcessTimeline, StorageAndMemoryHaveTheirOwnMeasure) {
  const auto of = timeline([](int second) {
    const bool in = second > 60 && second <= 70;
    auto writer = use("dd", 1, 0.05);
    writer.read = 0;
    writer.written = in ? 50 * kMiB : 1 * kMiB;
    auto hog = use("hog", 2, 0.05);
    hog.grown = in ? 100 * kMiB : 0;
    hog.resident = 200 * kMiB + (in ? 100 * kMiB * (second - 60) : 0);
    return std::vector<ProcessUse>{writer, hog};
  });
  const auto disk = asked(of, 60, 70, Subsystem::kStorage);
  ASSERT_TRUE(disk);
  EXPECT_EQ(disk->name, "dd");
  EXPECT_NEAR(disk->observed / kMiB, 50, 0.5);
  EXPECT_NEAR(disk->usual / kMiB, 1, 0.01);
  const auto memory = asked(of, 60, 70, Subsystem::kMemory);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->name, "hog");
  EXPECT_NEAR(memory->observed / kMiB, 1200, 6);
  EXPECT_NEAR(memory->usual / kMiB, 200, 6);
  EXPECT_FALSE(asked(of, 60, 70, Subsystem::kNetwork));
}

TEST(ProcessTimeline, AGroupHasItsOwnAndThoseWithinIt) {
  const auto of = timeline([](int second) {
    auto a = use("a", 1, second > 60 && second <= 70 ? 2.0 : 0);
    a.group = "/other";
    auto b = use("b", 2, second > 60 && second <= 70 ? 0.5 : 0);
    b.group = "/job1/step_0";
    return std::vector<ProcessUse>{a, b};
  });
  EXPECT_EQ(asked(of, 60, 70).value_or(ProcessRise{}).name, "a");
  EXPECT_EQ(asked(of, 60, 70, Subsystem::kCpu, "cg=/job1").value_or(ProcessRise{}).name, "b");
  EXPECT_EQ(asked(of, 60, 70, Subsystem::kCpu, "cg=/").value_or(ProcessRise{}).name, "a");
  EXPECT_FALSE(asked(of, 60, 70, Subsystem::kCpu, "cg=/job"));
}

TEST(ProcessTimeline, APidThatIsUsedAgainIsAnotherProcess) {
  const auto of = timeline([](int second) {
    auto one = use(second <= 60 ? "old" : "new", 7, 1.0);
    one.start = second <= 60 ? 100 : 6000;
    return std::vector<ProcessUse>{one};
  });
  const auto found = asked(of, 60, 70);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "new");
}

TEST(ProcessTimeline, TellsWhoWasStopped) {
  const auto of = timeline([](int second) {
    const bool in = second > 60 && second <= 64;
    std::vector<ProcessUse> out{use("small", 9, in ? 0 : 0.1), use("train", 10, in ? 0 : 0.9),
                                use("train", 11, in ? 0 : 0.7)};
    for (auto& one : out) one.stopped = in;
    out.push_back(use("other", 12, 0.5));
    return out;
  });
  const auto found = of.stopped(59 * kSecond_ns, 66 * kSecond_ns);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->stopped);
  EXPECT_EQ(found->name, "train");
  EXPECT_EQ(found->pid, 10u);
  EXPECT_EQ(found->count, 2u);
  EXPECT_EQ(found->observed, 0);
  EXPECT_NEAR(found->usual, 1.6, 1e-9);
  EXPECT_FALSE(of.stopped(30 * kSecond_ns, 50 * kSecond_ns));
  EXPECT_FALSE(of.stopped(70 * kSecond_ns, 90 * kSecond_ns));
}

TEST(ProcessTimeline, ForgetsWhatIsOld) {
  auto of = timeline([](int second) {
    return std::vector<ProcessUse>{
        use("p" + std::to_string(second), static_cast<std::uint64_t>(second), 1.0)};
  });
  of.forget_before(100 * kSecond_ns);
  EXPECT_FALSE(asked(of, 60, 70));
  EXPECT_TRUE(asked(of, 105, 115));
  EXPECT_TRUE(of.is_recorded());
}

TEST(ProcessTimeline, WithoutRecordedProcessesNobodyIsKnown) {
  ProcessTimeline of;
  of.add(kSecond_ns, kSecond_ns, {{Note::Kind::kFact, "kmsg", "processes", "x"}});
  EXPECT_FALSE(of.is_recorded());
  EXPECT_FALSE(asked(of, 0, 10));
}

}  // namespace
}  // namespace reveal::model

#include "detect/workload_store.h"

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "detect/baseline_file.h"
#include "detect/testing/made_workloads.h"
#include "detect/workload_baseline.h"

namespace reveal::detect {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Footprint footprint(double times) {
  Footprint out = kNoFootprint;
  out[0] = MadeWorkloads::kPageTables * times;
  out[1] = MadeWorkloads::kMapped * times;
  out[2] = MadeWorkloads::kCommitted * times;
  return out;
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> out;
  for (const auto& one : std::filesystem::directory_iterator(folder)) {
    out.push_back(one.path().filename().string());
  }
  return out;
}

TEST(WorkloadStore, FindsTheNearestThatIsAlikeAndStillDoesAfterARestart) {
  const base::TempDir dir;
  const MadeWorkloads host;
  const auto folder = dir.path() / "workloads";
  {
    WorkloadStore store({.folder = folder});
    EXPECT_FALSE(store.find(footprint(1), {}));
    ASSERT_TRUE(store.keep("", host.workload(1, 0.1, 111)));
    ASSERT_TRUE(store.keep("", host.workload(1.2, 0.2, 222)));
    ASSERT_TRUE(store.keep("", host.workload(3, 0.3, 333)));
    EXPECT_EQ(store.find(footprint(1), {})->baseline->origin.begin_ns, 111);
  }
  WorkloadStore store({.folder = folder});
  EXPECT_THAT(store.take_troubles(), IsEmpty());
  EXPECT_EQ(store.size(), 3U);
  EXPECT_EQ(store.find(footprint(1.01), {})->baseline->origin.begin_ns, 111);
  EXPECT_EQ(store.find(footprint(1.19), {})->baseline->origin.begin_ns, 222);
  EXPECT_EQ(store.find(footprint(3.3), {})->baseline->origin.begin_ns, 333);
  EXPECT_FALSE(store.find(footprint(2), {}));
}

TEST(WorkloadStore, KeepsAWorkloadInThePlaceOfTheSame) {
  const base::TempDir dir;
  const MadeWorkloads host;
  WorkloadStore store({.folder = dir.path()});
  const auto name = store.keep("", host.workload(1, 0.1, 111)).value();
  ASSERT_EQ(store.find(footprint(1), {})->name, name);
  EXPECT_EQ(store.keep(name, host.workload(1, 0.1, 444)).value(), name);
  EXPECT_EQ(store.size(), 1U);
  EXPECT_THAT(names_in(dir.path()), testing::ElementsAre(name));
  EXPECT_EQ(store.find(footprint(1), {})->baseline->origin.begin_ns, 444);
}

TEST(WorkloadStore, ForgetsWhatWasNotSeenForLongest) {
  const base::TempDir dir;
  const MadeWorkloads host;
  WorkloadStore store({.folder = dir.path(), .most = 3});
  for (const std::int64_t i : {1, 2, 4}) {
    ASSERT_TRUE(store.keep("", host.workload(static_cast<double>(i), 0.1, i)));
  }
  ASSERT_TRUE(store.find(footprint(1), {}));
  ASSERT_TRUE(store.keep("", host.workload(8, 0.1, 8)));
  EXPECT_THAT(names_in(dir.path()), SizeIs(3));
  EXPECT_TRUE(store.find(footprint(1), {})) << "seen a moment ago";
  EXPECT_FALSE(store.find(footprint(2), {}));
  EXPECT_TRUE(store.find(footprint(4), {}));
  EXPECT_TRUE(store.find(footprint(8), {}));
}

TEST(WorkloadStore, KnowsAfterARestartWhatWasSeenLast) {
  const base::TempDir dir;
  const MadeWorkloads host;
  for (const std::int64_t i : {1, 2, 4}) {
    WorkloadStore store({.folder = dir.path()});
    ASSERT_TRUE(store.keep("", host.workload(static_cast<double>(i), 0.1, i)));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ASSERT_TRUE(WorkloadStore({.folder = dir.path()}).find(footprint(1), {}));
  WorkloadStore store({.folder = dir.path(), .most = 2});
  EXPECT_TRUE(store.find(footprint(1), {}));
  EXPECT_FALSE(store.find(footprint(2), {}));
  EXPECT_TRUE(store.find(footprint(4), {}));
}

TEST(WorkloadStore, TakesNoMoreThanItsBytes) {
  const base::TempDir dir;
  const MadeWorkloads host;
  const auto one = to_bytes(host.workload(1, 0.1, 1)).size();
  WorkloadStore store({.folder = dir.path(), .most_bytes = 2 * one + one / 2});
  for (const std::int64_t i : {1, 2, 4}) {
    ASSERT_TRUE(store.keep("", host.workload(static_cast<double>(i), 0.1, i)));
  }
  EXPECT_THAT(names_in(dir.path()), SizeIs(2));
  EXPECT_FALSE(store.find(footprint(1), {}));
  WorkloadStore tiny({.folder = dir.path(), .most_bytes = one / 2});
  EXPECT_THAT(names_in(dir.path()), IsEmpty());
  const auto kept = tiny.keep("", host.workload(1, 0.1, 1));
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().kind, base::ErrorKind::kNoSpace);
  EXPECT_THAT(kept.error().remedy, HasSubstr("record.max_size"));
}

TEST(WorkloadStore, OfADamagedFileNothingIsUsedAndThatIsSaid) {
  const base::TempDir dir;
  const MadeWorkloads host;
  std::string name;
  {
    WorkloadStore store({.folder = dir.path()});
    name = store.keep("", host.workload(1, 0.1, 1)).value();
    ASSERT_TRUE(store.keep("", host.workload(2, 0.1, 2)));
  }
  std::fstream(dir.path() / name, std::ios::in | std::ios::out).seekp(200).put('x').put('y');
  WorkloadStore store({.folder = dir.path()});
  EXPECT_FALSE(store.find(footprint(1), {}));
  EXPECT_TRUE(store.find(footprint(2), {}));
  const auto lines = store.take_troubles();
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_THAT(lines[0], HasSubstr("damaged baseline"));
  EXPECT_THAT(lines[1], HasSubstr("set aside as 1.damaged"));
  EXPECT_THAT(names_in(dir.path()), testing::UnorderedElementsAre("1.damaged", "2.baseline"));
}

TEST(WorkloadStore, AFileOfAnotherVersionIsNotUsedAndThatIsSaid) {
  const base::TempDir dir;
  const MadeWorkloads host;
  const auto name = WorkloadStore({.folder = dir.path()}).keep("", host.workload(1, 0.1, 1));
  constexpr int kMagicBytes = 8;
  std::fstream(dir.path() / *name, std::ios::in | std::ios::out)
      .seekp(kMagicBytes)
      .put(static_cast<char>(kBaselineVersion - 1));
  WorkloadStore store({.folder = dir.path()});
  EXPECT_EQ(store.size(), 0U);
  EXPECT_THAT(store.take_troubles(),
              testing::ElementsAre(HasSubstr("a baseline of version"), HasSubstr("set aside")));
  EXPECT_THAT(names_in(dir.path()), testing::ElementsAre("1.damaged"));
}

TEST(WorkloadStore, WhatAKilledProcessLeftUnfinishedIsRemoved) {
  const base::TempDir dir;
  std::ofstream(dir.path() / "1.baseline.0123456789abcdef.new") << "RVLBASE";
  WorkloadStore store({.folder = dir.path()});
  EXPECT_THAT(names_in(dir.path()), IsEmpty());
  EXPECT_THAT(store.take_troubles(), IsEmpty());
}

TEST(WorkloadStore, OtherWindowsAreNotCompared) {
  const base::TempDir dir;
  const MadeWorkloads host;
  window::WindowSpec longer;
  longer.length_ns *= 2;
  {
    WorkloadStore store({.folder = dir.path()});
    ASSERT_TRUE(store.keep("", host.workload(1, 0.1, 1)));
    EXPECT_FALSE(store.find(footprint(1), longer));
  }
  WorkloadStore store({.folder = dir.path()});
  EXPECT_FALSE(store.find(footprint(1), longer));
  EXPECT_TRUE(store.find(footprint(1), {}));
}

TEST(WorkloadStore, DoubtsAreCountedUntilAWorkloadIsKeptAgain) {
  const base::TempDir dir;
  const MadeWorkloads host;
  WorkloadStore store({.folder = dir.path()});
  const auto name = store.keep("", host.workload(1, 0.1, 1)).value();
  ASSERT_TRUE(store.keep("", host.workload(2, 0.1, 2)));
  EXPECT_EQ(store.doubt(name), 1U);
  EXPECT_EQ(store.doubt(name), 2U);
  EXPECT_EQ(store.doubt("3.baseline"), 0U) << "there is none";
  EXPECT_EQ(store.find(footprint(1), {})->doubts, 2U);
  EXPECT_EQ(store.find(footprint(2), {})->doubts, 0U);
  ASSERT_TRUE(store.keep(name, host.workload(1, 0.1, 3)));
  EXPECT_EQ(store.find(footprint(1), {})->doubts, 0U);
}

TEST(WorkloadStore, AFileThatIsDamagedMeanwhileIsNotUsed) {
  const base::TempDir dir;
  const MadeWorkloads host;
  WorkloadStore store({.folder = dir.path()});
  const auto name = store.keep("", host.workload(1, 0.1, 1)).value();
  std::filesystem::resize_file(dir.path() / name, 100);
  EXPECT_FALSE(store.find(footprint(1), {}));
  EXPECT_THAT(store.take_troubles(), SizeIs(2));
  EXPECT_EQ(store.size(), 0U);
}

TEST(WorkloadBaseline, KnowsStallsAlone) {
  const MadeWorkloads host;
  const auto baseline = host.workload(1, 0.1, 1);
  ASSERT_THAT(baseline.detectors, SizeIs(1));
  EXPECT_EQ(baseline.detectors.front().detector->name(), "saturation");
  EXPECT_EQ(baseline.columns.size(), host.channels.channel_count());
  EXPECT_TRUE(are_alike(footprint_of(baseline), footprint(1.03)));
  EXPECT_TRUE(from_bytes(to_bytes(baseline), "it"));
}

// Returns the usual share of the time that is waited.
double usual_wait(const FittedBaseline& baseline) {
  return baseline.columns.back().median;
}

TEST(WorkloadBaseline, ARunCountsHalfAfterThreeOthers) {
  const MadeWorkloads host;
  auto known = host.workload(1, 0, 1);
  const auto learn = [&](double waits) {
    known = learn_workload(known, host.windows(1, waits), host.channels, {}).value();
  };
  for (int run = 0; run < 10; ++run) learn(0);
  EXPECT_EQ(known.origin.runs, 11U);
  EXPECT_EQ(known.origin.windows, 5 * 60U) << "no more are counted";
  EXPECT_EQ(known.detectors.front().scores.size(), 5 * 60U);
  EXPECT_EQ(usual_wait(known), 0);
  for (int run = 0; run < 3; ++run) learn(0.1);
  EXPECT_NEAR(usual_wait(known), 0.103 * (1 - 0.8 * 0.8 * 0.8), 1e-3);
}

TEST(WorkloadBaseline, AChannelThatARunLacksStaysAsItWas) {
  const MadeWorkloads host;
  const auto known = host.workload(1, 0.3, 1);
  auto without = host.windows(1, 0.3);
  feature::FeatureMatrix fewer;
  for (std::size_t i = 0; i < 3; ++i) fewer.add_column(without.column(i));
  for (std::size_t row = 0; row < without.row_count(); ++row) {
    auto& values = fewer.add_row(without.window(row));
    for (std::size_t i = 0; i < 3; ++i) values[i] = without.at(row, i);
  }
  const auto learned = learn_workload(known, fewer, host.channels, {}).value();
  EXPECT_EQ(usual_wait(learned), usual_wait(known));
  // Judged by both, the same window is as stalled as before.
  const auto score = [&](const FittedBaseline& by) {
    const auto run = match(by, host.windows(1, 0.6), host.channels).value();
    return by.detectors.front().detector->score(run.design.saturation.x)(0);
  };
  EXPECT_GT(score(known), 1);
  EXPECT_EQ(score(learned), score(known));
}

TEST(WorkloadBaseline, AHostThatDoesNotTellWhatWaitsHasNone) {
  MadeWorkloads host;
  auto windows = host.windows(1, 0.1);
  feature::FeatureMatrix without;
  for (std::size_t i = 0; i < 3; ++i) without.add_column(windows.column(i));
  for (std::size_t row = 0; row < windows.row_count(); ++row) {
    auto& values = without.add_row(windows.window(row));
    for (std::size_t i = 0; i < 3; ++i) values[i] = windows.at(row, i);
  }
  EXPECT_FALSE(fit_workload(std::move(without), host.channels, {}, {}));
}

}  // namespace
}  // namespace reveal::detect

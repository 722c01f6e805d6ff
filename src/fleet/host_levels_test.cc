#include "fleet/host_levels.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fleet/testing/made_host.h"

namespace reveal::fleet {
namespace {

using model::Kind;
using model::Scope;
using model::Subsystem;
using testing::ElementsAre;
using testing::IsNan;

const LevelSeries& series(const MadeHost& host, const std::string& key) {
  for (const auto& one : host.levels.series()) {
    if (one.quantity.key() == key) return one;
  }
  ADD_FAILURE() << "there is no " << key;
  return host.levels.series().front();
}

TEST(HostLevels, CountersAreRatesAndEventsAreCountedByTheSecond) {
  MadeHost host(made_grid(4));
  const auto counter = host.add("bytes_total", "", Kind::kCounter);
  const auto event = host.add("errors_total", "", Kind::kEvent, "errors");
  for (const double value : {0.0, 5.0, 5.0, 8.0}) {
    host.set(counter, 10 * value);
    host.set(event, value);
    host.tick();
  }
  host.finish();
  EXPECT_THAT(series(host, "bytes_total channel").levels, ElementsAre(IsNan(), 50, 0, 30));
  EXPECT_THAT(series(host, "errors_total channel").levels, ElementsAre(IsNan(), 5, 0, 3));
  EXPECT_EQ(series(host, "errors_total channel").quantity.unit, "errors/s");
}

TEST(HostLevels, CoresStandTogether) {
  MadeHost host(made_grid(2));
  const auto first =
      host.add("load", "cpu=0", Kind::kGauge, "tasks", Subsystem::kCpu, Scope::kCore);
  const auto other =
      host.add("load", "cpu=1", Kind::kGauge, "tasks", Subsystem::kCpu, Scope::kCore);
  host.set(first, 4);
  host.set(other, 1);
  host.tick();
  host.set(first, 0);
  host.tick();
  host.finish();
  EXPECT_THAT(series(host, "load mean_of_cores").levels, ElementsAre(2.5F, 0.5F));
  EXPECT_THAT(series(host, "load highest_core").levels, ElementsAre(4, 1));
}

TEST(HostLevels, IdleStatesOfCoresStandTogetherByState) {
  MadeHost host(made_grid(1));
  host.set(host.add("idle", "cpu=0,state=C1", Kind::kGauge, "s", Subsystem::kCpu, Scope::kDevice),
           1);
  host.set(host.add("idle", "cpu=1,state=C1", Kind::kGauge, "s", Subsystem::kCpu, Scope::kDevice),
           3);
  host.set(host.add("idle", "cpu=1,state=C6", Kind::kGauge, "s", Subsystem::kCpu, Scope::kDevice),
           8);
  host.tick();
  host.finish();
  EXPECT_THAT(series(host, "idle{state=C1} mean_of_cores").levels, ElementsAre(2));
  EXPECT_THAT(series(host, "idle{state=C6} mean_of_cores").levels, ElementsAre(8));
}

TEST(HostLevels, WhatIsNotReadHoldsAndWhatIsMissingDoesNot) {
  MadeHost host(made_grid(5));
  const auto slow = host.add("slow_total", "", Kind::kCounter);
  host.read_every(2);
  for (const double value : {0.0, 0.0, 6.0, 6.0, 20.0}) {
    host.set(slow, value);
    host.tick();
  }
  host.finish();
  // Fresh in seconds 0, 2 and 4: rates of 3 and 7 a second.
  EXPECT_THAT(series(host, "slow_total channel").levels, ElementsAre(IsNan(), IsNan(), 3, 3, 7));
  EXPECT_DOUBLE_EQ(series(host, "slow_total channel").buckets_a_reading(), 1.5);

  MadeHost gauges(made_grid(20));
  gauges.set(gauges.add("slow"), 1);
  gauges.read_every(10);
  for (int s = 0; s < 20; ++s) gauges.tick();
  gauges.finish();
  EXPECT_THAT(series(gauges, "slow channel").levels, testing::Each(1));
  EXPECT_DOUBLE_EQ(series(gauges, "slow channel").buckets_a_reading(), 10);

  MadeHost gone(made_grid(3));
  const auto gauge = gone.add("gauge");
  gone.set(gauge, 1);
  gone.tick();
  gone.set(gauge, std::nan(""));
  gone.tick();
  gone.tick();
  gone.finish();
  EXPECT_THAT(series(gone, "gauge channel").levels, ElementsAre(1, IsNan(), IsNan()));
}

TEST(HostLevels, SecondsWithoutAFrameHaveNoLevel) {
  MadeHost host(made_grid(3));
  host.set(host.add("gauge"), 1);
  host.tick();
  host.skip();
  host.tick();
  host.finish();
  EXPECT_THAT(series(host, "gauge channel").levels, ElementsAre(1, IsNan(), 1));
}

TEST(HostLevels, FramesOutsideOfTheGridAreNotInIt) {
  Grid grid = made_grid(2);
  grid.begin_ns += kSecond_ns;
  MadeHost host(grid);
  const auto gauge = host.add("gauge");
  for (const double value : {1.0, 2.0, 3.0, 4.0}) {
    host.set(gauge, value);
    host.tick();
  }
  host.finish();
  EXPECT_THAT(series(host, "gauge channel").levels, ElementsAre(2, 3));
}

TEST(HostLevels, StaticsAreKeptExactly) {
  MadeHost host(made_grid(1));
  host.set(host.add("revision", "", Kind::kStatic), 16'777'317);  // not a float
  host.tick();
  host.finish();
  ASSERT_EQ(host.levels.statics().size(), 1u);
  EXPECT_EQ(host.levels.statics().front().value, 16'777'317);
  EXPECT_TRUE(host.levels.series().empty());
}

TEST(HostLevels, WhatTheRecorderSaysOfItselfIsLeftOut) {
  MadeHost host(made_grid(1));
  host.set(host.add("cost", "", Kind::kGauge, "s", Subsystem::kCpu, Scope::kRecorder), 1);
  host.tick();
  host.finish();
  EXPECT_TRUE(host.levels.series().empty());
}

}  // namespace
}  // namespace reveal::fleet

// What tables of what metrics mean name must exist: they are far from where metrics are declared.
#include <set>

#include <gtest/gtest.h>

#include "attribute/patterns.h"
#include "catalog/catalog.h"
#include "detect/saturation_signals.h"
#include "work/counters.h"

namespace reveal::cli {
namespace {

class NamedMetrics : public ::testing::Test {
 protected:
  void SetUp() override {
    rows = catalog::rows_of({}, {});
    ASSERT_TRUE(rows);
    for (const auto& row : *rows) {
      known.insert(row.metric.name);
      if (row.metric.kind != model::Kind::kStatic) moving.insert(row.metric.name);
    }
    ASSERT_GT(known.size(), 400u);
    ASSERT_GT(moving.size(), 400u);
  }

  decltype(catalog::rows_of({}, {})) rows;
  std::set<std::string_view> known;
  std::set<std::string_view> moving;  // of these, what is no fact about the host
};

TEST_F(NamedMetrics, OfPatternsExist) {
  for (const auto& pattern : attribute::patterns()) {
    const auto expect_known = [&](const attribute::Sign& sign) {
      if (sign.metric.empty()) return;
      EXPECT_TRUE(known.contains(sign.metric)) << pattern.name << ": " << sign.metric;
    };
    for (const auto& sign : pattern.needs) expect_known(sign);
    for (const auto& sign : pattern.against) expect_known(sign);
    for (const auto& sign : pattern.unmoved) expect_known(sign);
    expect_known({.metric = pattern.without});
  }
}

TEST_F(NamedMetrics, OfSaturationSignalsExistOnce) {
  std::set<std::string_view> named;
  for (const auto& signal : detect::saturation_signals()) {
    EXPECT_TRUE(moving.contains(signal.metric)) << signal.metric;
    EXPECT_TRUE(named.insert(signal.metric).second) << signal.metric << " is there twice";
    EXPECT_GT(signal.least, 0) << signal.metric;
  }
}

TEST_F(NamedMetrics, OfWorkCountersExistOnce) {
  std::set<std::string_view> named;
  for (const auto& counter : work::work_counters()) {
    EXPECT_TRUE(moving.contains(counter.metric)) << counter.metric;
    EXPECT_TRUE(named.insert(counter.metric).second) << counter.metric << " is there twice";
    EXPECT_EQ(work::resource_of(counter.quantity), counter.resource) << counter.metric;
    EXPECT_FALSE(work::to_string(counter.quantity).empty()) << counter.metric;
  }
}

}  // namespace
}  // namespace reveal::cli

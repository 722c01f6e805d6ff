// What patterns name must exist: their table is far from where metrics are declared.
#include "attribute/patterns.h"

#include <set>

#include <gtest/gtest.h>

#include "cli/catalogue.h"

namespace reveal::cli {
namespace {

TEST(Patterns, NameMetricsThatExist) {
  const auto rows = catalogue({});
  ASSERT_TRUE(rows);
  std::set<std::string_view> known;
  for (const auto& row : *rows) known.insert(row.metric.name);
  ASSERT_GT(known.size(), 400u);
  for (const auto& pattern : attribute::patterns()) {
    const auto expect_known = [&](const attribute::Sign& sign) {
      if (sign.metric.empty()) return;
      EXPECT_TRUE(known.contains(sign.metric)) << pattern.name << ": " << sign.metric;
    };
    for (const auto& sign : pattern.needs) expect_known(sign);
    for (const auto& sign : pattern.against) expect_known(sign);
  }
}

}  // namespace
}  // namespace reveal::cli

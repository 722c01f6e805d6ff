// What is said to hold work up must exist: the table is far from where metrics are declared.
#include "detect/hindrances.h"

#include <set>

#include <gtest/gtest.h>

#include "cli/catalogue.h"

namespace reveal::cli {
namespace {

TEST(Hindrances, NameMetricsThatExistOnce) {
  const auto rows = catalogue({});
  ASSERT_TRUE(rows);
  std::set<std::string_view> known;
  for (const auto& row : *rows) {
    if (row.metric.kind != model::Kind::kStatic) known.insert(row.metric.name);
  }
  ASSERT_GT(known.size(), 400u);
  std::set<std::string_view> named;
  for (const auto& hindrance : detect::hindrances()) {
    EXPECT_TRUE(known.contains(hindrance.metric)) << hindrance.metric;
    EXPECT_TRUE(named.insert(hindrance.metric).second) << hindrance.metric << " is there twice";
    EXPECT_GT(hindrance.least, 0) << hindrance.metric;
  }
}

}  // namespace
}  // namespace reveal::cli

// Compares every feature with an independent computation of it: numpy's and scipy's for the windows
// of features_golden.py, and tsfresh's own where REVEAL_TSFRESH_GOLDEN names a file of them. Both
// are JSON lines with `values` and `features`.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "feature/feature.h"

namespace reveal::feature {
namespace {

constexpr double kRelative = 1e-9;

double number(const nlohmann::json& value) {
  return value.is_string() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

// One window with what is expected of it.
class Golden {
 public:
  explicit Golden(const std::string& line) : row_(nlohmann::json::parse(line)) {
    for (const auto& value : row_.at("values")) values_.push_back(number(value));
    sorted_ = values_;
    std::sort(sorted_.begin(), sorted_.end());
  }

  std::string name() const { return row_.value("window", row_.value("series", "")); }
  bool has(std::string_view feature) const { return row_.at("features").contains(feature); }
  double expected(std::string_view feature) const {
    return number(row_.at("features").at(std::string(feature)));
  }
  double actual(const FeatureDescriptor& feature) const {
    return compute(feature, {values_, sorted_, stats::moments(values_)});
  }

  // What rounding alone may do to a value that ought to be zero: 1e-12 of the samples' size.
  double rounding(FeatureUnit unit) const {
    const double size = std::max(std::abs(sorted_.front()), std::abs(sorted_.back()));
    if (unit == FeatureUnit::kNone) return 1e-12;
    return 1e-12 * (unit == FeatureUnit::kSquared ? spread() * spread() : size);
  }
  // What subtracting a rounded mean may cost: the mean is off by about epsilon times its size,
  // which is small beside the samples but not beside their spread. Our own moments do not pay it.
  double rounded_mean(FeatureUnit unit) const {
    const double off = 1e-15 * std::abs(sorted_.front());
    if (unit == FeatureUnit::kSquared) return off * off;
    return unit == FeatureUnit::kNone && spread() > 0.0 ? 10.0 * off / spread() : 0.0;
  }

 private:
  double spread() const { return sorted_.back() - sorted_.front(); }

  nlohmann::json row_;
  std::vector<double> values_;
  std::vector<double> sorted_;
};

void expect_near(const Golden& golden, const FeatureDescriptor& feature, double slack) {
  const double expected = golden.expected(feature.name);
  const double actual = golden.actual(feature);
  SCOPED_TRACE(golden.name() + " " + std::string(feature.name));
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << actual;
  } else {
    EXPECT_NEAR(actual, expected, kRelative * std::abs(expected) + slack);
  }
}

std::vector<Golden> read(const char* path) {
  std::vector<Golden> rows;
  std::ifstream input(path);
  for (std::string line; std::getline(input, line);) rows.emplace_back(line);
  return rows;
}

TEST(FeaturesGolden, AgreeWithNumpyAndScipy) {
  const auto rows = read(REVEAL_GOLDEN_FILE);
  ASSERT_GT(rows.size(), 100U) << REVEAL_GOLDEN_FILE << " is made by the test golden.features.make";
  for (const Golden& golden : rows)
    for (const FeatureDescriptor& feature : registry()) {
      ASSERT_TRUE(golden.has(feature.name)) << "no reference for " << feature.name;
      expect_near(golden, feature, golden.rounding(feature.unit));
    }
}

TEST(FeaturesGolden, AgreeWithTsfresh) {
  const char* path = std::getenv("REVEAL_TSFRESH_GOLDEN");
  if (path == nullptr) GTEST_SKIP() << "REVEAL_TSFRESH_GOLDEN names no file of tsfresh's values";
  const auto rows = read(path);
  ASSERT_FALSE(rows.empty()) << path;
  std::set<std::string_view> compared;
  for (const Golden& golden : rows)
    for (const FeatureDescriptor& feature : registry()) {
      if (!golden.has(feature.name)) continue;
      expect_near(golden, feature,
                  golden.rounding(feature.unit) + golden.rounded_mean(feature.unit));
      compared.insert(feature.name);
    }
  EXPECT_EQ(compared.size(), registry().size());
}

}  // namespace
}  // namespace reveal::feature

// The contract of every feature, by looping over the registry: a new one is tested unmentioned.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "feature/feature.h"

namespace reveal::feature {
namespace {

// The window before has the first half of the same samples.
double value_of(FeatureId feature, const std::vector<double>& values) {
  return compute(feature, values, std::span(values).first((values.size() + 1) / 2));
}

double value_of(std::string_view name, const std::vector<double>& values) {
  return value_of(find_feature(name).value(), values);
}

// Samples on a grid of 2^-10, so that adding 2^30 or multiplying by 2 is exact.
std::vector<double> random_samples(std::size_t count, std::uint64_t seed) {
  base::Rng rng(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(std::ldexp(static_cast<double>(rng.below(1U << 14U)), -10));
  return values;
}

class EveryFeature : public testing::TestWithParam<std::size_t> {
 protected:
  FeatureId id() const { return FeatureId(GetParam()); }
  const FeatureDescriptor& feature() const { return descriptor(id()); }
  bool defined(const std::vector<double>& values) const {
    return !std::isnan(value_of(id(), values));
  }
  // Returns how many samples a usual window has that the feature is defined for.
  std::size_t usual_count() const { return std::max<std::size_t>(30, feature().min_samples + 10); }
  // Returns by how much the feature of a usual window moves when each sample moves by d.
  double shift_by(double d) const {
    switch (feature().shift) {
      case FeatureShift::kFollows:
        return d;
      case FeatureShift::kTimesCount:
        return d * static_cast<double>(usual_count());
      case FeatureShift::kInvariant:
      case FeatureShift::kOther:
        break;
    }
    return 0.0;
  }
};

std::string readable(const testing::TestParamInfo<std::size_t>& row) {
  std::string name(registry()[row.param].name);
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryFeature, testing::Range<std::size_t>(0, registry().size()),
                         readable);

TEST_P(EveryFeature, SaysWhatItIs) {
  EXPECT_EQ(feature().name.find_first_of(", "), std::string_view::npos);  // these part lists
  EXPECT_FALSE(feature().phrase.empty());
  EXPECT_FALSE(feature().help.empty());
  EXPECT_GE(feature().min_samples, 1U);
  if (feature().legible) {
    EXPECT_EQ(feature().unit, FeatureUnit::kSame);
  }
}

TEST_P(EveryFeature, IsUndefinedBelowItsFewestSamplesAndDefinedThere) {
  for (std::size_t n = 0; n < feature().min_samples; ++n)
    EXPECT_FALSE(defined(random_samples(n, 1))) << n;
  // Some features are undefined for many samples, as the shape of a spectrum of one line is.
  bool any = false;
  for (std::uint64_t seed = 0; seed < 100 && !any; ++seed) {
    auto samples = random_samples(feature().min_samples, seed);
    for (double& sample : samples) sample -= 8.0;
    any = defined(samples);
  }
  EXPECT_TRUE(any);
}

// A constant c is zeros moved by c.
TEST_P(EveryFeature, OfAConstantIsThatOfZerosShifted) {
  if (feature().shift == FeatureShift::kOther) GTEST_SKIP() << "follows no simple rule";
  const double of_zeros = value_of(id(), std::vector<double>(usual_count(), 0.0));
  for (double c : {0.1, -3.5, 1e9 + 0.1, 1e300}) {
    const double value = value_of(id(), std::vector<double>(usual_count(), c));
    EXPECT_EQ(std::isnan(value), std::isnan(of_zeros)) << c;
    if (feature().shift == FeatureShift::kTimesCount) {
      EXPECT_DOUBLE_EQ(value, of_zeros + shift_by(c)) << c;
    } else if (!std::isnan(value)) {
      EXPECT_EQ(value, of_zeros + shift_by(c));
    }
  }
}

TEST_P(EveryFeature, NeverIsInfinite) {
  for (const std::vector<double>& values :
       {std::vector{1e308, -1e308, 1e308, -1e308, 1e308}, std::vector{5e-324, 0.0, 5e-324, 0.0},
        std::vector{1e200, 2e200, 3e200, 5e200, 8e200}})
    EXPECT_FALSE(std::isinf(value_of(id(), values)));
}

// y = x + 2^30 moves a level by just that, a total by n times it, and a spread not at all.
TEST_P(EveryFeature, ShiftsWithTheSamplesAsItSays) {
  if (feature().shift == FeatureShift::kOther) GTEST_SKIP() << "follows no simple rule";
  // Not all samples have a sample entropy.
  std::size_t defined_ones = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto low = random_samples(usual_count(), seed);
    auto high = low;
    for (double& value : high) value += 0x1p30;
    const double before = value_of(id(), low);
    const double after = value_of(id(), high);
    ASSERT_EQ(std::isnan(after), std::isnan(before)) << seed;
    if (std::isnan(before)) continue;
    ++defined_ones;
    const double shift = shift_by(0x1p30);
    const double rounding = shift == 0.0 ? 1e-12 * std::max(1.0, std::abs(before)) : shift * 1e-15;
    EXPECT_NEAR(after - shift, before, rounding) << seed;
  }
  EXPECT_GE(defined_ones, 1U);
}

// y = 2 x doubles what has the channel's unit, quadruples its square, and leaves pure numbers
// alone.
TEST_P(EveryFeature, ScalesAsItsUnitSays) {
  const auto single = random_samples(usual_count(), 5);
  auto twofold = single;
  for (double& value : twofold) value *= 2.0;
  if (feature().unit == FeatureUnit::kUnscaled) GTEST_SKIP() << "follows no simple rule";
  const double factor = feature().unit == FeatureUnit::kNone      ? 1.0
                        : feature().unit == FeatureUnit::kSquared ? 4.0
                        : feature().unit == FeatureUnit::kCubed   ? 8.0
                                                                  : 2.0;
  EXPECT_DOUBLE_EQ(value_of(id(), twofold), factor * value_of(id(), single));
}

TEST(FeatureRegistry, HasUniqueNames) {
  std::set<std::string_view> names;
  for (const auto& feature : registry()) EXPECT_TRUE(names.insert(feature.name).second);
}

TEST(FeatureRegistry, FindsEachFeatureByItsName) {
  for (const auto& feature : registry())
    EXPECT_EQ(&descriptor(find_feature(feature.name).value()), &feature);
  EXPECT_FALSE(find_feature("").has_value());
  EXPECT_FALSE(find_feature("maximum ").has_value());
}

// By hand, on 1 2 4 8 15: mean 6, deviations -5 -4 -2 2 9, m2 130, m3 540, m4 7474.
TEST(Features, AreWhatTheirFormulasSay) {
  auto f = [](std::string_view name, double expected) {
    EXPECT_DOUBLE_EQ(value_of(name, {1.0, 2.0, 4.0, 8.0, 15.0}), expected) << name;
  };
  f("mean", 6.0);
  f("variance", 26.0);
  f("standard_deviation", std::sqrt(26.0));
  f("minimum", 1.0);
  f("maximum", 15.0);
  f("median", 4.0);
  f("skewness", 5.0 * 2.0 / 3.0 * 540.0 / std::pow(130.0, 1.5));
  f("kurtosis", 120.0 * 7474.0 / (6.0 * 16900.0) - 48.0 / 6.0);
  f("linear_trend__attr_\"slope\"", (2.0 * 14.0 + 6.0) / 10.0);
  f("linear_trend__attr_\"rvalue\"", 34.0 / std::sqrt(10.0 * 130.0));
  f("autocorrelation__lag_1", (20.0 + 8.0 - 4.0 + 18.0) / (4.0 * 26.0));
  f("absolute_sum_of_changes", 14.0);
  f("mean_change", 3.5);
  f("sum_values", 30.0);
}

// By hand. The new phrases of 1 1 2 1 in two levels are 1 and 12. The 60 % quantile of 0 1 2 3
// is 1.8. Lags of a line depend on one another. Stretches of a constant are 0 apart, and the root
// of 8 from one that moves.
TEST(Features, OfTheProfileFullAreWhatTheirFormulasSay) {
  EXPECT_EQ(value_of("lempel_ziv_complexity__bins_2", {1.0, 1.0, 2.0, 1.0}), 0.5);
  EXPECT_EQ(value_of("approximate_entropy__m_2__r_0.9", {1.0, 5.0, 2.0}), 0.0);
  EXPECT_EQ(value_of(R"(change_quantiles__f_agg_"mean"__isabs_False__qh_0.6__ql_0.0)",
                     {0.0, 1.0, 2.0, 3.0}),
            1.0);
  EXPECT_EQ(value_of(R"(agg_autocorrelation__f_agg_"mean"__maxlag_40)", {7.0}), 0.0);
  EXPECT_EQ(value_of("mean_n_absolute_max__number_of_maxima_7",
                     {-9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0}),
            15.0 / 7.0);
  std::vector<double> line(30);
  for (std::size_t t = 0; t < line.size(); ++t) line[t] = static_cast<double>(t);
  EXPECT_TRUE(std::isnan(value_of("ar_coefficient__coeff_1__k_10", line)));
  std::vector<double> late(20, 1.0);
  late.back() = 2.0;
  EXPECT_EQ(value_of(R"(matrix_profile__feature_"min"__windows_8)", late), 0.0);
  EXPECT_DOUBLE_EQ(value_of(R"(matrix_profile__feature_"max"__windows_8)", late), std::sqrt(8.0));
}

// Of 31 samples each thirtieth holds one step, so that the cubic is that of the steps. It rests at
// 0 and at the roots of 10.
TEST(Features, FindTheCubicOfTheSteps) {
  std::vector<double> x{4.0};
  for (int t = 0; t < 30; ++t)
    x.push_back(x.back() + 0.1 * (x.back() - std::pow(x.back(), 3) / 10));
  EXPECT_NEAR(value_of("friedrich_coefficients__coeff_0__m_3__r_30", x), -0.01, 1e-9);
  EXPECT_NEAR(value_of("max_langevin_fixed_point__m_3__r_30", x), std::sqrt(10.0), 1e-9);
}

// By hand: half of 1 2 3 4 lie up to 2, and all of 0 1 2; none of 1 2 lie up to 0 and all of 0 0.
TEST(Features, CompareWithTheWindowBefore) {
  const FeatureId distance = find_feature("previous_ks_distance").value();
  EXPECT_EQ(compute(distance, std::vector{4.0, 1.0, 3.0, 2.0}, std::vector{2.0, 0.0, 1.0}), 0.5);
  EXPECT_EQ(compute(distance, std::vector{1.0, 2.0}, std::vector{0.0, 0.0}), 1.0);
  EXPECT_EQ(compute(distance, std::vector{1.0, 2.0}, std::vector{2.0, 1.0, 1.0, 2.0}), 0.0);
  EXPECT_TRUE(std::isnan(compute(distance, std::vector{1.0, 2.0})));
}

TEST(Features, OfAConstantAreAsTheirFilesState) {
  auto f = [](std::string_view name, double expected) {
    EXPECT_EQ(value_of(name, std::vector<double>(30, 0.1)), expected) << name;
  };
  for (const char* level : {"mean", "minimum", "maximum", "median"}) f(level, 0.1);
  for (const char* none :
       {"variance", "standard_deviation", "skewness", "kurtosis", "linear_trend__attr_\"slope\"",
        "linear_trend__attr_\"rvalue\"", "absolute_sum_of_changes", "mean_change"})
    f(none, 0.0);
  EXPECT_TRUE(std::isnan(value_of("autocorrelation__lag_1", std::vector<double>(30, 0.1))));
}

// tsfresh's and pandas' absolute cut-offs, from just above and just below: see the features' files.
TEST(Features, CutOffNegligibleSpreadWhereTsfreshDoes) {
  auto square_wave = [](double height) { return std::vector{0.0, height, 0.0, height}; };
  EXPECT_FALSE(std::isnan(value_of("autocorrelation__lag_1", square_wave(2.1e-4))));
  EXPECT_TRUE(std::isnan(value_of("autocorrelation__lag_1", square_wave(1.9e-4))));
  auto spike = [](double height) { return std::vector{0.0, 0.0, 0.0, height}; };
  EXPECT_DOUBLE_EQ(value_of("skewness", spike(1e-4)), 2.0);
  EXPECT_EQ(value_of("skewness", spike(1e-5)), 0.0);
  EXPECT_DOUBLE_EQ(value_of("kurtosis", spike(1e-3)), 4.0);
  EXPECT_EQ(value_of("kurtosis", spike(1e-4)), 0.0);
}

}  // namespace
}  // namespace reveal::feature

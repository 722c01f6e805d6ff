// The table of all features, and their computation on packs of channels. Each function stands in a
// file of its kind, which states its formula; it is included here and nowhere else, since
// everything reaches it through its row.
//
// This file is compiled once for each instruction set (Highway); the processor's best is chosen
// when the program runs. No operation is fused and none crosses lanes, so the results are the same.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "feature/feature.h"
#include "feature/pack.h"
#include "feature/survey.h"

// One x86 set for each width is enough: 128, 256 and 512 bits. Vectors of unknown width cannot be
// kept in memory, nor can GCC keep those of SVE whose width is known: on Arm that leaves NEON.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "feature/registry.cc"
// It must come first: it includes this file again.
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on

#include "feature/autocorrelation-inl.h"
#include "feature/changes-inl.h"
#include "feature/dickey_fuller-inl.h"
#include "feature/kpss-inl.h"
#include "feature/level_crossing-inl.h"
#include "feature/linear_trend-inl.h"
#include "feature/locations-inl.h"
#include "feature/mass-inl.h"
#include "feature/moments-inl.h"
#include "feature/nonlinearity-inl.h"
#include "feature/order_statistics-inl.h"
#include "feature/power_density-inl.h"
#include "feature/recurrence-inl.h"
#include "feature/rows_changes-inl.h"
#include "feature/rows_spectrum-inl.h"
#include "feature/rows_time-inl.h"
#include "feature/rows_values-inl.h"
#include "feature/rows_variety-inl.h"
#include "feature/rows_wavelet-inl.h"
#include "feature/shift-inl.h"
#include "feature/survey-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {
namespace {

// name, phrase, unit, shift, cost, fewest samples, help, legible; function
constexpr std::array kFirstRows{
    Row{{"mean", "mean", kSame, kFollows, kLinear, 1,
         "Arithmetic mean; of a ratio of counters, the ratio of their sums in the window. Constant "
         "c gives c.",
         true},
        mean},
    Row{{"variance", "variance", kSquared, kInvariant, kLinear, 1,
         "Mean squared deviation from the mean, divisor n. Constant gives 0."},
        variance},
    Row{{"standard_deviation", "standard deviation", kSame, kInvariant, kLinear, 1,
         "Root of the variance. Constant gives 0."},
        standard_deviation},
    Row{{"minimum", "minimum", kSame, kFollows, kLinear, 1, "Smallest sample. Constant c gives c.",
         true},
        minimum},
    Row{{"maximum", "maximum", kSame, kFollows, kLinear, 1, "Largest sample. Constant c gives c.",
         true},
        maximum},
    Row{{"median", "median", kSame, kFollows, kSorting, 1,
         "Middle sample, or the mean of the middle two. Constant c gives c.", true},
        median},
    Row{{"skewness", "skewness", kNone, kInvariant, kLinear, 3,
         "Asymmetry of the distribution, adjusted for sample size (G1). Constant gives 0."},
        skewness},
    Row{{"kurtosis", "kurtosis", kNone, kInvariant, kLinear, 4,
         "Weight of the distribution's tails over a normal one's, adjusted for sample size (G2). "
         "Constant gives 0."},
        kurtosis},
    Row{{R"(linear_trend__attr_"slope")", "trend", kPerTick, kInvariant, kLinear, 2,
         "Slope of the least-squares line over the samples. Constant gives 0."},
        linear_trend<LinePart::kSlope>},
    Row{{R"(linear_trend__attr_"intercept")", "level at the start of its trend", kSame, kFollows,
         kLinear, 2, "Where that line begins. Constant c gives c."},
        linear_trend<LinePart::kIntercept>},
    Row{{R"(linear_trend__attr_"rvalue")", "trend strength", kNone, kInvariant, kLinear, 2,
         "Correlation of the samples with time, -1 to 1. Constant gives 0."},
        linear_trend<LinePart::kRvalue>},
    Row{{R"(linear_trend__attr_"pvalue")", "chance of as steep a trend", kNone, kInvariant, kLinear,
         2, "How likely a line as steep is without a trend, two-sided. Constant gives 1."},
        linear_trend<LinePart::kPvalue>},
    Row{{R"(linear_trend__attr_"stderr")", "uncertainty of its trend", kPerTick, kInvariant,
         kLinear, 2, "The slope's standard error. Constant gives 0."},
        linear_trend<LinePart::kStderr>},
    Row{{"autocorrelation__lag_0", "correlation with itself", kNone, kInvariant, kLinear, 2,
         "1 where it is defined. Undefined for a constant."},
        autocorrelation<0>},
    Row{{"autocorrelation__lag_1", "persistence", kNone, kInvariant, kLinear, 2,
         "Correlation of each sample with the one before it. Undefined for a constant."},
        autocorrelation<1>},
    Row{{"autocorrelation__lag_2", "persistence over 2 ticks", kNone, kInvariant, kLinear, 3,
         "Correlation of each sample with the one 2 before it. Undefined for a constant."},
        autocorrelation<2>},
    Row{{"autocorrelation__lag_3", "persistence over 3 ticks", kNone, kInvariant, kLinear, 4,
         "Correlation of each sample with the one 3 before it. Undefined for a constant."},
        autocorrelation<3>},
    Row{{"autocorrelation__lag_4", "persistence over 4 ticks", kNone, kInvariant, kLinear, 5,
         "Correlation of each sample with the one 4 before it. Undefined for a constant."},
        autocorrelation<4>},
    Row{{"autocorrelation__lag_5", "persistence over 5 ticks", kNone, kInvariant, kLinear, 6,
         "Correlation of each sample with the one 5 before it. Undefined for a constant."},
        autocorrelation<5>},
    Row{{"absolute_sum_of_changes", "total movement", kSame, kInvariant, kLinear, 2,
         "Sum of the absolute steps between neighboring samples. Constant gives 0."},
        absolute_sum_of_changes},
    Row{{"mean_change", "mean change", kPerTick, kInvariant, kLinear, 2,
         "Last sample less the first, over the number of steps. Constant gives 0."},
        mean_change},
    Row{{"sum_values", "total", kSame, kTimesCount, kLinear, 1,
         "Sum of the samples. Constant c gives n c.", true},
        sum_values},
    Row{{"length", "number of samples", kUnscaled, kInvariant, kLinear, 1,
         "Number of valid samples."},
        length},
    Row{{"absolute_maximum", "largest magnitude", kSame, kOther, kLinear, 1,
         "Largest absolute sample. Constant c gives |c|."},
        absolute_maximum},
    Row{{"abs_energy", "energy", kSquared, kOther, kLinear, 1,
         "Sum of squares. Constant c gives n c^2."},
        abs_energy},
    Row{{"root_mean_square", "root mean square", kSame, kOther, kLinear, 1,
         "Root of the mean of squares. Constant c gives |c|."},
        root_mean_square},
    Row{{"variation_coefficient", "spread relative to its mean", kNone, kOther, kLinear, 1,
         "Standard deviation over mean. Constant gives 0; undefined for a mean of 0."},
        variation_coefficient},
    Row{{"variance_larger_than_standard_deviation", "variance above its root", kUnscaled,
         kInvariant, kLinear, 1, "1 if the variance is above 1, else 0. Constant gives 0."},
        variance_larger_than_standard_deviation},
    Row{{"range", "range", kSame, kInvariant, kLinear, 1,
         "Largest sample less the smallest. Constant gives 0."},
        value_range},
    Row{{"interquartile_range", "interquartile range", kSame, kInvariant, kSorting, 1,
         "Third quartile less the first. Constant gives 0."},
        interquartile_range},
    Row{{"quantile__q_0.05", "5 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 5 % of the samples lie, linear between neighbors. Constant c gives c.",
         true},
        quantile<5>},
    Row{{"quantile__q_0.1", "10 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 10 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<10>},
    Row{{"quantile__q_0.2", "20 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 20 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<20>},
    Row{{"quantile__q_0.25", "25 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 25 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<25>},
    Row{{"quantile__q_0.3", "30 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 30 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<30>},
    Row{{"quantile__q_0.4", "40 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 40 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<40>},
    Row{{"quantile__q_0.6", "60 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 60 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<60>},
    Row{{"quantile__q_0.7", "70 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 70 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<70>},
    Row{{"quantile__q_0.75", "75 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 75 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<75>},
    Row{{"quantile__q_0.8", "80 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 80 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<80>},
    Row{{"quantile__q_0.9", "90 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 90 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<90>},
    Row{{"quantile__q_0.95", "95 % quantile", kSame, kFollows, kSorting, 1,
         "Value below which 95 % of the samples lie, linear between neighbors. Constant c gives "
         "c.",
         true},
        quantile<95>},
    Row{{"large_standard_deviation__r_0.1", "spread above 10 % of its range", kNone, kInvariant,
         kLinear, 1,
         "1 if the standard deviation is above 10 % of the range, else 0. Constant gives 0."},
        large_standard_deviation<10>},
    Row{{"large_standard_deviation__r_0.25", "spread above 25 % of its range", kNone, kInvariant,
         kLinear, 1,
         "1 if the standard deviation is above 25 % of the range, else 0. Constant gives 0."},
        large_standard_deviation<25>},
    Row{{"large_standard_deviation__r_0.5", "spread above 50 % of its range", kNone, kInvariant,
         kLinear, 1,
         "1 if the standard deviation is above 50 % of the range, else 0. Constant gives 0."},
        large_standard_deviation<50>},
    Row{{"symmetry_looking__r_0.05", "symmetry within 5 % of its range", kNone, kInvariant,
         kSorting, 1,
         "1 if mean and median are nearer than 5 % of the range, else 0. Constant gives 0."},
        symmetry_looking<5>},
    Row{{"symmetry_looking__r_0.1", "symmetry within 10 % of its range", kNone, kInvariant,
         kSorting, 1,
         "1 if mean and median are nearer than 10 % of the range, else 0. Constant gives 0."},
        symmetry_looking<10>},
    Row{{"symmetry_looking__r_0.25", "symmetry within 25 % of its range", kNone, kInvariant,
         kSorting, 1,
         "1 if mean and median are nearer than 25 % of the range, else 0. Constant gives 0."},
        symmetry_looking<25>},
    Row{{"has_duplicate", "repetition", kNone, kInvariant, kSorting, 1,
         "1 if a value comes twice, else 0. Constant gives 1."},
        has_duplicate},
    Row{{"has_duplicate_max", "repeated maximum", kNone, kInvariant, kSorting, 1,
         "1 if the maximum comes twice, else 0. Constant gives 1."},
        has_duplicate_max},
    Row{{"has_duplicate_min", "repeated minimum", kNone, kInvariant, kSorting, 1,
         "1 if the minimum comes twice, else 0. Constant gives 1."},
        has_duplicate_min},
    Row{{"percentage_of_reoccurring_values_to_all_values", "share of recurring values", kNone,
         kInvariant, kSorting, 1,
         "Values that come more than once, over distinct values. Constant gives 1."},
        percentage_of_reoccurring_values_to_all_values},
    Row{{"percentage_of_reoccurring_datapoints_to_all_datapoints", "share of recurring samples",
         kNone, kInvariant, kSorting, 1,
         "Samples whose value comes more than once, over all. Constant gives 1."},
        percentage_of_reoccurring_datapoints_to_all_datapoints},
    Row{{"sum_of_reoccurring_values", "sum of recurring values", kSame, kOther, kSorting, 1,
         "Sum of the values that come more than once, each taken once. Constant c gives c."},
        sum_of_reoccurring_values},
    Row{{"sum_of_reoccurring_data_points", "sum of recurring samples", kSame, kOther, kSorting, 1,
         "Sum of the samples whose value comes more than once. Constant c gives n c."},
        sum_of_reoccurring_data_points},
    Row{{"ratio_value_number_to_time_series_length", "share of distinct values", kNone, kInvariant,
         kSorting, 1, "Distinct values over samples. Constant gives 1 / n."},
        ratio_value_number_to_time_series_length},
    Row{{"first_location_of_maximum", "first moment of its maximum", kNone, kInvariant, kLinear, 1,
         "Where the maximum is first seen, as a share of the length. Constant gives 0."},
        first_location_of_maximum},
    Row{{"last_location_of_maximum", "last moment of its maximum", kNone, kInvariant, kLinear, 1,
         "Where the maximum is last seen, as a share of the length. Constant gives 1."},
        last_location_of_maximum},
    Row{{"first_location_of_minimum", "first moment of its minimum", kNone, kInvariant, kLinear, 1,
         "Where the minimum is first seen, as a share of the length. Constant gives 0."},
        first_location_of_minimum},
    Row{{"last_location_of_minimum", "last moment of its minimum", kNone, kInvariant, kLinear, 1,
         "Where the minimum is last seen, as a share of the length. Constant gives 1."},
        last_location_of_minimum},
    Row{{"mean_abs_change", "mean movement", kPerTick, kInvariant, kLinear, 2,
         "Mean absolute step between neighboring samples. Constant gives 0."},
        mean_abs_change},
    Row{{"mean_second_derivative_central", "mean bend", kUnscaled, kInvariant, kLinear, 3,
         "Mean of half the second differences, in u per tick squared. Constant gives 0."},
        mean_second_derivative_central},
    Row{{"cid_ce__normalize_False", "roughness", kSame, kInvariant, kLinear, 2,
         "Root of the sum of squared steps. Constant gives 0."},
        complexity},
    Row{{"cid_ce__normalize_True", "roughness relative to its spread", kNone, kInvariant, kLinear,
         2, "The same of samples over their standard deviation. Constant gives 0."},
        normalized_complexity},
    Row{{"partial_autocorrelation__lag_0", "partial correlation with itself", kNone, kInvariant,
         kLinear, 4, "1 from four samples on."},
        partial_autocorrelation<0>},
    Row{{"partial_autocorrelation__lag_1", "own persistence over 1 ticks", kNone, kInvariant,
         kLinear, 4,
         "Correlation with the sample 1 before beyond what those between say. At most n / 2 - 1 "
         "lags. Undefined for a constant."},
        partial_autocorrelation<1>},
    Row{{"partial_autocorrelation__lag_2", "own persistence over 2 ticks", kNone, kInvariant,
         kLinear, 6,
         "Correlation with the sample 2 before beyond what those between say. At most n / 2 - 1 "
         "lags. Undefined for a constant."},
        partial_autocorrelation<2>},
    Row{{"partial_autocorrelation__lag_3", "own persistence over 3 ticks", kNone, kInvariant,
         kLinear, 8,
         "Correlation with the sample 3 before beyond what those between say. At most n / 2 - 1 "
         "lags. Undefined for a constant."},
        partial_autocorrelation<3>},
    Row{{"partial_autocorrelation__lag_4", "own persistence over 4 ticks", kNone, kInvariant,
         kLinear, 10,
         "Correlation with the sample 4 before beyond what those between say. At most n / 2 - 1 "
         "lags. Undefined for a constant."},
        partial_autocorrelation<4>},
    Row{{"partial_autocorrelation__lag_5", "own persistence over 5 ticks", kNone, kInvariant,
         kLinear, 12,
         "Correlation with the sample 5 before beyond what those between say. At most n / 2 - 1 "
         "lags. Undefined for a constant."},
        partial_autocorrelation<5>},
    Row{{"c3__lag_1", "third-order dependence over 1 ticks", kCubed, kOther, kLinear, 1,
         "Mean product of three samples 1 apart; 0 if none. Constant c gives c^3."},
        c3<1>},
    Row{{"time_reversal_asymmetry_statistic__lag_1", "asymmetry in time over 1 ticks", kCubed,
         kOther, kLinear, 1,
         "Mean of x[t+2]^2 x[t+1] - x[t+1] x[t]^2; 0 if there is none. Constant gives 0."},
        time_reversal_asymmetry_statistic<1>},
    Row{{"c3__lag_2", "third-order dependence over 2 ticks", kCubed, kOther, kLinear, 1,
         "Mean product of three samples 2 apart; 0 if none. Constant c gives c^3."},
        c3<2>},
    Row{{"time_reversal_asymmetry_statistic__lag_2", "asymmetry in time over 2 ticks", kCubed,
         kOther, kLinear, 1,
         "Mean of x[t+4]^2 x[t+2] - x[t+2] x[t]^2; 0 if there is none. Constant gives 0."},
        time_reversal_asymmetry_statistic<2>},
    Row{{"c3__lag_3", "third-order dependence over 3 ticks", kCubed, kOther, kLinear, 1,
         "Mean product of three samples 3 apart; 0 if none. Constant c gives c^3."},
        c3<3>},
    Row{{"time_reversal_asymmetry_statistic__lag_3", "asymmetry in time over 3 ticks", kCubed,
         kOther, kLinear, 1,
         "Mean of x[t+6]^2 x[t+3] - x[t+3] x[t]^2; 0 if there is none. Constant gives 0."},
        time_reversal_asymmetry_statistic<3>},
    Row{{"count_above_mean", "samples above its mean", kNone, kInvariant, kLinear, 1,
         "Number of samples above the mean. Constant gives 0."},
        count_above_mean},
    Row{{"count_below_mean", "samples below its mean", kNone, kInvariant, kLinear, 1,
         "Number of samples below the mean. Constant gives 0."},
        count_below_mean},
    Row{{"longest_strike_above_mean", "longest stay above its mean", kNone, kInvariant, kLinear, 1,
         "Longest run of samples above the mean. Constant gives 0."},
        longest_strike_above_mean},
    Row{{"longest_strike_below_mean", "longest stay below its mean", kNone, kInvariant, kLinear, 1,
         "Longest run of samples below the mean. Constant gives 0."},
        longest_strike_below_mean},
    Row{{"ratio_beyond_r_sigma__r_0.5", "share beyond 0.5 standard deviations", kNone, kInvariant,
         kLinear, 1,
         "Share of samples more than 0.5 standard deviations from the mean. Constant gives 0."},
        ratio_beyond_r_sigma<5>},
    Row{{"ratio_beyond_r_sigma__r_1", "share beyond 1 standard deviations", kNone, kInvariant,
         kLinear, 1,
         "Share of samples more than 1 standard deviations from the mean. Constant gives 0."},
        ratio_beyond_r_sigma<10>},
    Row{{"ratio_beyond_r_sigma__r_1.5", "share beyond 1.5 standard deviations", kNone, kInvariant,
         kLinear, 1,
         "Share of samples more than 1.5 standard deviations from the mean. Constant gives 0."},
        ratio_beyond_r_sigma<15>},
    Row{{"ratio_beyond_r_sigma__r_2", "share beyond 2 standard deviations", kNone, kInvariant,
         kLinear, 1,
         "Share of samples more than 2 standard deviations from the mean. Constant gives 0."},
        ratio_beyond_r_sigma<20>},
    Row{{"ratio_beyond_r_sigma__r_2.5", "share beyond 2.5 standard deviations", kNone, kInvariant,
         kLinear, 1,
         "Share of samples more than 2.5 standard deviations from the mean. Constant gives 0."},
        ratio_beyond_r_sigma<25>},
    Row{{"ratio_beyond_r_sigma__r_3", "share beyond 3 standard deviations", kNone, kInvariant,
         kLinear, 1,
         "Share of samples more than 3 standard deviations from the mean. Constant gives 0."},
        ratio_beyond_r_sigma<30>},
    Row{{"number_crossing_m__m_-1", "crossings of -1", kUnscaled, kOther, kLinear, 1,
         "How often neighbors lie on different sides of -1. Constant gives 0."},
        number_crossing_m<-1>},
    Row{{"number_crossing_m__m_0", "crossings of 0", kUnscaled, kOther, kLinear, 1,
         "How often neighbors lie on different sides of 0. Constant gives 0."},
        number_crossing_m<0>},
    Row{{"number_crossing_m__m_1", "crossings of 1", kUnscaled, kOther, kLinear, 1,
         "How often neighbors lie on different sides of 1. Constant gives 0."},
        number_crossing_m<1>},
    Row{{"number_crossing_mean", "crossings of its mean", kNone, kInvariant, kLinear, 1,
         "How often neighbors lie on different sides of the mean. Constant gives 0."},
        mean_crossings},
    Row{{"number_peaks__n_1", "peaks over 1 ticks", kNone, kInvariant, kLinear, 1,
         "Samples larger than the 1 before and after them. Constant gives 0."},
        number_peaks<1>},
    Row{{"number_peaks__n_3", "peaks over 3 ticks", kNone, kInvariant, kLinear, 1,
         "Samples larger than the 3 before and after them. Constant gives 0."},
        number_peaks<3>},
    Row{{"number_peaks__n_5", "peaks over 5 ticks", kNone, kInvariant, kLinear, 1,
         "Samples larger than the 5 before and after them. Constant gives 0."},
        number_peaks<5>},
    Row{{R"(agg_linear_trend__attr_"slope"__chunk_len_5__f_agg_"mean")",
         "trend of its means over 5 ticks", kPerChunk, kInvariant, kLinear, 6,
         "Slope of the line through the means of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kSlope, 5, Aggregate::kMean>},
    Row{{R"(agg_linear_trend__attr_"intercept"__chunk_len_5__f_agg_"mean")",
         "level at the start of the trend of its means over 5 ticks", kSame, kFollows, kLinear, 6,
         "Intercept of the line through the means of chunks of 5 samples. Constant c gives c."},
        agg_linear_trend<LinePart::kIntercept, 5, Aggregate::kMean>},
    Row{{R"(agg_linear_trend__attr_"rvalue"__chunk_len_5__f_agg_"mean")",
         "trend strength of its means over 5 ticks", kNone, kInvariant, kLinear, 6,
         "Rvalue of the line through the means of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kRvalue, 5, Aggregate::kMean>},
    Row{{R"(agg_linear_trend__attr_"stderr"__chunk_len_5__f_agg_"mean")",
         "uncertainty of the trend of its means over 5 ticks", kPerChunk, kInvariant, kLinear, 6,
         "Stderr of the line through the means of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kStderr, 5, Aggregate::kMean>},
    Row{{R"(agg_linear_trend__attr_"slope"__chunk_len_5__f_agg_"max")",
         "trend of its maxima over 5 ticks", kPerChunk, kInvariant, kLinear, 6,
         "Slope of the line through the maxima of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kSlope, 5, Aggregate::kMax>},
    Row{{R"(agg_linear_trend__attr_"intercept"__chunk_len_5__f_agg_"max")",
         "level at the start of the trend of its maxima over 5 ticks", kSame, kFollows, kLinear, 6,
         "Intercept of the line through the maxima of chunks of 5 samples. Constant c gives c."},
        agg_linear_trend<LinePart::kIntercept, 5, Aggregate::kMax>},
    Row{{R"(agg_linear_trend__attr_"rvalue"__chunk_len_5__f_agg_"max")",
         "trend strength of its maxima over 5 ticks", kNone, kInvariant, kLinear, 6,
         "Rvalue of the line through the maxima of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kRvalue, 5, Aggregate::kMax>},
    Row{{R"(agg_linear_trend__attr_"stderr"__chunk_len_5__f_agg_"max")",
         "uncertainty of the trend of its maxima over 5 ticks", kPerChunk, kInvariant, kLinear, 6,
         "Stderr of the line through the maxima of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kStderr, 5, Aggregate::kMax>},
    Row{{R"(agg_linear_trend__attr_"slope"__chunk_len_5__f_agg_"min")",
         "trend of its minima over 5 ticks", kPerChunk, kInvariant, kLinear, 6,
         "Slope of the line through the minima of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kSlope, 5, Aggregate::kMin>},
    Row{{R"(agg_linear_trend__attr_"intercept"__chunk_len_5__f_agg_"min")",
         "level at the start of the trend of its minima over 5 ticks", kSame, kFollows, kLinear, 6,
         "Intercept of the line through the minima of chunks of 5 samples. Constant c gives c."},
        agg_linear_trend<LinePart::kIntercept, 5, Aggregate::kMin>},
    Row{{R"(agg_linear_trend__attr_"rvalue"__chunk_len_5__f_agg_"min")",
         "trend strength of its minima over 5 ticks", kNone, kInvariant, kLinear, 6,
         "Rvalue of the line through the minima of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kRvalue, 5, Aggregate::kMin>},
    Row{{R"(agg_linear_trend__attr_"stderr"__chunk_len_5__f_agg_"min")",
         "uncertainty of the trend of its minima over 5 ticks", kPerChunk, kInvariant, kLinear, 6,
         "Stderr of the line through the minima of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kStderr, 5, Aggregate::kMin>},
    Row{{R"(agg_linear_trend__attr_"slope"__chunk_len_5__f_agg_"var")",
         "trend of its variances over 5 ticks", kUnscaled, kInvariant, kLinear, 6,
         "Slope of the line through the variances of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kSlope, 5, Aggregate::kVar>},
    Row{{R"(agg_linear_trend__attr_"intercept"__chunk_len_5__f_agg_"var")",
         "level at the start of the trend of its variances over 5 ticks", kSquared, kInvariant,
         kLinear, 6,
         "Intercept of the line through the variances of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kIntercept, 5, Aggregate::kVar>},
    Row{{R"(agg_linear_trend__attr_"rvalue"__chunk_len_5__f_agg_"var")",
         "trend strength of its variances over 5 ticks", kNone, kInvariant, kLinear, 6,
         "Rvalue of the line through the variances of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kRvalue, 5, Aggregate::kVar>},
    Row{{R"(agg_linear_trend__attr_"stderr"__chunk_len_5__f_agg_"var")",
         "uncertainty of the trend of its variances over 5 ticks", kUnscaled, kInvariant, kLinear,
         6, "Stderr of the line through the variances of chunks of 5 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kStderr, 5, Aggregate::kVar>},
    Row{{R"(agg_linear_trend__attr_"slope"__chunk_len_10__f_agg_"mean")",
         "trend of its means over 10 ticks", kPerChunk, kInvariant, kLinear, 11,
         "Slope of the line through the means of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kSlope, 10, Aggregate::kMean>},
    Row{{R"(agg_linear_trend__attr_"intercept"__chunk_len_10__f_agg_"mean")",
         "level at the start of the trend of its means over 10 ticks", kSame, kFollows, kLinear, 11,
         "Intercept of the line through the means of chunks of 10 samples. Constant c gives c."},
        agg_linear_trend<LinePart::kIntercept, 10, Aggregate::kMean>},
    Row{{R"(agg_linear_trend__attr_"rvalue"__chunk_len_10__f_agg_"mean")",
         "trend strength of its means over 10 ticks", kNone, kInvariant, kLinear, 11,
         "Rvalue of the line through the means of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kRvalue, 10, Aggregate::kMean>},
    Row{{R"(agg_linear_trend__attr_"stderr"__chunk_len_10__f_agg_"mean")",
         "uncertainty of the trend of its means over 10 ticks", kPerChunk, kInvariant, kLinear, 11,
         "Stderr of the line through the means of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kStderr, 10, Aggregate::kMean>},
    Row{{R"(agg_linear_trend__attr_"slope"__chunk_len_10__f_agg_"max")",
         "trend of its maxima over 10 ticks", kPerChunk, kInvariant, kLinear, 11,
         "Slope of the line through the maxima of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kSlope, 10, Aggregate::kMax>},
    Row{{R"(agg_linear_trend__attr_"intercept"__chunk_len_10__f_agg_"max")",
         "level at the start of the trend of its maxima over 10 ticks", kSame, kFollows, kLinear,
         11,
         "Intercept of the line through the maxima of chunks of 10 samples. Constant c gives c."},
        agg_linear_trend<LinePart::kIntercept, 10, Aggregate::kMax>},
    Row{{R"(agg_linear_trend__attr_"rvalue"__chunk_len_10__f_agg_"max")",
         "trend strength of its maxima over 10 ticks", kNone, kInvariant, kLinear, 11,
         "Rvalue of the line through the maxima of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kRvalue, 10, Aggregate::kMax>},
    Row{{R"(agg_linear_trend__attr_"stderr"__chunk_len_10__f_agg_"max")",
         "uncertainty of the trend of its maxima over 10 ticks", kPerChunk, kInvariant, kLinear, 11,
         "Stderr of the line through the maxima of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kStderr, 10, Aggregate::kMax>},
    Row{{R"(agg_linear_trend__attr_"slope"__chunk_len_10__f_agg_"min")",
         "trend of its minima over 10 ticks", kPerChunk, kInvariant, kLinear, 11,
         "Slope of the line through the minima of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kSlope, 10, Aggregate::kMin>},
    Row{{R"(agg_linear_trend__attr_"intercept"__chunk_len_10__f_agg_"min")",
         "level at the start of the trend of its minima over 10 ticks", kSame, kFollows, kLinear,
         11,
         "Intercept of the line through the minima of chunks of 10 samples. Constant c gives c."},
        agg_linear_trend<LinePart::kIntercept, 10, Aggregate::kMin>},
    Row{{R"(agg_linear_trend__attr_"rvalue"__chunk_len_10__f_agg_"min")",
         "trend strength of its minima over 10 ticks", kNone, kInvariant, kLinear, 11,
         "Rvalue of the line through the minima of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kRvalue, 10, Aggregate::kMin>},
    Row{{R"(agg_linear_trend__attr_"stderr"__chunk_len_10__f_agg_"min")",
         "uncertainty of the trend of its minima over 10 ticks", kPerChunk, kInvariant, kLinear, 11,
         "Stderr of the line through the minima of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kStderr, 10, Aggregate::kMin>},
    Row{{R"(agg_linear_trend__attr_"slope"__chunk_len_10__f_agg_"var")",
         "trend of its variances over 10 ticks", kUnscaled, kInvariant, kLinear, 11,
         "Slope of the line through the variances of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kSlope, 10, Aggregate::kVar>},
    Row{{R"(agg_linear_trend__attr_"intercept"__chunk_len_10__f_agg_"var")",
         "level at the start of the trend of its variances over 10 ticks", kSquared, kInvariant,
         kLinear, 11,
         "Intercept of the line through the variances of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kIntercept, 10, Aggregate::kVar>},
    Row{{R"(agg_linear_trend__attr_"rvalue"__chunk_len_10__f_agg_"var")",
         "trend strength of its variances over 10 ticks", kNone, kInvariant, kLinear, 11,
         "Rvalue of the line through the variances of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kRvalue, 10, Aggregate::kVar>},
    Row{{R"(agg_linear_trend__attr_"stderr"__chunk_len_10__f_agg_"var")",
         "uncertainty of the trend of its variances over 10 ticks", kUnscaled, kInvariant, kLinear,
         11, "Stderr of the line through the variances of chunks of 10 samples. Constant gives 0."},
        agg_linear_trend<LinePart::kStderr, 10, Aggregate::kVar>},
    Row{{R"(augmented_dickey_fuller__attr_"teststat"__autolag_"AIC")", "return to its level", kNone,
         kInvariant, kRegression, 4,
         "Augmented Dickey-Fuller statistic: the more negative, the surer it comes back to its "
         "level. Undefined for a constant."},
        dickey_fuller_statistic},
    Row{{R"(augmented_dickey_fuller__attr_"pvalue"__autolag_"AIC")", "chance that it wanders",
         kNone, kInvariant, kRegression, 4,
         "Its p-value after MacKinnon. Undefined for a constant."},
        dickey_fuller_pvalue},
    Row{{R"(augmented_dickey_fuller__attr_"usedlag"__autolag_"AIC")",
         "memory in the test of wandering", kNone, kInvariant, kRegression, 4,
         "Lagged steps in its regression, by AIC. Constant gives 0."},
        dickey_fuller_usedlag},
    Row{{"kpss", "wandering", kNone, kInvariant, kLinear, 3,
         "Statistic of Kwiatkowski, Phillips, Schmidt and Shin: above 0.463 the level wanders. "
         "Undefined for a constant."},
        kpss},
    Row{{R"(fft_coefficient__attr_"real"__coeff_0)", "cosine part of its total", kSame, kTimesCount,
         kSpectral, 1, "Real part of Fourier coefficient 0. Constant c gives n c."},
        fft_coefficient<FourierPart::kReal, 0>},
    Row{{R"(fft_coefficient__attr_"imag"__coeff_0)", "sine part of its total", kSame, kInvariant,
         kSpectral, 1, "Imaginary part of Fourier coefficient 0. Constant gives 0."},
        fft_coefficient<FourierPart::kImag, 0>},
    Row{{R"(fft_coefficient__attr_"abs"__coeff_0)", "strength of its total", kSame, kOther,
         kSpectral, 1, "Magnitude of Fourier coefficient 0. Constant c gives n |c|."},
        fft_coefficient<FourierPart::kAbs, 0>},
    Row{{R"(fft_coefficient__attr_"angle"__coeff_0)", "phase in degrees of its total", kNone,
         kOther, kSpectral, 1,
         "Angle in degrees of Fourier coefficient 0. Constant gives 0, or 180 below zero."},
        fft_coefficient<FourierPart::kAngle, 0>},
    Row{{R"(fft_coefficient__attr_"real"__coeff_1)", "cosine part of 1 cycles a window", kSame,
         kInvariant, kSpectral, 2, "Real part of Fourier coefficient 1. Constant gives 0."},
        fft_coefficient<FourierPart::kReal, 1>},
    Row{{R"(fft_coefficient__attr_"imag"__coeff_1)", "sine part of 1 cycles a window", kSame,
         kInvariant, kSpectral, 2, "Imaginary part of Fourier coefficient 1. Constant gives 0."},
        fft_coefficient<FourierPart::kImag, 1>},
    Row{{R"(fft_coefficient__attr_"abs"__coeff_1)", "strength of 1 cycles a window", kSame,
         kInvariant, kSpectral, 2, "Magnitude of Fourier coefficient 1. Constant gives 0."},
        fft_coefficient<FourierPart::kAbs, 1>},
    Row{{R"(fft_coefficient__attr_"angle"__coeff_1)", "phase in degrees of 1 cycles a window",
         kNone, kInvariant, kSpectral, 2,
         "Angle in degrees of Fourier coefficient 1. Constant gives 0."},
        fft_coefficient<FourierPart::kAngle, 1>},
    Row{{R"(fft_coefficient__attr_"real"__coeff_2)", "cosine part of 2 cycles a window", kSame,
         kInvariant, kSpectral, 4, "Real part of Fourier coefficient 2. Constant gives 0."},
        fft_coefficient<FourierPart::kReal, 2>},
    Row{{R"(fft_coefficient__attr_"imag"__coeff_2)", "sine part of 2 cycles a window", kSame,
         kInvariant, kSpectral, 4, "Imaginary part of Fourier coefficient 2. Constant gives 0."},
        fft_coefficient<FourierPart::kImag, 2>},
    Row{{R"(fft_coefficient__attr_"abs"__coeff_2)", "strength of 2 cycles a window", kSame,
         kInvariant, kSpectral, 4, "Magnitude of Fourier coefficient 2. Constant gives 0."},
        fft_coefficient<FourierPart::kAbs, 2>},
    Row{{R"(fft_coefficient__attr_"angle"__coeff_2)", "phase in degrees of 2 cycles a window",
         kNone, kInvariant, kSpectral, 4,
         "Angle in degrees of Fourier coefficient 2. Constant gives 0."},
        fft_coefficient<FourierPart::kAngle, 2>},
    Row{{R"(fft_coefficient__attr_"real"__coeff_3)", "cosine part of 3 cycles a window", kSame,
         kInvariant, kSpectral, 6, "Real part of Fourier coefficient 3. Constant gives 0."},
        fft_coefficient<FourierPart::kReal, 3>},
    Row{{R"(fft_coefficient__attr_"imag"__coeff_3)", "sine part of 3 cycles a window", kSame,
         kInvariant, kSpectral, 6, "Imaginary part of Fourier coefficient 3. Constant gives 0."},
        fft_coefficient<FourierPart::kImag, 3>},
    Row{{R"(fft_coefficient__attr_"abs"__coeff_3)", "strength of 3 cycles a window", kSame,
         kInvariant, kSpectral, 6, "Magnitude of Fourier coefficient 3. Constant gives 0."},
        fft_coefficient<FourierPart::kAbs, 3>},
    Row{{R"(fft_coefficient__attr_"angle"__coeff_3)", "phase in degrees of 3 cycles a window",
         kNone, kInvariant, kSpectral, 6,
         "Angle in degrees of Fourier coefficient 3. Constant gives 0."},
        fft_coefficient<FourierPart::kAngle, 3>},
    Row{{R"(fft_coefficient__attr_"real"__coeff_4)", "cosine part of 4 cycles a window", kSame,
         kInvariant, kSpectral, 8, "Real part of Fourier coefficient 4. Constant gives 0."},
        fft_coefficient<FourierPart::kReal, 4>},
    Row{{R"(fft_coefficient__attr_"imag"__coeff_4)", "sine part of 4 cycles a window", kSame,
         kInvariant, kSpectral, 8, "Imaginary part of Fourier coefficient 4. Constant gives 0."},
        fft_coefficient<FourierPart::kImag, 4>},
    Row{{R"(fft_coefficient__attr_"abs"__coeff_4)", "strength of 4 cycles a window", kSame,
         kInvariant, kSpectral, 8, "Magnitude of Fourier coefficient 4. Constant gives 0."},
        fft_coefficient<FourierPart::kAbs, 4>},
    Row{{R"(fft_coefficient__attr_"angle"__coeff_4)", "phase in degrees of 4 cycles a window",
         kNone, kInvariant, kSpectral, 8,
         "Angle in degrees of Fourier coefficient 4. Constant gives 0."},
        fft_coefficient<FourierPart::kAngle, 4>},
    Row{{R"(fft_coefficient__attr_"real"__coeff_5)", "cosine part of 5 cycles a window", kSame,
         kInvariant, kSpectral, 10, "Real part of Fourier coefficient 5. Constant gives 0."},
        fft_coefficient<FourierPart::kReal, 5>},
    Row{{R"(fft_coefficient__attr_"imag"__coeff_5)", "sine part of 5 cycles a window", kSame,
         kInvariant, kSpectral, 10, "Imaginary part of Fourier coefficient 5. Constant gives 0."},
        fft_coefficient<FourierPart::kImag, 5>},
    Row{{R"(fft_coefficient__attr_"abs"__coeff_5)", "strength of 5 cycles a window", kSame,
         kInvariant, kSpectral, 10, "Magnitude of Fourier coefficient 5. Constant gives 0."},
        fft_coefficient<FourierPart::kAbs, 5>},
    Row{{R"(fft_coefficient__attr_"angle"__coeff_5)", "phase in degrees of 5 cycles a window",
         kNone, kInvariant, kSpectral, 10,
         "Angle in degrees of Fourier coefficient 5. Constant gives 0."},
        fft_coefficient<FourierPart::kAngle, 5>},
    Row{{R"(fft_aggregated__aggtype_"centroid")", "mean frequency", kNone, kOther, kSpectral, 1,
         "Mean coefficient number, weighted by magnitude. Constant gives 0."},
        fft_centroid},
    Row{{R"(fft_aggregated__aggtype_"variance")", "spread of frequencies", kNone, kOther, kSpectral,
         1, "Variance of the coefficient number, weighted by magnitude. Constant gives 0."},
        fft_variance},
    Row{{R"(fft_aggregated__aggtype_"skew")", "asymmetry of frequencies", kNone, kOther, kSpectral,
         4,
         "Skewness of the coefficient number; undefined for a variance below 0.5, so for a "
         "constant."},
        fft_skew},
    Row{{R"(fft_aggregated__aggtype_"kurtosis")", "tails of frequencies", kNone, kOther, kSpectral,
         4,
         "Kurtosis of the coefficient number as tsfresh has it; undefined for a variance below "
         "0.5, so for a constant."},
        fft_kurtosis},
    Row{{"spkt_welch_density__coeff_2", "power of 2 cycles a window", kSquared, kInvariant,
         kSpectral, 4,
         "Power density 2 after Welch, in segments of at most 256 samples. Constant gives 0."},
        spkt_welch_density<2>},
    Row{{"spkt_welch_density__coeff_5", "power of 5 cycles a window", kSquared, kInvariant,
         kSpectral, 10,
         "Power density 5 after Welch, in segments of at most 256 samples. Constant gives 0."},
        spkt_welch_density<5>},
    Row{{"spkt_welch_density__coeff_8", "power of 8 cycles a window", kSquared, kInvariant,
         kSpectral, 16,
         "Power density 8 after Welch, in segments of at most 256 samples. Constant gives 0."},
        spkt_welch_density<8>},
    Row{{"index_mass_quantile__q_0.1", "moment at which 10 % of it has come", kNone, kOther,
         kLinear, 1,
         "Share of the window that holds 10 % of the sum of |x|. Constant gives about 0.1; "
         "undefined for 0."},
        index_mass_quantile<10>},
    Row{{"index_mass_quantile__q_0.5", "moment at which 50 % of it has come", kNone, kOther,
         kLinear, 1,
         "Share of the window that holds 50 % of the sum of |x|. Constant gives about 0.5; "
         "undefined for 0."},
        index_mass_quantile<50>},
    Row{{"index_mass_quantile__q_0.9", "moment at which 90 % of it has come", kNone, kOther,
         kLinear, 1,
         "Share of the window that holds 90 % of the sum of |x|. Constant gives about 0.9; "
         "undefined for 0."},
        index_mass_quantile<90>},
    Row{{"energy_ratio_by_chunks__num_segments_10__segment_focus_0", "share of energy in tenth 1",
         kNone, kOther, kLinear, 1,
         "Sum of squares in tenth 1 of the window over that of all. Constant gives about 0.1; "
         "undefined for 0."},
        energy_ratio_by_chunks<10, 0>},
    Row{{"energy_ratio_by_chunks__num_segments_10__segment_focus_5", "share of energy in tenth 6",
         kNone, kOther, kLinear, 1,
         "Sum of squares in tenth 6 of the window over that of all. Constant gives about 0.1; "
         "undefined for 0."},
        energy_ratio_by_chunks<10, 5>},
    Row{{"energy_ratio_by_chunks__num_segments_10__segment_focus_9", "share of energy in tenth 10",
         kNone, kOther, kLinear, 1,
         "Sum of squares in tenth 10 of the window over that of all. Constant gives about 0.1; "
         "undefined for 0."},
        energy_ratio_by_chunks<10, 9>},
    Row{{"binned_entropy__max_bins_10", "variety of values", kNone, kInvariant, kLinear, 1,
         "Entropy of a histogram of ten bins. Constant gives 0."},
        binned_entropy<10>},
    Row{{"fourier_entropy__bins_10", "variety of frequencies", kNone, kInvariant, kSpectral, 2,
         "Entropy of a histogram of power densities. Undefined for a constant."},
        fourier_entropy<10>},
    Row{{"permutation_entropy__dimension_3__tau_1", "variety of movements", kNone, kInvariant,
         kLinear, 3, "Entropy of the orders of three neighbors. Constant gives 0."},
        permutation_entropy_3},
    Row{{"benford_correlation", "agreement with Benford's law", kUnscaled, kOther, kLinear, 1,
         "Correlation of first digits' frequencies with Benford's law."},
        benford_correlation},
    Row{{"mean_shift", "shift between halves", kSame, kInvariant, kLinear, 2,
         "Mean of the second half less that of the first. Constant gives 0."},
        mean_shift},
    Row{{"halves_ks_distance", "difference of its halves", kNone, kInvariant, kQuadratic, 2,
         "Kolmogorov and Smirnov's distance between the halves, 0 to 1. Constant gives 0."},
        halves_ks_distance},
    Row{{"previous_ks_distance", "difference from the window before", kNone, kInvariant, kQuadratic,
         1,
         "Kolmogorov and Smirnov's distance to the last window that shares no tick with this one, "
         "0 to 1. Undefined without one; 0 between equal constants.",
         false, true},
        previous_ks_distance},
    Row{{"cusum_range", "departure from its mean", kNone, kInvariant, kLinear, 1,
         "Range of the sums of deviations, over standard deviation and root of n. Constant gives "
         "0."},
        cusum_range},
    Row{{"cusum_location", "likeliest moment of a change", kNone, kInvariant, kLinear, 1,
         "Where the sum of deviations is farthest from 0, as a share of the length. Constant gives "
         "0."},
        cusum_location},
    Row{{"burstiness", "burstiness", kNone, kOther, kLinear, 1,
         "(deviation - mean) / (deviation + mean): -1 steady, 0 random, towards 1 bursts. Constant "
         "gives -1."},
        burstiness},
};

// New rows come last, so that the order of columns stays.
constexpr auto kRows = join_rows(kFirstRows, kValueRows, kTimeRows, kVarietyRows, kChangeRows,
                                 kWaveletRows, kSpectrumRows);

void compute_channels(std::span<const FeatureId> features, Samples& samples, double* out) {
  for (std::size_t i = 0; i < features.size(); ++i) {
    const Row& row = kRows[features[i].index()];
    V value = undefined();
    if (samples.size() >= row.descriptor.min_samples) value = compute_row(row, samples);
    value = choose(hn::IsFinite(value), value, undefined());
    hn::Store(value, kTag, out + i * kPackLanes);
  }
}

void compute_pack(std::span<const FeatureId> features, const Pack& pack, Arena& arena,
                  double* out) {
  for (std::size_t lane = 0; lane < kPackLanes; lane += kWidth) {
    arena.reset();
    // Only read: the series of samples is never set.
    const Series x(const_cast<double*>(pack.x) + lane);
    Samples samples(pack.samples, x, arena);
    if (pack.previous != nullptr) {
      samples.set_previous(pack.previous_samples,
                           Series(const_cast<double*>(pack.previous) + lane));
    }
    compute_channels(features, samples, out + lane);
  }
}

std::string_view name_target() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace
}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reveal::feature {
namespace {

HWY_EXPORT(compute_pack);
HWY_EXPORT(survey_window);
HWY_EXPORT(name_target);

// Of fewer channels than a vector may have lanes, with others beside them.
void survey_few(const window::WindowView& window, Survey& out) {
  std::vector<std::array<double, kPackLanes>> padded(window.tick_count());
  std::vector<const double*> rows;
  for (std::size_t tick = 0; tick < padded.size(); ++tick) {
    std::copy_n(window.row(tick), window.channel_count(), padded[tick].begin());
    rows.push_back(padded[tick].data());
  }
  HWY_DYNAMIC_DISPATCH(survey_window)(rows, kPackLanes, out);
}

// The descriptors are the same for every instruction set.
constexpr auto kRegistry = [] {
  std::array<FeatureDescriptor, HWY_NAMESPACE::kRows.size()> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = HWY_NAMESPACE::kRows[i].descriptor;
  return out;
}();

}  // namespace

std::span<const FeatureDescriptor> registry() {
  return kRegistry;
}

std::optional<FeatureId> find_feature(std::string_view name) {
  for (std::size_t i = 0; i < kRegistry.size(); ++i)
    if (kRegistry[i].name == name) return FeatureId(i);
  return std::nullopt;
}

void compute(std::span<const FeatureId> features, const Pack& pack, Arena& arena, double* out) {
  HWY_DYNAMIC_DISPATCH(compute_pack)(features, pack, arena, out);
}

std::string_view instruction_set() {
  return HWY_DYNAMIC_DISPATCH(name_target)();
}

void survey(const window::WindowView& window, Survey& out) {
  const std::size_t room = std::max(window.channel_count(), kPackLanes);
  for (auto* column : {&out.valid, &out.due, &out.moves}) column->resize(room);
  if (window.channel_count() < kPackLanes) {
    survey_few(window, out);
  } else {
    HWY_DYNAMIC_DISPATCH(survey_window)(window.rows(), window.channel_count(), out);
  }
}

double compute(FeatureId feature, std::span<const double> values,
               std::span<const double> previous) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  Arena memory;
  const auto spread = [&memory](std::span<const double> samples) {
    double* x = memory.take(samples.size() * kPackLanes);
    for (std::size_t t = 0; t < samples.size(); ++t) {
      std::fill_n(x + t * kPackLanes, kPackLanes, samples[t]);
    }
    return x;
  };
  const Pack pack{values.size(), spread(values), previous.size(), spread(previous)};
  Arena scratch;
  double* out = memory.take(kPackLanes);
  compute(std::span(&feature, 1), pack, scratch, out);
  return *out;
}

}  // namespace reveal::feature
#endif

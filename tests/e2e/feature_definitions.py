"""What each feature is by definition: numpy, scipy and statsmodels on one window of samples.

The definitions are tsfresh's where it has the feature. FEATURES maps names to functions of an array;
a feature that is undefined is NaN. FEATURES_OF_TWO are functions of the window before and this one;
without the former they are undefined. Those that only the profile `full` has are defined in
full_feature_definitions.
"""

import math
import warnings

import numpy as np
import scipy.signal
import scipy.stats
from statsmodels.tsa.stattools import adfuller, pacf

from full_feature_definitions import FULL_FEATURES

warnings.simplefilter("ignore")
NAN = float("nan")
FEATURES = dict(FULL_FEATURES)


def feature(name):
    def add(function):
        FEATURES[name] = function
        return function
    return add


def family(template, parameters, function):
    """Adds one feature for each of the parameters, bound to it."""
    for parameter in parameters:
        words = parameter if isinstance(parameter, tuple) else (parameter,)
        FEATURES[template.format(*words)] = lambda x, words=words: function(x, *words)


def lagged(x, lag):
    """x[t], x[t + lag], x[t + 2 lag] for all t that have them."""
    n = len(x) - 2 * lag
    return x[:n], x[lag:lag + n], x[2 * lag:2 * lag + n]


# Levels, spread and shape.
FEATURES.update({
    "mean": np.mean, "variance": np.var, "standard_deviation": np.std, "minimum": np.min,
    "maximum": np.max, "median": np.median, "sum_values": np.sum, "length": len,
    "absolute_maximum": lambda x: np.abs(x).max(), "abs_energy": lambda x: x @ x,
    "root_mean_square": lambda x: math.sqrt(np.mean(x * x)), "range": np.ptp,
    "interquartile_range": lambda x: np.subtract(*np.quantile(x, [0.75, 0.25])),
    "variation_coefficient": lambda x: np.std(x) / np.mean(x) if np.mean(x) else NAN,
    "variance_larger_than_standard_deviation": lambda x: np.var(x) > np.std(x),
    "skewness": lambda x: (NAN if len(x) < 3 else
                           scipy.stats.skew(x, bias=False) if np.ptp(x) else 0.0),
    "kurtosis": lambda x: (NAN if len(x) < 4 else
                           scipy.stats.kurtosis(x, bias=False) if np.ptp(x) else 0.0),
    "burstiness": lambda x: ((np.std(x) - np.mean(x)) / (np.std(x) + np.mean(x))
                             if np.std(x) + np.mean(x) else NAN),
})
family("quantile__q_{}", (0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95),
       np.quantile)
family("large_standard_deviation__r_{}", (0.1, 0.25, 0.5), lambda x, r: np.std(x) > r * np.ptp(x))
family("symmetry_looking__r_{}", (0.05, 0.1, 0.25),
       lambda x, r: abs(np.mean(x) - np.median(x)) < r * np.ptp(x))
family("ratio_beyond_r_sigma__r_{}", (0.5, 1, 1.5, 2, 2.5, 3),
       lambda x, r: np.mean(np.abs(x - np.mean(x)) > r * np.std(x)))


# Values that come more than once.
def counts(x):
    return np.unique(x, return_counts=True)


FEATURES.update({
    "has_duplicate": lambda x: len(counts(x)[0]) < len(x),
    "has_duplicate_max": lambda x: np.sum(x == x.max()) > 1,
    "has_duplicate_min": lambda x: np.sum(x == x.min()) > 1,
    "percentage_of_reoccurring_values_to_all_values": lambda x: np.mean(counts(x)[1] > 1),
    "percentage_of_reoccurring_datapoints_to_all_datapoints":
        lambda x: sum(c for c in counts(x)[1] if c > 1) / len(x),
    "sum_of_reoccurring_values": lambda x: sum(v for v, c in zip(*counts(x)) if c > 1),
    "sum_of_reoccurring_data_points": lambda x: sum(v * c for v, c in zip(*counts(x)) if c > 1),
    "ratio_value_number_to_time_series_length": lambda x: len(counts(x)[0]) / len(x),
})

# Places.
FEATURES.update({
    "first_location_of_maximum": lambda x: np.argmax(x) / len(x),
    "last_location_of_maximum": lambda x: 1 - np.argmax(x[::-1]) / len(x),
    "first_location_of_minimum": lambda x: np.argmin(x) / len(x),
    "last_location_of_minimum": lambda x: 1 - np.argmin(x[::-1]) / len(x),
})

# Steps.
FEATURES.update({
    "absolute_sum_of_changes": lambda x: np.abs(np.diff(x)).sum() if len(x) > 1 else NAN,
    "mean_abs_change": lambda x: np.abs(np.diff(x)).mean() if len(x) > 1 else NAN,
    "mean_change": lambda x: np.diff(x).mean() if len(x) > 1 else NAN,
    "mean_second_derivative_central": lambda x: np.diff(x, 2).mean() / 2 if len(x) > 2 else NAN,
    "cid_ce__normalize_False": lambda x: np.linalg.norm(np.diff(x)) if len(x) > 1 else NAN,
    "cid_ce__normalize_True": lambda x: (NAN if len(x) < 2 else
                                         np.linalg.norm(np.diff(x)) / np.std(x) if np.ptp(x) else 0),
})


# Above and below.
def longest(flags):
    best = now = 0
    for flag in flags:
        now = now + 1 if flag else 0
        best = max(best, now)
    return best


def crossings(x, level):
    return np.count_nonzero(np.diff(x > level))


def peaks(x, n):
    return sum(all(x[t] > x[t - k] and x[t] > x[t + k] for k in range(1, n + 1))
               for t in range(n, len(x) - n))


FEATURES.update({
    "count_above_mean": lambda x: np.sum(x > np.mean(x)),
    "count_below_mean": lambda x: np.sum(x < np.mean(x)),
    "longest_strike_above_mean": lambda x: longest(x > np.mean(x)),
    "longest_strike_below_mean": lambda x: longest(x < np.mean(x)),
    "number_crossing_mean": lambda x: crossings(x, np.mean(x)),
})
family("number_crossing_m__m_{}", (-1, 0, 1), crossings)
family("number_peaks__n_{}", (1, 3, 5), peaks)


# Memory.
def autocorrelation(x, lag):
    if len(x) <= max(lag, 1) or np.var(x) <= 1e-8:
        return NAN
    d = x - np.mean(x)
    return d[:len(x) - lag] @ d[lag:] / ((len(x) - lag) * np.var(x))


def partial(x, lag):
    if len(x) < 4 or lag >= len(x) // 2:
        return NAN
    if lag == 0:
        return 1.0
    return pacf(x, nlags=lag, method="ld")[lag] if np.ptp(x) else NAN


family("autocorrelation__lag_{}", range(6), autocorrelation)
family("partial_autocorrelation__lag_{}", range(6), partial)
family("c3__lag_{}", (1, 2, 3),
       lambda x, lag: np.mean(np.prod(lagged(x, lag), axis=0)) if 2 * lag < len(x) else 0.0)


def asymmetry(x, lag):
    if 2 * lag >= len(x):
        return 0.0
    early, middle, late = lagged(x, lag)
    return np.mean(late ** 2 * middle - middle * early ** 2)


family("time_reversal_asymmetry_statistic__lag_{}", (1, 2, 3), asymmetry)


# Trend.
def line(y, part):
    fit = scipy.stats.linregress(np.arange(len(y)), y)
    return getattr(fit, part)


def line_of_chunks(x, part, chunk, how):
    if len(x) <= chunk:
        return NAN
    return line([getattr(np, how)(x[i:i + chunk]) for i in range(0, len(x), chunk)], part)


family('linear_trend__attr_"{}"', ("slope", "intercept", "rvalue", "pvalue", "stderr"),
       lambda x, part: line(x, part) if len(x) > 1 else NAN)
family('agg_linear_trend__attr_"{}"__chunk_len_{}__f_agg_"{}"',
       [(part, chunk, how) for part in ("slope", "intercept", "rvalue", "stderr")
        for chunk in (5, 10) for how in ("mean", "max", "min", "var")], line_of_chunks)


# Stationarity.
def dickey_fuller(x, which):
    if len(x) < 4:
        return NAN
    if not np.ptp(x):
        return 0.0 if which == 2 else NAN
    return adfuller(x)[which]


for number, word in enumerate(("teststat", "pvalue", "usedlag")):
    family(f'augmented_dickey_fuller__attr_"{word}"__autolag_"AIC"', (number,), dickey_fuller)


@feature("kpss")
def kpss(x):
    if len(x) < 3 or not np.ptp(x):
        return NAN
    n, d = len(x), x - np.mean(x)
    lags = int(4 * (n / 100) ** 0.25)
    variance = d @ d / n + 2 / n * sum((1 - k / (lags + 1)) * (d[k:] @ d[:n - k])
                                       for k in range(1, min(lags, n - 1) + 1))
    return np.sum(np.cumsum(d) ** 2) / (n * n * variance)


# Spectrum.
def coefficient(x, part, k):
    z = np.fft.rfft(x)
    if k >= len(z):
        return NAN
    return {"real": z[k].real, "imag": z[k].imag, "abs": abs(z[k]),
            "angle": np.angle(z[k], deg=True)}[part]


family('fft_coefficient__attr_"{}"__coeff_{}',
       [(part, k) for part in ("real", "imag", "abs", "angle") for k in range(6)], coefficient)


def spectral(x, which):
    weights = np.abs(np.fft.rfft(x))
    if not weights.sum():
        return NAN
    m = [weights @ np.arange(len(weights)) ** i / weights.sum() for i in range(5)]
    variance = m[2] - m[1] ** 2
    if which == "centroid":
        return m[1]
    if which == "variance":
        return variance
    if variance < 0.5:
        return NAN
    if which == "skew":
        return (m[3] - 3 * m[1] * variance - m[1] ** 3) / variance ** 1.5
    return (m[4] - 4 * m[1] * m[3] + 6 * m[2] * m[1] ** 2 - 3 * m[1]) / variance ** 2


family('fft_aggregated__aggtype_"{}"', ("centroid", "variance", "skew", "kurtosis"), spectral)


def density(x):
    return scipy.signal.welch(x, nperseg=min(len(x), 256))[1]


family("spkt_welch_density__coeff_{}", (2, 5, 8),
       lambda x, k: density(x)[k] if k <= min(len(x), 256) // 2 else NAN)


# Variety.
def entropy(numbers):
    share = np.asarray(numbers) / np.sum(numbers)
    return 0.0 - sum(p * math.log(p) for p in share if p > 0)


def binned(x):
    return entropy(np.histogram(x, bins=10)[0])


FEATURES["binned_entropy__max_bins_10"] = binned
FEATURES["fourier_entropy__bins_10"] = lambda x: (
    binned(density(x) / density(x).max()) if len(x) > 1 and np.ptp(x) else NAN)


@feature("permutation_entropy__dimension_3__tau_1")
def permutations(x):
    if len(x) < 3:
        return NAN
    orders = {}
    for t in range(len(x) - 2):
        order = tuple(np.argsort(x[t:t + 3], kind="stable"))
        orders[order] = orders.get(order, 0) + 1
    return entropy(list(orders.values()))


@feature("benford_correlation")
def benford(x):
    digits = [int(np.format_float_scientific(abs(v))[0]) for v in x]
    seen = [np.mean([d == k for d in digits]) for k in range(1, 10)]
    return np.corrcoef([math.log10(1 + 1 / k) for k in range(1, 10)], seen)[0, 1]


# Weight.
def mass_quantile(x, q):
    total = np.abs(x).sum()
    if not total:
        return NAN
    return (np.argmax(np.cumsum(np.abs(x)) / total >= q) + 1) / len(x)


family("index_mass_quantile__q_{}", (0.1, 0.5, 0.9), mass_quantile)
family("energy_ratio_by_chunks__num_segments_10__segment_focus_{}", (0, 5, 9),
       lambda x, k: np.sum(np.array_split(x, 10)[k] ** 2) / (x @ x) if x @ x else NAN)

# Change.
@feature("cusum_range")
def cusum_range(x):
    sums = np.cumsum(x - np.mean(x))
    if not np.ptp(x):
        return 0.0
    return (max(0, sums.max()) - min(0, sums.min())) / (np.std(x) * len(x) ** 0.5)


FEATURES.update({
    "mean_shift": lambda x: (np.mean(x[len(x) - len(x) // 2:]) - np.mean(x[:len(x) // 2])
                             if len(x) > 1 else NAN),
    "halves_ks_distance": lambda x: (
        scipy.stats.ks_2samp(x[:len(x) // 2], x[len(x) - len(x) // 2:]).statistic
        if len(x) > 1 else NAN),
    "previous_ks_distance": lambda x: NAN,
    "cusum_location": lambda x: ((np.argmax(np.abs(np.cumsum(x - np.mean(x)))) + 1) / len(x)
                                 if np.ptp(x) else 0.0),
})
FEATURES_OF_TWO = {
    "previous_ks_distance": lambda before, x: scipy.stats.ks_2samp(before, x).statistic,
}

"""What the features are that the profile `full` alone has: see feature_definitions.

FULL_FEATURES maps names to functions of an array. The definitions are tsfresh's, but for those that
docs/reference/features.md tells apart.
"""

import math

import numpy as np
import scipy.signal
import scipy.stats
from numpy.lib.stride_tricks import sliding_window_view
from numpy.polynomial import Polynomial
from statsmodels.tsa.stattools import acf, pacf

NAN = float("nan")
FULL_FEATURES = {}


def family(template, parameters, function):
    """Adds one feature for each of the parameters, bound to it."""
    for parameter in parameters:
        words = parameter if isinstance(parameter, tuple) else (parameter,)
        FULL_FEATURES[template.format(*words)] = lambda x, words=words: function(x, *words)


def last_of(function):
    """Remembers what a function that has many results gave for the last samples."""
    known = {}

    def remembered(x):
        key = x.tobytes()
        if known.get("key") != key:
            known["key"], known["value"] = key, function(x)
        return known["value"]
    return remembered


# Values.
family("symmetry_looking__r_{}", [k * 0.05 for k in (3, 4, 6, 7, 8, 9)],
       lambda x, r: abs(np.mean(x) - np.median(x)) < r * np.ptp(x))
family("large_standard_deviation__r_{}", [k * 0.05 for k in (1, 3, 4, 6, 7, 8, 9)],
       lambda x, r: np.std(x) > r * np.ptp(x))
family("ratio_beyond_r_sigma__r_{}", (5, 6, 7, 10),
       lambda x, r: np.mean(np.abs(x - np.mean(x)) > r * np.std(x)))
family("value_count__value_{}", (0, 1, -1), lambda x, value: np.sum(x == value))
family("range_count__max_{1}__min_{0}", ((-1, 1), (-1e12, 0), (0, 1e12)),
       lambda x, low, high: np.sum((low <= x) & (x < high)))
FULL_FEATURES.update({
    "count_above__t_0": lambda x: np.mean(x >= 0),
    "count_below__t_0": lambda x: np.mean(x <= 0),
    "mean_n_absolute_max__number_of_maxima_7":
        lambda x: np.mean(np.sort(np.abs(x))[-7:]) if len(x) > 7 else NAN,
})


def peaks(x, n):
    if len(x) <= 2 * n:
        return 0
    stretches = sliding_window_view(x, 2 * n + 1)
    beside = np.delete(stretches, n, axis=1)
    return np.sum(stretches[:, n] > beside.max(axis=1))


def mass_quantile(x, q):
    total = np.abs(x).sum()
    return (np.argmax(np.cumsum(np.abs(x)) / total >= q) + 1) / len(x) if total else NAN


family("number_peaks__n_{}", (10, 50), peaks)
family("index_mass_quantile__q_{}", (0.2, 0.3, 0.4, 0.6, 0.7, 0.8), mass_quantile)
family("energy_ratio_by_chunks__num_segments_10__segment_focus_{}", (1, 2, 3, 4, 6, 7, 8),
       lambda x, k: np.sum(np.array_split(x, 10)[k] ** 2) / (x @ x) if x @ x else NAN)


# Memory.
def correlation_with_itself(x, lag):
    if len(x) <= lag or np.var(x) <= 1e-8:
        return NAN
    return acf(x, adjusted=True, fft=False, nlags=lag)[lag]


def partial_correlation(x, lag):
    if lag >= len(x) // 2 or not np.ptp(x):
        return NAN
    return pacf(x, nlags=lag, method="ld")[lag]


def aggregated(x, how):
    if np.var(x) < 1e-10:
        return 0.0
    return getattr(np, how)(acf(x, adjusted=True, fft=False, nlags=40)[1:])


family("autocorrelation__lag_{}", range(6, 10), correlation_with_itself)
family("partial_autocorrelation__lag_{}", range(6, 10), partial_correlation)
family('agg_autocorrelation__f_agg_"{}"__maxlag_40', ("mean", "median", "var"), aggregated)


@last_of
def autoregression(x):
    """Constant and weights of the ten lags, by the pseudoinverse; NaN if they depend on one another."""
    if len(x) < 21:
        return [NAN] * 11
    scale = np.abs(x - x[0]).max() or 1.0
    y = (x - x[0]) / scale
    rows = sliding_window_view(y, 11)[:, ::-1]
    lags = rows[:, 1:] - rows[:, 1:].mean(axis=0)
    lengths = np.linalg.norm(lags, axis=0)
    if not lengths.all() or np.linalg.cond(lags / lengths) > 1e9:
        return [NAN] * 11
    weights = np.linalg.pinv(lags / lengths, rcond=1e-13) @ rows[:, 0] / lengths
    constant = rows[:, 0].mean() - weights @ rows[:, 1:].mean(axis=0)
    return [constant * scale + x[0] * (1 - weights.sum()), *weights]


family("ar_coefficient__coeff_{}__k_10", range(11), lambda x, k: autoregression(x)[k])


# Trend.
def line_of_chunks(x, part, how):
    if len(x) <= 50:
        return NAN
    chunks = [getattr(np, how)(x[i:i + 50]) for i in range(0, len(x), 50)]
    return getattr(scipy.stats.linregress(np.arange(len(chunks)), chunks), part)


family('agg_linear_trend__attr_"{}"__chunk_len_50__f_agg_"{}"',
       [(part, how) for part in ("slope", "intercept", "rvalue", "stderr")
        for how in ("mean", "max", "min", "var")], line_of_chunks)


# Dynamics.
@last_of
def drift(x):
    """Coefficients of x^3, x^2, x and 1, and the largest real part of the roots."""
    undefined = [NAN] * 5
    scale = np.abs(x - x[0]).max()
    if len(x) < 5 or not scale:
        return undefined
    y = (x - x[0]) / scale
    levels, steps = y[:-1], np.diff(y)
    edges = np.quantile(levels, [i / 30 for i in range(31)])
    if not np.all(np.diff(edges) > 0):
        return undefined
    group = np.clip(np.searchsorted(edges, levels, side="left"), 1, 30)
    there = np.unique(group)
    if len(there) < 4:
        return undefined
    cubic, (_, rank, *_) = Polynomial.fit([levels[group == g].mean() for g in there],
                                          [steps[group == g].mean() for g in there], 3, full=True)
    if rank < 4:
        return undefined
    of_samples = scale * cubic.convert()(Polynomial([-x[0] / scale, 1 / scale]))
    return [*of_samples.coef[::-1], x[0] + scale * cubic.roots().real.max()]


family("friedrich_coefficients__coeff_{}__m_3__r_30", range(4), lambda x, k: drift(x)[k])
FULL_FEATURES["max_langevin_fixed_point__m_3__r_30"] = lambda x: drift(x)[4]


# Variety.
def entropy(numbers):
    share = np.asarray(numbers) / np.sum(numbers)
    return 0.0 - sum(p * math.log(p) for p in share if p > 0)


def alike(x, length, tolerance):
    """How many templates of a length are within a tolerance of each."""
    templates = sliding_window_view(x, length)
    apart = np.abs(templates[:, None] - templates[None]).max(axis=2)
    return np.sum(apart <= tolerance, axis=1)


def sample_entropy(x):
    if len(x) < 12:
        return NAN
    pairs, triples = (np.sum(alike(x, m, 0.2 * np.std(x)) - 1) for m in (2, 3))
    return -math.log(triples / pairs) if triples else NAN


def approximate_entropy(x, r):
    if len(x) < 4:
        return 0.0
    of_2, of_3 = (np.mean(np.log(alike(x, m, r * np.std(x)) / (len(x) - m + 1))) for m in (2, 3))
    return abs(of_2 - of_3)


def lempel_ziv(x, bins):
    edges = np.linspace(x.min(), x.max(), bins + 1)[1:]
    symbols = tuple(np.searchsorted(edges, x, side="left"))
    phrases, begin = set(), 0
    for end in range(1, len(symbols) + 1):
        if symbols[begin:end] not in phrases:
            phrases.add(symbols[begin:end])
            begin = end
    return len(phrases) / len(x)


def power_entropy(x, bins):
    if len(x) < 2 or not np.ptp(x):
        return NAN
    density = scipy.signal.welch(x, nperseg=min(len(x), 256))[1]
    return entropy(np.histogram(density / density.max(), bins=bins)[0])


def orders(x, d):
    if len(x) < d:
        return NAN
    ranks = np.argsort(sliding_window_view(x, d), axis=1, kind="stable")
    return entropy(np.unique(ranks, axis=0, return_counts=True)[1])


FULL_FEATURES["sample_entropy"] = sample_entropy
family("approximate_entropy__m_2__r_{}", (0.1, 0.3, 0.5, 0.7, 0.9), approximate_entropy)
family("lempel_ziv_complexity__bins_{}", (2, 3, 5, 10, 100), lempel_ziv)
family("fourier_entropy__bins_{}", (2, 3, 5, 100), power_entropy)
family("permutation_entropy__dimension_{}__tau_1", (4, 5, 6, 7), orders)
family("number_cwt_peaks__n_{}", (1, 5), lambda x, n: len(scipy.signal.find_peaks_cwt(
    x, np.arange(1, n + 1), wavelet=scipy.signal.ricker)))


@last_of
def profile(x):
    """The distance of each stretch of 8 to the nearest that begins more than 2 away."""
    stretches = sliding_window_view(x, 8)
    deviations = stretches - stretches.mean(axis=1, keepdims=True)
    constant = np.ptp(stretches, axis=1) == 0
    deviations = deviations / np.where(constant, 1, stretches.std(axis=1))[:, None]
    apart = np.linalg.norm(deviations[:, None] - deviations[None], axis=2)
    apart[constant[:, None] & constant] = 0
    apart[constant[:, None] ^ constant] = math.sqrt(8)
    begin = np.arange(len(stretches))
    apart[np.abs(begin[:, None] - begin) <= 2] = np.inf
    return apart.min(axis=1)


family('matrix_profile__feature_"{}"__windows_8', ("min", "max", "mean", "median"),
       lambda x, how: getattr(np, how)(profile(x)) if len(x) > 13 else NAN)
family('matrix_profile__feature_"{}"__windows_8', (25, 75),
       lambda x, percent: np.percentile(profile(x), percent) if len(x) > 13 else NAN)


# Steps in a corridor.
def steps_within(x, how, absolute, high, low):
    if len(x) < 2:
        return NAN
    bottom, top = np.quantile(x, [low, high])
    inside = (bottom <= x) & (x <= top)
    steps = np.diff(x)[inside[1:] & inside[:-1]]
    if bottom == top or not len(steps):
        return 0.0
    return getattr(np, how)(np.abs(steps) if absolute else steps)


family('change_quantiles__f_agg_"{}"__isabs_{}__qh_{}__ql_{}',
       [(how, absolute, high / 5, low / 5) for low in range(6) for high in range(low + 1, 6)
        for absolute in (False, True) for how in ("mean", "var")], steps_within)

# Transforms.
family("cwt_coefficients__coeff_{}__w_{}",
       [(k, w) for k in range(15) for w in (2, 5, 10, 20)],
       lambda x, k, w: (scipy.signal.cwt(x, scipy.signal.ricker, [w])[0][k]
                        if k < len(x) else NAN))


def coefficient(x, part, k):
    z = np.fft.rfft(x)
    if k >= len(z):
        return NAN
    return {"real": z[k].real, "imag": z[k].imag, "abs": abs(z[k]),
            "angle": np.angle(z[k], deg=True)}[part]


family('fft_coefficient__attr_"{}"__coeff_{}',
       [(part, k) for part in ("real", "imag", "abs", "angle") for k in range(6, 16)], coefficient)

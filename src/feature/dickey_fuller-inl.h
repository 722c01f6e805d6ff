// The augmented Dickey-Fuller test for a unit root: does the series come back to its mean, or does
// it wander? The regression is
//
//   x[t] - x[t - 1] = a + b x[t - 1] + sum over i of c[i] (x[t - i] - x[t - i - 1])
//
// and the statistic is b over its standard error. The number of lagged steps is the one from 0 to
// ceil(12 (n / 100)^(1/4)), at most n / 2 - 2, with the least AIC over a common range of t; the
// regression is then repeated over all t that it allows. All as statsmodels' adfuller has it with
// regression "c" and autolag "AIC"; p by MacKinnon (1994, 2010).
//
// The statistic is solved by modified Gram-Schmidt on columns that are centred first, which is the
// constant's part and keeps large offsets out.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "feature/samples-inl.h"
#include "stats/mackinnon.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// Enough for a million samples.
inline constexpr std::size_t kMostLags = 120;

class DickeyFullerTest {
 public:
  DickeyFullerTest(Samples& s, std::size_t most_lags)
      : s_(s), most_(most_lags), level_(s.new_series(s.size())), target_(s.new_series(s.size())) {
    for (std::size_t i = 0; i < most_lags; ++i) lags_[i] = s.new_series(s.size());
  }

  DickeyFuller run() {
    choose_lag();
    DickeyFuller out{undefined(), best_lag_};
    for (std::size_t lag = 0; lag <= most_; ++lag) {
      const Mask chosen = best_lag_ == all(lag);
      if (hn::AllFalse(kTag, chosen)) continue;
      out.statistic = choose(chosen, statistic(lag), out.statistic);
    }
    return out;
  }

 private:
  // Columns whose squared length falls to this share of what it was add nothing but rounding.
  static constexpr double kDependent = 1e-24;

  V step(std::size_t t) const { return s_[t] - s_[t - 1]; }

  // Fills target, level and so many columns of lagged steps for t from lost + 1 on, all centred.
  void fill(std::size_t lags, std::size_t lost) {
    rows_ = s_.size() - 1 - lost;
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::size_t t = lost + 1 + i;
      target_.set(i, step(t));
      level_.set(i, s_[t - 1] - s_.first());
      for (std::size_t lag = 1; lag <= lags; ++lag) lags_[lag - 1].set(i, step(t - lag));
    }
    centre(target_);
    centre(level_);
    for (std::size_t lag = 0; lag < lags; ++lag) centre(lags_[lag]);
  }

  void centre(Series& column) const {
    V sum = all(0.0);
    for (std::size_t i = 0; i < rows_; ++i) sum = sum + column[i];
    const V mean = sum / all(rows_);
    for (std::size_t i = 0; i < rows_; ++i) column.set(i, column[i] - mean);
  }

  V product(const Series& a, const Series& b) const {
    V sum = all(0.0);
    for (std::size_t i = 0; i < rows_; ++i) sum = sum + a[i] * b[i];
    return sum;
  }

  // Takes out of `column` what lies along `direction`, whose squared length is given.
  void remove(const Series& direction, V square, Series& column) const {
    const V share = hn::IfThenElseZero(square > all(0.0), product(direction, column) / square);
    for (std::size_t i = 0; i < rows_; ++i) column.set(i, column[i] - share * direction[i]);
  }

  // Returns the squared length of a column from which others were removed; 0 if nothing is left.
  V length_left(const Series& column, V before) const {
    const V square = product(column, column);
    return hn::IfThenElseZero(square > all(kDependent) * before, square);
  }

  // Picks the number of lags of the least AIC. All models are of the same rows, so one elimination
  // on the matrix of products gives the squared residuals of each: they are what is left of the
  // target's square when the model's last column is done. Products lose digits where columns are
  // nearly dependent, which is good enough to compare models; the statistic is computed without.
  void choose_lag() {
    fill_products();
    const std::size_t target = most_ + 1;
    const double penalty = std::exp(2.0 / static_cast<double>(rows_));
    V best = all(std::numeric_limits<double>::infinity());
    V factor = all(1.0);  // e^(2 parameters / rows): AIC without its logarithms
    for (std::size_t column = 0; column <= most_; ++column) {
      const Mask counts = eliminate(column);
      factor = choose(counts, factor * all(penalty), factor);
      const V criterion = entry(target, target) * factor;
      const Mask better = criterion < best;
      best = choose(better, criterion, best);
      best_lag_ = choose(better, all(column), best_lag_);
    }
  }

  // The products of centred columns, in the upper half: 0 is the level, i the steps lagged by i,
  // most_ + 1 the steps themselves. Products of lagged steps follow from those of a lag less.
  void fill_products() {
    rows_ = s_.size() - 1 - most_;
    const std::size_t last = s_.size() - 1;
    products_ = s_.new_series((most_ + 2) * (most_ + 2));
    Series raw = s_.new_series((most_ + 1) * (most_ + 1));
    const auto at = [this](std::size_t i, std::size_t j) { return i * (most_ + 1) + j; };
    for (std::size_t j = 0; j <= most_; ++j) raw.set(at(0, j), step_products(j));
    for (std::size_t i = 0; i < most_; ++i) {
      for (std::size_t j = i; j < most_; ++j) {
        const V entering = step(most_ - i) * step(most_ - j);
        const V leaving = step(last - i) * step(last - j);
        raw.set(at(i + 1, j + 1), raw[at(i, j)] + (entering - leaving));
      }
    }
    for (std::size_t i = 0; i <= most_; ++i) {
      for (std::size_t j = i; j <= most_; ++j) {
        const V centred = raw[at(i, j)] - step_sum(i) * step_sum(j) / all(rows_);
        set_entry(i == 0 ? (j == 0 ? most_ + 1 : j) : i, i == 0 ? most_ + 1 : j, centred);
      }
    }
    fill_level_products();
  }

  // The sum over the rows of steps lagged by j, of which all but the ends cancels.
  V step_sum(std::size_t j) const { return s_[s_.size() - 1 - j] - s_[most_ - j]; }

  V step_products(std::size_t lag) const {
    V sum = all(0.0);
    for (std::size_t t = most_ + 1; t < s_.size(); ++t) sum = sum + step(t) * step(t - lag);
    return sum;
  }

  void fill_level_products() {
    for (std::size_t i = 0; i < rows_; ++i) level_.set(i, s_[most_ + i] - s_.first());
    centre(level_);
    set_entry(0, 0, product(level_, level_));
    for (std::size_t lag = 0; lag <= most_; ++lag) {
      V sum = all(0.0);
      for (std::size_t i = 0; i < rows_; ++i) sum = sum + level_[i] * step(most_ + 1 + i - lag);
      set_entry(0, lag == 0 ? most_ + 1 : lag, sum);
    }
    for (std::size_t i = 0; i <= most_; ++i) first_lengths_[i] = entry(i, i);
  }

  V entry(std::size_t i, std::size_t j) const { return products_[i * (most_ + 2) + j]; }
  void set_entry(std::size_t i, std::size_t j, V value) {
    products_.set(i * (most_ + 2) + j, value);
  }

  // Takes a column out of all later ones. Returns the lanes in which anything was left of it.
  Mask eliminate(std::size_t column) {
    constexpr double kLost = 1e-11;
    const V pivot = entry(column, column);
    const Mask counts = pivot > all(kLost) * first_lengths_[column];
    const V inverse = hn::IfThenElseZero(counts, all(1.0) / pivot);
    for (std::size_t i = column + 1; i <= most_ + 1; ++i) {
      const V share = entry(column, i) * inverse;
      for (std::size_t j = i; j <= most_ + 1; ++j) {
        set_entry(i, j, entry(i, j) - share * entry(column, j));
      }
    }
    return counts;
  }

  // The level goes last, so that its share of the target is its coefficient.
  V statistic(std::size_t lags) {
    fill(lags, lags);
    const V level_before = product(level_, level_);
    V parameters = all(2.0);
    for (std::size_t lag = 0; lag < lags; ++lag)
      column_lengths_[lag + 1] = product(lags_[lag], lags_[lag]);
    for (std::size_t lag = 0; lag < lags; ++lag) {
      const V square = length_left(lags_[lag], column_lengths_[lag + 1]);
      for (std::size_t later = lag + 1; later < lags; ++later) {
        remove(lags_[lag], square, lags_[later]);
      }
      remove(lags_[lag], square, level_);
      remove(lags_[lag], square, target_);
      parameters = parameters + one_if(square > all(0.0));
    }
    const V square = length_left(level_, level_before);
    const V along = product(level_, target_);
    remove(level_, square, target_);
    const V residual = product(target_, target_) / (all(rows_) - parameters);
    return along / root(square * residual);
  }

  Samples& s_;
  std::size_t most_;
  std::size_t rows_ = 0;
  Series level_;
  Series target_;
  std::array<Series, kMostLags> lags_;
  std::array<V, kMostLags + 1> column_lengths_;
  Series products_;
  std::array<V, kMostLags + 1> first_lengths_;  // squared, before elimination
  V best_lag_ = all(0.0);
};

inline const DickeyFuller& dickey_fuller_of(Samples& s) {
  if (s.dickey_fuller) return *s.dickey_fuller;
  const Mask constant = s.smallest() == s.largest();
  if (hn::AllTrue(kTag, constant)) {
    s.dickey_fuller = DickeyFuller{undefined(), all(0.0)};
    return *s.dickey_fuller;
  }
  const auto n = static_cast<double>(s.size());
  const auto by_length = static_cast<std::size_t>(std::ceil(12.0 * std::pow(n / 100.0, 0.25)));
  const std::size_t most = std::min({by_length, s.size() / 2 - 2, kMostLags});
  s.dickey_fuller = DickeyFullerTest(s, most).run();
  s.dickey_fuller->statistic = choose(constant, undefined(), s.dickey_fuller->statistic);
  s.dickey_fuller->used_lag = choose(constant, all(0.0), s.dickey_fuller->used_lag);
  return *s.dickey_fuller;
}

inline V dickey_fuller_statistic(Samples& s) {
  return dickey_fuller_of(s).statistic;
}
inline V dickey_fuller_pvalue(Samples& s) {
  return each_lane(dickey_fuller_of(s).statistic, stats::mackinnon_p);
}
inline V dickey_fuller_usedlag(Samples& s) {
  return dickey_fuller_of(s).used_lag;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

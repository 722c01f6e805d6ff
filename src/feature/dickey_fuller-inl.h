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
// Models are compared, and most are solved, by products of their columns (lag_products-inl.h). If
// the columns are nearly dependent the model is solved by modified Gram-Schmidt on the columns
// themselves, centered first, which is the constant's part and keeps large offsets out.
#include <array>

#include "feature/lag_limits.h"
#include "feature/lag_products-inl.h"
#include "feature/samples-inl.h"
#include "stats/mackinnon.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// The regression by its columns.
class LagRegression {
 public:
  LagRegression(Samples& s, std::size_t most_lags)
      : s_(s), level_(s.new_series(s.size())), target_(s.new_series(s.size())) {
    for (std::size_t i = 0; i < most_lags; ++i) lags_[i] = s.new_series(s.size());
  }

  // Returns the statistic of the model of that many lags. The level goes last, so that its share of
  // the target is its coefficient.
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

 private:
  // Columns whose squared length falls to this share of what it was add nothing but rounding.
  static constexpr double kDependent = 1e-24;

  V step(std::size_t t) const { return s_[t] - s_[t - 1]; }

  // Fills target, level and so many columns of lagged steps for t from lost + 1 on, all centered.
  void fill(std::size_t lags, std::size_t lost) {
    rows_ = s_.size() - 1 - lost;
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::size_t t = lost + 1 + i;
      target_.set(i, step(t));
      level_.set(i, s_[t - 1] - s_.first());
      for (std::size_t lag = 1; lag <= lags; ++lag) lags_[lag - 1].set(i, step(t - lag));
    }
    center(target_);
    center(level_);
    for (std::size_t lag = 0; lag < lags; ++lag) center(lags_[lag]);
  }

  void center(Series& column) const {
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

  Samples& s_;
  std::size_t rows_ = 0;
  Series level_;
  Series target_;
  std::array<Series, kMaxLags> lags_;
  std::array<V, kMaxLags + 1> column_lengths_;
};

inline DickeyFuller test_unit_root(Samples& s, const LagLimits& limits) {
  LagProducts products(s, limits);
  const V lag = products.best_lag();
  products.add_rows(lag);
  const auto solution = products.solve(lag);
  V statistic = solution.statistic;
  if (hn::AllTrue(kTag, solution.sound)) return {statistic, lag};
  LagRegression regression(s, limits.most);
  for (std::size_t i = 0; i <= limits.most; ++i) {
    const Mask redo = hn::AndNot(solution.sound, lag == all(i));
    if (!hn::AllFalse(kTag, redo)) statistic = choose(redo, regression.statistic(i), statistic);
  }
  return {statistic, lag};
}

inline const DickeyFuller& dickey_fuller_of(Samples& s) {
  if (s.dickey_fuller) return *s.dickey_fuller;
  const Mask constant = s.smallest() == s.largest();
  if (hn::AllTrue(kTag, constant)) {
    s.dickey_fuller = DickeyFuller{undefined(), all(0.0)};
    return *s.dickey_fuller;
  }
  s.dickey_fuller = test_unit_root(s, lag_limits(s.size()));
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

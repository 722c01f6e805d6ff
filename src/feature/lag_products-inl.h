// The regressions of the augmented Dickey-Fuller test (dickey_fuller-inl.h) by products of their
// columns: many times cheaper than by the columns, and as good if these are not nearly
// dependent.
#include <array>
#include <limits>
#include <utility>

#include "feature/lag_limits.h"
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// Columns: 0 is the steps, the target of the regression; i the steps lagged by i; most + 1 the
// level before the step. Rows are the ticks from most + 1 on, until add_rows().
class LagProducts {
 public:
  LagProducts(Samples& s, const LagLimits& limits)
      : size_(s.size()),
        most_(limits.most),
        penalty_(limits.penalty),
        rows_(all(s.size() - 1 - limits.most)),
        steps_(s.new_series(s.size())),
        levels_(s.new_series(s.size())),
        raw_(s.new_series((limits.most + 2) * (limits.most + 2))),
        work_(s.new_series((limits.most + 2) * (limits.most + 2))) {
    read(s);
    multiply_steps(s);
    multiply_level();
  }

  // Returns the number of lags of the least AIC. All models are of the same rows, so one
  // elimination gives the squared residuals of each: what is left of the target's square when the
  // model's last column is done.
  V best_lag() {
    order_[0] = level();
    for (std::size_t lag = 1; lag <= most_; ++lag) order_[lag] = lag;
    order_[most_ + 1] = 0;
    arrange();
    V best = all(std::numeric_limits<double>::infinity());
    V lag = all(0.0);
    V factor = all(1.0);  // e^(2 parameters / rows): AIC without its logarithms
    for (std::size_t place = 0; place <= most_; ++place) {
      const Mask counts = eliminate(place, all_lanes());
      factor = choose(counts, factor * all(penalty_), factor);
      const V criterion = at(most_ + 1, most_ + 1) * factor;
      const Mask better = criterion < best;
      best = choose(better, criterion, best);
      lag = choose(better, all(place), lag);
    }
    return lag;
  }

  // Adds the rows that a model of only `lag` lags has besides.
  void add_rows(V lag) {
    const Series steps = steps_;
    const std::size_t width = most_ + 2;
    for (std::size_t t = 1; t <= most_; ++t) {
      const Mask has = lag < all(t);
      if (hn::AllFalse(kTag, has)) continue;
      rows_ = count_if(rows_, has);
      const V before = hn::IfThenElseZero(has, levels_[t]);
      add(level(), level(), before * before);
      sums_[level()] = sums_[level()] + before;
      for (std::size_t i = 0; i < t; ++i) {
        const V step = steps[t - i];
        const V lagged = hn::IfThenElseZero(has, step);
        sums_[i] = sums_[i] + lagged;
        add(i, level(), before * step);
        Series raw = raw_;
#pragma GCC unroll 4
        for (std::size_t j = i; j < t; ++j) {
          raw.set(i * width + j, raw[i * width + j] + lagged * steps[t - j]);
        }
      }
    }
  }

  struct Solution {
    V statistic;
    Mask sound;  // were the columns independent enough for products?
  };

  // Returns the level's coefficient over its standard error in the model of `lag` lags, whose rows
  // these are.
  Solution solve(V lag) {
    for (std::size_t place = 0; place < most_; ++place) order_[place] = place + 1;
    order_[most_] = level();
    order_[most_ + 1] = 0;
    arrange();
    sound_ = all_lanes();
    V parameters = all(2.0);
    for (std::size_t place = 0; place < most_; ++place) {
      const Mask in_model = hn::Le(all(place + 1), lag);
      if (hn::AllFalse(kTag, in_model)) break;
      parameters = count_if(parameters, eliminate(place, in_model));
    }
    const V square = at(most_, most_);
    const V along = at(most_, most_ + 1);
    const V residual = at(most_ + 1, most_ + 1) - along * along / square;
    note(square, first_[most_], all_lanes());
    note(residual, first_[most_ + 1], all_lanes());
    return {along / root(square * residual / (rows_ - parameters)), sound_};
  }

 private:
  static Mask all_lanes() {
    return hn::FirstN(kTag, kWidth);
  }
  std::size_t level() const {
    return most_ + 1;
  }
  std::size_t place_of(std::size_t i, std::size_t j) const {
    return i * (most_ + 2) + j;
  }
  V at(std::size_t i, std::size_t j) const {
    return work_[place_of(i, j)];
  }

  void add(std::size_t i, std::size_t j, V product) {
    const std::size_t place = place_of(i, j);
    raw_.set(place, raw_[place] + product);
  }

  // The level is told from its mean, which keeps large offsets out.
  void read(Samples& s) {
    for (std::size_t t = 1; t < size_; ++t) {
      steps_.set(t, s[t] - s[t - 1]);
      levels_.set(t, s[t - 1] - s.first());
    }
    V sum = all(0.0);
    for (std::size_t t = most_ + 1; t < size_; ++t) sum = sum + levels_[t];
    const V origin = sum / rows_;
    for (std::size_t t = 1; t < size_; ++t) levels_.set(t, levels_[t] - origin);
  }

  // Writes a column's products with the steps lagged by `first` and as many more as there are
  // indices, from that place on and so many places apart: one pass, the sums in registers.
  template <std::size_t... next>
  void multiply(Series column, std::size_t first, std::size_t place, std::size_t apart,
                std::index_sequence<next...> /*next*/) {
    const Series steps = steps_;
    V sums[] = {all(0.0 * next)...};
    for (std::size_t t = most_ + 1; t < size_; ++t) {
      const V value = column[t];
      ((sums[next] = sums[next] + value * steps[t - first - next]), ...);
    }
    (raw_.set(place + next * apart, sums[next]), ...);
  }

  // Writes a column's products with all lagged steps, `apart` places from one another.
  void multiply_all(Series column, std::size_t place, std::size_t apart) {
    constexpr std::size_t kAtOnce = 10;
    std::size_t lag = 0;
    for (; lag + kAtOnce <= most_ + 1; lag += kAtOnce) {
      multiply(column, lag, place + lag * apart, apart, std::make_index_sequence<kAtOnce>());
    }
    for (; lag <= most_; ++lag) {
      multiply(column, lag, place + lag * apart, apart, std::make_index_sequence<1>());
    }
  }

  // Products of lagged steps follow from those of a lag less: one row enters and one leaves.
  void multiply_steps(Samples& s) {
    const std::size_t last = size_ - 1;
    multiply_all(steps_, place_of(0, 0), 1);
    for (std::size_t j = 0; j <= most_; ++j) {
      sums_[j] = s[last - j] - s[most_ - j];  // all but the ends cancels
    }
    for (std::size_t i = 0; i < most_; ++i) {
      const V entering = steps_[most_ - i];
      const V leaving = steps_[last - i];
      for (std::size_t j = i; j < most_; ++j) {
        const V change = entering * steps_[most_ - j] - leaving * steps_[last - j];
        raw_.set(place_of(i + 1, j + 1), raw_[place_of(i, j)] + change);
      }
    }
  }

  void multiply_level() {
    multiply_all(levels_, place_of(0, level()), most_ + 2);
    V sum = all(0.0);
    V squares = all(0.0);
    for (std::size_t t = most_ + 1; t < size_; ++t) {
      sum = sum + levels_[t];
      squares = squares + levels_[t] * levels_[t];
    }
    sums_[level()] = sum;
    raw_.set(place_of(level(), level()), squares);
  }

  // Writes the products of centered columns in the order at hand.
  void arrange() {
    const V share = all(1.0) / rows_;
    for (std::size_t i = 0; i <= most_ + 1; ++i) {
      const std::size_t a = order_[i];
      const V mean = sums_[a] * share;
      for (std::size_t j = i; j <= most_ + 1; ++j) {
        const std::size_t b = order_[j];
        const V raw = raw_[a < b ? place_of(a, b) : place_of(b, a)];
        work_.set(place_of(i, j), raw - mean * sums_[b]);
      }
      first_[i] = at(i, i);
    }
  }

  // Marks lanes whose result has lost digits.
  void note(V left, V first, Mask where) {
    constexpr double kPrecise = 1e-4;
    sound_ = both(sound_, hn::Or(opposite(where), left > all(kPrecise) * first));
  }

  // Takes a column out of all later ones, in the lanes in which it counts. Returns those in which
  // anything was left of it.
  Mask eliminate(std::size_t place, Mask where) {
    constexpr double kLost = 1e-11;
    const std::size_t width = most_ + 2;
    const V pivot = at(place, place);
    note(pivot, first_[place], where);
    const Mask counts = both(where, pivot > all(kLost) * first_[place]);
    const V inverse = hn::IfThenElseZero(counts, all(1.0) / pivot);
    const Series work = work_;
    for (std::size_t i = place + 1; i < width; ++i) {
      const V share = work[place * width + i] * inverse;
      Series row = work_;
#pragma GCC unroll 4
      for (std::size_t j = i; j < width; ++j) {
        row.set(i * width + j, row[i * width + j] - share * work[place * width + j]);
      }
    }
    return counts;
  }

  std::size_t size_;
  std::size_t most_;
  double penalty_;
  V rows_;
  Series steps_;   // from tick 1 on
  Series levels_;  // before each step
  Series raw_;     // sums of products, where the first column is not the later one
  Series work_;
  std::array<std::size_t, kMaxLags + 2> order_{};  // of the columns in work_
  std::array<V, kMaxLags + 2> sums_;
  std::array<V, kMaxLags + 2> first_;  // squares of columns before elimination, by place
  Mask sound_ = all_lanes();
};

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

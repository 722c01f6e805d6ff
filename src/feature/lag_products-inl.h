// The regressions of the augmented Dickey-Fuller test (dickey_fuller-inl.h) by products of their
// columns: many times cheaper than by the columns, and as good where these are not nearly
// dependent.
#include <array>
#include <cmath>
#include <limits>

#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// Enough for a million samples.
inline constexpr std::size_t kMostLags = 120;

// Columns: 0 is the steps, the target of the regression; i the steps lagged by i; most + 1 the
// level before the step. Rows are the ticks from most + 1 on, until add_rows().
class LagProducts {
 public:
  LagProducts(Samples& s, std::size_t most)
      : s_(s),
        most_(most),
        rows_(all(s.size() - 1 - most)),
        raw_(s.new_series((most + 2) * (most + 2))),
        work_(s.new_series((most + 2) * (most + 2))) {
    find_level_origin();
    multiply_steps();
    multiply_level();
  }

  // Returns the number of lags of the least AIC. All models are of the same rows, so one
  // elimination gives the squared residuals of each: what is left of the target's square when the
  // model's last column is done.
  V best_lag() {
    arrange([this](std::size_t place) { return place == 0 ? level() : place > most_ ? 0 : place; });
    const double penalty = std::exp(2.0 / static_cast<double>(s_.size() - 1 - most_));
    V best = all(std::numeric_limits<double>::infinity());
    V lag = all(0.0);
    V factor = all(1.0);  // e^(2 parameters / rows): AIC without its logarithms
    for (std::size_t place = 0; place <= most_; ++place) {
      const Mask counts = eliminate(place, all_lanes());
      factor = choose(counts, factor * all(penalty), factor);
      const V criterion = at(most_ + 1, most_ + 1) * factor;
      const Mask better = criterion < best;
      best = choose(better, criterion, best);
      lag = choose(better, all(place), lag);
    }
    return lag;
  }

  // Adds the rows that a model of only `lag` lags has besides.
  void add_rows(V lag) {
    for (std::size_t t = 1; t <= most_; ++t) {
      const Mask has = lag < all(t);
      rows_ = rows_ + one_if(has);
      const V before = hn::IfThenElseZero(has, (s_[t - 1] - s_.first()) - origin_);
      add(level(), level(), before * before);
      sums_[level()] = sums_[level()] + before;
      for (std::size_t i = 0; i < t; ++i) {
        const V lagged = hn::IfThenElseZero(has, step(t - i));
        sums_[i] = sums_[i] + lagged;
        add(i, level(), before * step(t - i));
        for (std::size_t j = i; j < t; ++j) add(i, j, lagged * step(t - j));
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
    arrange([this](std::size_t place) {
      return place < most_ ? place + 1 : place == most_ ? level() : 0;
    });
    sound_ = all_lanes();
    V parameters = all(2.0);
    for (std::size_t place = 0; place < most_; ++place) {
      const Mask in_model = hn::Le(all(place + 1), lag);
      parameters = parameters + one_if(eliminate(place, in_model));
    }
    const V square = at(most_, most_);
    const V along = at(most_, most_ + 1);
    const V residual = at(most_ + 1, most_ + 1) - along * along / square;
    note(square, first_[most_], all_lanes());
    note(residual, first_[most_ + 1], all_lanes());
    return {along / root(square * residual / (rows_ - parameters)), sound_};
  }

 private:
  static Mask all_lanes() { return all(0.0) == all(0.0); }
  std::size_t level() const { return most_ + 1; }
  V step(std::size_t t) const { return s_[t] - s_[t - 1]; }

  void add(std::size_t i, std::size_t j, V product) {
    const std::size_t place = i * (most_ + 2) + j;
    raw_.set(place, raw_[place] + product);
  }
  V raw(std::size_t i, std::size_t j) const { return raw_[i * (most_ + 2) + j]; }
  V at(std::size_t i, std::size_t j) const { return work_[i * (most_ + 2) + j]; }
  void set(std::size_t i, std::size_t j, V value) { work_.set(i * (most_ + 2) + j, value); }

  // The level is told from its mean, which keeps large offsets out.
  void find_level_origin() {
    V sum = all(0.0);
    for (std::size_t t = most_ + 1; t < s_.size(); ++t) sum = sum + (s_[t - 1] - s_.first());
    origin_ = sum / rows_;
  }

  // Products of lagged steps follow from those of a lag less: one row enters and one leaves.
  void multiply_steps() {
    const std::size_t last = s_.size() - 1;
    for (std::size_t j = 0; j <= most_; ++j) {
      V sum = all(0.0);
      for (std::size_t t = most_ + 1; t <= last; ++t) sum = sum + step(t) * step(t - j);
      raw_.set(j, sum);
      sums_[j] = s_[last - j] - s_[most_ - j];  // all but the ends cancels
    }
    for (std::size_t i = 0; i < most_; ++i) {
      for (std::size_t j = i; j < most_; ++j) {
        const V entering = step(most_ - i) * step(most_ - j);
        const V leaving = step(last - i) * step(last - j);
        raw_.set((i + 1) * (most_ + 2) + j + 1, raw(i, j) + (entering - leaving));
      }
    }
  }

  void multiply_level() {
    sums_[level()] = all(0.0);
    for (std::size_t j = 0; j <= level(); ++j) raw_.set(j * (most_ + 2) + level(), all(0.0));
    for (std::size_t t = most_ + 1; t < s_.size(); ++t) {
      const V before = (s_[t - 1] - s_.first()) - origin_;
      sums_[level()] = sums_[level()] + before;
      add(level(), level(), before * before);
      for (std::size_t j = 0; j <= most_; ++j) add(j, level(), before * step(t - j));
    }
  }

  // Writes the products of centred columns in another order.
  template <typename Order>
  void arrange(Order column_at) {
    for (std::size_t i = 0; i <= most_ + 1; ++i) {
      const std::size_t a = column_at(i);
      for (std::size_t j = i; j <= most_ + 1; ++j) {
        const std::size_t b = column_at(j);
        set(i, j, raw(std::min(a, b), std::max(a, b)) - sums_[a] * sums_[b] / rows_);
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
    const V pivot = at(place, place);
    note(pivot, first_[place], where);
    const Mask counts = both(where, pivot > all(kLost) * first_[place]);
    const V inverse = hn::IfThenElseZero(counts, all(1.0) / pivot);
    for (std::size_t i = place + 1; i <= most_ + 1; ++i) {
      const V share = at(place, i) * inverse;
      for (std::size_t j = i; j <= most_ + 1; ++j) set(i, j, at(i, j) - share * at(place, j));
    }
    return counts;
  }

  Samples& s_;
  std::size_t most_;
  V rows_;
  V origin_ = all(0.0);  // of the level, less the first sample
  Series raw_;           // sums of products, where the first column is not the later one
  Series work_;
  std::array<V, kMostLags + 2> sums_;
  std::array<V, kMostLags + 2> first_;  // squares of columns before elimination, by place
  Mask sound_ = all_lanes();
};

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

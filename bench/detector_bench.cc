// What detectors cost, each beside a floor measured in the same run.
//
//   detector_bench [FOLDER]
//
// Designs of 600 windows x 4,000 columns and of 3,600 x 10,000, from the standardized matrix to the
// fitted detector and its scores of the same windows, and one more window against what was fitted.
// CPU time of one core, medians of rounds. Floors: for principal components, the Gram matrix's
// multiplications at the rate that this core was measured to multiply and add at, in single
// precision; for the others, reading once what they must look at.
//
// Columns follow 60 common causes with memories of their own, more or less, and have noise; a
// window shares two thirds with the next; a burst of 6 windows lifts a fifth of the columns. With
// FOLDER the matrices are written there, float32, column by column, and the scores of the forest
// and of the distances, for detector_peer.py.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/rng.h"
#include "detect/detector.h"
#include "detect/principal_axes.h"
#include "stats/product.h"
#include "stats/quantile.h"
#include "timing.h"

namespace {

using namespace reveal;

constexpr Eigen::Index kCauses = 60;
constexpr double kNoise = 0.4;

class Series {
 public:
  explicit Series(std::uint64_t seed) : rng_(seed) {}

  double normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += rng_.uniform();
    return sum;
  }

  // Means over windows of 30 ticks, every 10 ticks, of a series that remembers `memory` of itself.
  Eigen::VectorXd windows(Eigen::Index count, double memory) {
    constexpr Eigen::Index kLength = 30;
    constexpr Eigen::Index kStride = 10;
    Eigen::VectorXd ticks((count - 1) * kStride + kLength);
    double value = 0.0;
    for (auto& tick : ticks) {
      tick = value = memory * value + std::sqrt(1.0 - memory * memory) * normal();
    }
    Eigen::VectorXd out(count);
    for (Eigen::Index i = 0; i < count; ++i) out(i) = ticks.segment(i * kStride, kLength).mean();
    return standardized(out);
  }

  static Eigen::VectorXd standardized(Eigen::VectorXd x) {
    x.array() -= x.mean();
    return x / std::sqrt(x.squaredNorm() / static_cast<double>(x.size()));
  }

 private:
  base::Rng rng_;
};

detect::Design make_design(Eigen::Index windows, Eigen::Index columns) {
  Series series(1);
  Eigen::MatrixXd causes(windows, kCauses);
  for (Eigen::Index k = 0; k < kCauses; ++k) {
    const double share = static_cast<double>(k) / kCauses;
    causes.col(k) = series.windows(windows, 0.8 + 0.19 * share) / std::sqrt(1.0 + 10.0 * share);
  }
  detect::Design out;
  out.x.resize(windows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    const Eigen::VectorXd weights =
        Eigen::VectorXd::NullaryExpr(kCauses, [&](Eigen::Index) { return series.normal(); });
    const Eigen::VectorXd noise =
        Eigen::VectorXd::NullaryExpr(windows + 2, [&](Eigen::Index) { return series.normal(); });
    Eigen::VectorXd column = 2.0 / std::sqrt(60.0) * (causes * weights);
    column += kNoise / std::sqrt(3.0) *
              (noise.head(windows) + noise.segment(1, windows) + noise.tail(windows));
    if (j % 5 == 0) column.segment(windows / 2, 6).array() += 4.0;
    out.x.col(j) = Series::standardized(column);
  }
  return out;
}

double median_ms(int rounds, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) times.push_back(1e-3 * bench::cpu_us(work));
  return stats::median(times);
}

// Multiplications and additions per millisecond in single precision, of cached operands.
double measure_rate() {
  const Eigen::MatrixXd a = Eigen::MatrixXd::Ones(480, 512);
  const double ms = median_ms(41, [&] {
    stats::product({a}, {a, true}, stats::Precision::kSingle);
  });
  return 2.0 * 480.0 * 480.0 * 512.0 / ms;
}

void line(std::string_view what, double ms, double floor) {
  fmt::print("  {:44} {:12.4f} {:12.4f} {:8.1f}\n", what, ms, floor, ms / floor);
}

std::unique_ptr<detect::Detector> make(std::string_view name) {
  return detect::registry()[detect::find_detector(name).value()].make({});
}

double sum_ms(int rounds, const Eigen::MatrixXd& x) {
  volatile double sink = 0.0;
  return median_ms(rounds, [&] { sink = x.sum(); });
}

void write(const std::string& path, const Eigen::MatrixXf& values) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(static_cast<std::size_t>(values.size()) * sizeof(float)));
}

void measure(Eigen::Index windows, Eigen::Index columns, int rounds, double rate,
             const char* folder) {
  const detect::Design design = make_design(windows, columns);
  const auto n = static_cast<double>(windows);
  const double gram_floor = n * n * static_cast<double>(columns) / rate;
  const double read = sum_ms(rounds, design.x);
  fmt::print("{} windows x {} columns\n", windows, columns);

  const auto zscore = make("zscore");
  line("z-score",
       median_ms(rounds,
                 [&] {
                   if (zscore->fit(design.x)) zscore->score(design.x);
                 }),
       read);

  detect::PrincipalAxes axes;
  const double fit = median_ms(rounds, [&] { axes = detect::principal_axes(design.x, 0.95); });
  line(fmt::format("principal components, {} hold 95 %", axes.variances.size()), fit, gram_floor);
  const auto mahalanobis = make("mahalanobis");
  if (!mahalanobis->fit(design.x)) return;
  line("Mahalanobis distances", median_ms(rounds, [&] { mahalanobis->score(design.x); }),
       2.0 * n * static_cast<double>(columns * axes.variances.size()) / rate);

  const auto forest = make("isolation_forest");
  // 100 trees look at 256 windows on each of 8 levels.
  line("forest, fitted", median_ms(rounds, [&] { (void)forest->fit(design.x); }),
       read * std::min(1.0, 100.0 * 8.0 * 256.0 / (n * static_cast<double>(columns))));
  line("forest, scored", median_ms(rounds, [&] { forest->score(design.x); }), read);

  // One window more against what was fitted; a short list of components as a live run keeps it.
  detect::Design one;
  one.x = design.x.row(windows / 2);
  const Eigen::MatrixXd few = axes.axes.leftCols(std::min<Eigen::Index>(64, axes.axes.cols()));
  const double one_z = median_ms(401, [&] { zscore->score(one.x); });
  const double one_forest = median_ms(401, [&] { forest->score(one.x); });
  const double one_axes = median_ms(401, [&] {
    stats::product({one.x, false, axes.center.data()}, {few});
  });
  const double read_few = sum_ms(401, few);
  line("one window: z-score", one_z, sum_ms(401, one.x));
  line(fmt::format("one window: {} components", few.cols()), one_axes, read_few);
  line("one window: forest", one_forest, sum_ms(401, one.x));
  line("one window: all three", one_z + one_axes + one_forest, read_few);

  if (folder != nullptr) {
    const auto path = fmt::format("{}/{}x{}", folder, windows, columns);
    write(path + ".f32", design.x.cast<float>());
    write(path + ".forest", forest->score(design.x).cast<float>());
    write(path + ".mahalanobis", mahalanobis->score(design.x).cast<float>());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* folder = argc > 1 ? argv[1] : nullptr;
  const double rate = measure_rate();
  fmt::print("CPU time of one core, medians; products at {:.0f} GFlop/s in single precision\n",
             1e-6 * rate);
  fmt::print("  {:44} {:>12} {:>12} {:>8}\n", "", "ms", "floor ms", "ratio");
  measure(600, 4000, 11, rate, folder);
  measure(3600, 10000, 3, rate, folder);
}

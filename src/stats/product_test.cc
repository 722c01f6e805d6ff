#include "stats/product.h"

#include <tuple>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "stats/testing/each_instruction_set.h"

namespace reveal::stats {
namespace {

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  base::Rng rng(seed);
  Eigen::MatrixXd out(rows, columns);
  for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = rng.uniform() - 0.5;
  return out;
}

// What the header states in double precision, an eighth of it in single, of entries below 1.
double bound(Precision precision, Eigen::Index length) {
  const auto n = static_cast<double>(length);
  return precision == Precision::kDouble ? n * n * 0x1p-52 : n * 0x1p-18;
}

void expect_close(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected, double bound) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  EXPECT_TRUE(((actual - expected).cwiseAbs().array() <= bound).all())
      << (actual.rows()) << " x " << actual.cols() << " beyond " << bound << ":\n"
      << (actual - expected).cwiseAbs().rowwise().maxCoeff().transpose();
}

// Eigen's products of the same, by rows and columns, centered or not, stored either way.
void check_products(Eigen::Index rows, Eigen::Index length, Eigen::Index columns) {
  const Eigen::VectorXd center = random_matrix(std::max({rows, length, columns}), 1, 5);
  for (const auto precision : {Precision::kDouble, Precision::kSingle}) {
    for (const auto& [a_turned, b_turned, centered] : {std::tuple{false, false, false},
                                                       {true, false, true},
                                                       {false, true, true},
                                                       {true, true, false},
                                                       {false, false, true}}) {
      const Eigen::MatrixXd a =
          a_turned ? random_matrix(length, rows, 1) : random_matrix(rows, length, 1);
      const Eigen::MatrixXd b =
          b_turned ? random_matrix(columns, length, 2) : random_matrix(length, columns, 2);
      const double* less = centered ? center.data() : nullptr;
      const auto plain = [&](const Eigen::MatrixXd& m, bool turned) -> Eigen::MatrixXd {
        Eigen::MatrixXd out = m;
        if (less != nullptr) out.rowwise() -= center.head(m.cols()).transpose();
        return turned ? Eigen::MatrixXd(out.transpose()) : out;
      };
      expect_close(product({a, a_turned, less}, {b, b_turned, less}, precision),
                   plain(a, a_turned).lazyProduct(plain(b, b_turned)), bound(precision, length));
    }
  }
}

TEST(Product, IsEigensWhateverTheShape) {
  for_each_instruction_set([] {
    check_products(1, 1, 1);
    check_products(1, 9, 70);
    check_products(1, 301, 20);
    check_products(1, 37, 1001);
    check_products(70, 3, 1);
    check_products(23, 8, 9);
    check_products(24, 16, 8);
    check_products(49, 300, 17);
    check_products(97, 513, 5);
  });
}

TEST(Product, OfNothingIsNothingOrZeros) {
  const Eigen::MatrixXd tall(5, 0);
  const Eigen::MatrixXd wide(0, 3);
  expect_close(product({tall}, {wide}), Eigen::MatrixXd::Zero(5, 3), 0.0);
  EXPECT_EQ(product({wide}, {Eigen::MatrixXd::Ones(3, 4)}).rows(), 0);
  EXPECT_EQ(gram({wide}).size(), 0);
}

TEST(Product, ReadsAPartOfAMatrix) {
  const Eigen::MatrixXd whole = random_matrix(60, 40, 3);
  const Eigen::MatrixXd part = whole.block(5, 7, 31, 29);
  EXPECT_EQ(product({whole.block(5, 7, 31, 29)}, {whole.block(0, 1, 29, 11)}),
            product({part}, {Eigen::MatrixXd(whole.block(0, 1, 29, 11))}));
}

TEST(AddProduct, AddsToAPart) {
  const Eigen::MatrixXd a = random_matrix(26, 300, 8);
  const Eigen::MatrixXd b = random_matrix(300, 10, 9);
  Eigen::MatrixXd out = Eigen::MatrixXd::Ones(40, 30);
  Eigen::MatrixXd expected = out;
  add_product({a}, {b}, out.block(3, 5, 26, 10));
  expected.block(3, 5, 26, 10) += a.lazyProduct(b);
  expect_close(out, expected, bound(Precision::kDouble, 300));
}

TEST(Gram, IsEigensForEveryNumberOfRows) {
  for_each_instruction_set([] {
    for (Eigen::Index rows = 1; rows <= 70; ++rows) {
      for (const Eigen::Index length : {1, 37, 260}) {
        const Eigen::MatrixXd a = random_matrix(rows, length, 4);
        const Eigen::VectorXd center = a.colwise().mean().transpose();
        const Eigen::MatrixXd centered = a.rowwise() - center.transpose();
        for (const auto precision : {Precision::kDouble, Precision::kSingle}) {
          const Eigen::MatrixXd out = gram({a, false, center.data()}, precision);
          expect_close(out, centered.lazyProduct(centered.transpose()), bound(precision, length));
          EXPECT_EQ(out, out.transpose());
        }
        expect_close(gram({a, true}), a.transpose().lazyProduct(a),
                     bound(Precision::kDouble, rows));
      }
    }
  });
}

// More rows than are rearranged at a time.
TEST(Gram, IsEigensOfManyRows) {
  const Eigen::MatrixXd a = random_matrix(700, 270, 6);
  for_each_instruction_set([&] {
    expect_close(gram({a}), a * a.transpose(), bound(Precision::kDouble, 270));
    expect_close(gram({a}, Precision::kSingle), a * a.transpose(), bound(Precision::kSingle, 270));
  });
}

TEST(Gram, IsTheSameEachTime) {
  const Eigen::MatrixXd a = random_matrix(100, 300, 7);
  EXPECT_EQ(gram({a}), gram({a}));
  EXPECT_EQ(gram({a}, Precision::kSingle), gram({a}, Precision::kSingle));
}

}  // namespace
}  // namespace reveal::stats

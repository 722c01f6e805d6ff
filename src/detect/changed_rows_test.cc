#include "detect/changed_rows.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::detect {
namespace {

using Movement = ChangedRows::Movement;

// A matrix of mostly zeros: column j changes in about one of j + 1 rows.
Eigen::MatrixXd sparse(Eigen::Index rows, Eigen::Index columns) {
  base::Rng rng(7);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    for (Eigen::Index i = 0; i < rows; ++i) {
      if (rng.below(static_cast<std::uint64_t>(j) + 1) == 0) out(i, j) = rng.uniform();
    }
  }
  return out;
}

bool varies(const Eigen::MatrixXd& x, std::int32_t column, std::span<const std::int32_t> rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](std::int32_t row) { return x(row, column) != x(rows[0], column); });
}

TEST(ChangedRows, NeverContradictsTheValues) {
  const auto x = sparse(200, 60);
  ChangedRows changed(x);
  RowSet set(200);
  base::Rng rng(8);
  int known = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::int32_t> rows;
    for (std::int32_t row = 0; row < 200; ++row) {
      if (rng.below(20) == 0) rows.push_back(row);
    }
    if (rows.empty()) continue;
    set.assign(rows);
    const auto column = static_cast<std::int32_t>(rng.below(60));
    const auto said = changed.movement(column, set);
    if (said == Movement::kUnknown) {
      changed.learn(column);
    } else {
      ++known;
      EXPECT_EQ(said == Movement::kMoves, varies(x, column, rows)) << column;
    }
  }
  EXPECT_GT(known, 2000);
}

TEST(ChangedRows, KnowsNothingOfAColumnUntilItIsLearned) {
  const Eigen::MatrixXd x = Eigen::MatrixXd::Ones(70, 2);
  ChangedRows changed(x);
  RowSet all(70);
  all.assign(std::vector<std::int32_t>{0, 1, 69});
  EXPECT_EQ(changed.movement(0, all), Movement::kUnknown);
  changed.learn(0);
  EXPECT_EQ(changed.movement(0, all), Movement::kStill);
  EXPECT_EQ(changed.movement(1, all), Movement::kUnknown);
}

TEST(ChangedRows, RowsThatAllDifferFromTheFirstMayBeAlike) {
  Eigen::MatrixXd x(4, 1);
  x << 0, 5, 5, 6;
  ChangedRows changed(x);
  changed.learn(0);
  RowSet set(4);
  set.assign(std::vector<std::int32_t>{1, 2});
  EXPECT_EQ(changed.movement(0, set), Movement::kUnknown);
  set.assign(std::vector<std::int32_t>{0, 3});
  EXPECT_EQ(changed.movement(0, set), Movement::kMoves);
}

}  // namespace
}  // namespace reveal::detect

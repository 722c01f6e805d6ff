// Compares the detectors with numpy and scikit-learn on the same feature matrices: z-score and
// Mahalanobis value by value, the Isolation Forest's formula on scikit-learn's own trees, and our
// own forest by rank, for two seeds of scikit-learn do not agree better than by rank either.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "detect/detector.h"
#include "detect/incremental_axes.h"
#include "detect/isolation_forest.h"
#include "detect/principal_axes.h"

namespace reveal::detect {
namespace {

constexpr double kRelative = 1e-8;
constexpr double kSameFormula = 1e-12;

Eigen::MatrixXd to_eigen(const std::vector<std::vector<double>>& rows) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()),
                      static_cast<Eigen::Index>(rows.front().size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.row(static_cast<Eigen::Index>(i)) =
        Eigen::VectorXd::Map(rows[i].data(), out.cols()).transpose();
  }
  return out;
}

feature::FeatureMatrix to_feature_matrix(const std::vector<std::vector<double>>& rows) {
  feature::FeatureMatrix out;
  for (std::size_t j = 0; j < rows.front().size(); ++j) {
    out.add_column({model::ChannelId(j), feature::FeatureId(0)});
  }
  for (const auto& row : rows) out.add_row({}) = row;
  return out;
}

IsolationTree to_tree(const nlohmann::json& json) {
  return {json.at("feature"), json.at("threshold"), json.at("left"), json.at("right"),
          json.at("node_samples")};
}

// Returns the 1-based ranks, ties sharing their mean.
Eigen::VectorXd ranks(const Eigen::VectorXd& values) {
  return values.unaryExpr([&](double value) {
    const auto below = (values.array() < value).count();
    const auto equal = (values.array() == value).count();
    return static_cast<double>(below) + static_cast<double>(equal + 1) / 2.0;
  });
}

double rank_agreement(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const Eigen::VectorXd x = (ranks(a).array() - ranks(a).mean()).matrix();
  const Eigen::VectorXd y = (ranks(b).array() - ranks(b).mean()).matrix();
  return x.dot(y) / (x.norm() * y.norm());
}

// One feature matrix with what is expected of it.
class Golden {
 public:
  explicit Golden(const std::string& line) : json_(nlohmann::json::parse(line)) {
    rows_ = json_.at("x").get<std::vector<std::vector<double>>>();
    design_ = make_design(to_feature_matrix(rows_)).value();
    raw_.x = to_eigen(rows_);
  }

  std::string name() const { return json_.at("run"); }
  const Design& design() const { return design_; }
  const Design& raw() const { return raw_; }  // not standardized: what scikit-learn's trees saw
  std::int64_t subsample() const { return json_.at("subsample"); }
  Eigen::Index components() const { return json_.at("components"); }
  double agreement_between_seeds() const { return json_.at("rank_agreement_between_seeds"); }

  const nlohmann::json& updated_axes() const { return json_.at("updated_axes"); }

  Eigen::VectorXd expected(const std::string& detector) const { return vector(json_.at(detector)); }
  std::vector<Eigen::VectorXd> forest_scores() const {
    std::vector<Eigen::VectorXd> out;
    for (const auto& scores : json_.at("forest_scores")) out.push_back(vector(scores));
    return out;
  }
  std::vector<IsolationTree> trees() const {
    std::vector<IsolationTree> out;
    for (const auto& tree : json_.at("trees")) out.push_back(to_tree(tree));
    return out;
  }

 private:
  static Eigen::VectorXd vector(const nlohmann::json& json) {
    const auto values = json.get<std::vector<double>>();
    return Eigen::VectorXd::Map(values.data(), static_cast<Eigen::Index>(values.size()));
  }

  nlohmann::json json_;
  std::vector<std::vector<double>> rows_;
  Design design_;
  Design raw_;
};

class Detectors : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ifstream input(REVEAL_GOLDEN_FILE);
    for (std::string line; std::getline(input, line);) runs_.emplace_back(line);
    ASSERT_EQ(runs_.size(), 3u) << "run " << REVEAL_GOLDEN_FILE << "'s script first";
  }

  static Eigen::VectorXd scores(std::string_view name, const Design& design,
                                std::uint64_t seed = 1) {
    const auto row = std::find_if(registry().begin(), registry().end(),
                                  [&](const auto& each) { return each.name == name; });
    auto detector = row->make({seed});
    EXPECT_TRUE(detector->fit(design.x));
    return detector->score(design.x);
  }

  std::vector<Golden> runs_;
};

void expect_near(const Eigen::VectorXd& actual, const Eigen::VectorXd& expected, double relative) {
  ASSERT_EQ(actual.size(), expected.size());
  for (Eigen::Index i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual(i), expected(i), relative * std::abs(expected(i))) << "window " << i;
  }
}

TEST_F(Detectors, ZscoreIsNumpys) {
  for (const auto& run : runs_) {
    SCOPED_TRACE(run.name());
    expect_near(scores("zscore", run.design()), run.expected("zscore"), kRelative);
  }
}

TEST_F(Detectors, LevelsAreNumpys) {
  double highest = 0;
  for (const auto& run : runs_) {
    SCOPED_TRACE(run.name());
    expect_near(scores("robust_outlier_share", run.design()), run.expected("robust_outlier_share"),
                kRelative);
    highest = std::max(highest, run.expected("robust_outlier_share").maxCoeff());
  }
  EXPECT_GT(highest, 0.05) << "a run in which nothing lies far out says nothing";
}

TEST_F(Detectors, BreadthIsNumpys) {
  for (const auto& run : runs_) {
    SCOPED_TRACE(run.name());
    expect_near(scores("outlier_share", run.design()), run.expected("outlier_share"), kRelative);
  }
}

TEST_F(Detectors, MahalanobisIsThatOfScikitLearnsPrincipalComponents) {
  for (const auto& run : runs_) {
    SCOPED_TRACE(run.name());
    EXPECT_EQ(principal_axes(run.design().x, 0.95).variances.size(), run.components());
    expect_near(scores("pca_mahalanobis", run.design()), run.expected("pca_mahalanobis"),
                kRelative);
  }
}

TEST_F(Detectors, TheResidualIsThatOfScikitLearnsPrincipalComponents) {
  for (const auto& run : runs_) {
    SCOPED_TRACE(run.name());
    expect_near(scores("pca_residual", run.design()), run.expected("pca_residual"), kRelative);
  }
}

// Of a component, its sign is nobody's. Ours keep as many as 95 % need, scikit-learn as many as
// before, so those that both keep are compared.
TEST_F(Detectors, AxesLearnMoreRowsAsScikitLearnsDo) {
  for (const auto& run : runs_) {
    SCOPED_TRACE(run.name());
    const Eigen::MatrixXd& x = run.design().x;
    LearnedAxes axes = learn_axes(x.topRows(x.rows() / 2), 0.95);
    add_rows(axes, x.bottomRows(x.rows() - x.rows() / 2), 0.95);
    const auto& json = run.updated_axes();
    const auto variances = json.at("variances").get<std::vector<double>>();
    const Eigen::MatrixXd theirs = to_eigen(json.at("axes")).transpose();
    const auto both =
        std::min(axes.principal.variances.size(), static_cast<Eigen::Index>(variances.size()));
    ASSERT_GT(both, variances.size() / 2);
    const auto mean = json.at("mean").get<std::vector<double>>();
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      EXPECT_NEAR(axes.principal.center(j), mean[static_cast<std::size_t>(j)], 1e-9);
    }
    for (Eigen::Index k = 0; k < both; ++k) {
      const double expected = variances[static_cast<std::size_t>(k)];
      EXPECT_NEAR(axes.principal.variances(k), expected, kRelative * expected) << k;
      EXPECT_NEAR(std::abs(axes.principal.axes.col(k).dot(theirs.col(k))), 1.0, kRelative) << k;
    }
  }
}

TEST_F(Detectors, ForestFormulaIsScikitLearnsOnItsOwnTrees) {
  for (const auto& run : runs_) {
    SCOPED_TRACE(run.name());
    const IsolationForest forest(run.trees(), run.subsample());
    expect_near(forest.score(run.raw().x), run.forest_scores()[0], kSameFormula);
  }
}

TEST_F(Detectors, OwnForestRanksAsScikitLearnsDo) {
  for (const auto& run : runs_) {
    SCOPED_TRACE(run.name());
    double sum = 0;
    int pairs = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Eigen::VectorXd own = scores("isolation_forest", run.design(), seed);
      for (const auto& theirs : run.forest_scores()) {
        sum += rank_agreement(own, theirs);
        ++pairs;
      }
    }
    EXPECT_GE(sum / pairs, run.agreement_between_seeds() - 0.05);
  }
}

// An offset or a factor would leave every rank as it is.
TEST_F(Detectors, OwnForestScoresAsHighAsScikitLearnsDo) {
  for (const auto& run : runs_) {
    SCOPED_TRACE(run.name());
    const Eigen::VectorXd own = scores("isolation_forest", run.design());
    EXPECT_NEAR(own.mean(), run.forest_scores()[0].mean(), 0.01);
    EXPECT_NEAR(own.maxCoeff(), run.forest_scores()[0].maxCoeff(), 0.05);
  }
}

}  // namespace
}  // namespace reveal::detect

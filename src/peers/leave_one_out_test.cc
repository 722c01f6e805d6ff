#include "peers/leave_one_out.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "stats/quantile.h"

namespace reveal::peers {
namespace {

TEST(LeaveOneOut, OfThreeIsTheMeanOfTheOthers) {
  std::vector<float> values{1, 10, 4};
  const LeaveOneOut peers(values);
  EXPECT_EQ(peers.without(1), 7);
  EXPECT_EQ(peers.without(4), 5.5);
  EXPECT_EQ(peers.without(10), 2.5);
  EXPECT_EQ(peers.median(), 4);
}

TEST(LeaveOneOut, OfTwoIsTheOther) {
  std::vector<float> values{3, 8};
  const LeaveOneOut peers(values);
  EXPECT_EQ(peers.without(3), 8);
  EXPECT_EQ(peers.without(8), 3);
  EXPECT_EQ(peers.median(), 5.5);
}

TEST(LeaveOneOut, IsTheMedianOfTheOthersAlsoWithEqualValues) {
  base::Rng rng(7);
  for (int round = 0; round < 3000; ++round) {
    std::vector<float> values(2 + rng.below(14));
    const auto different = 1 + rng.below(6);
    for (auto& value : values) value = static_cast<float>(rng.below(different));
    auto reordered = values;
    const LeaveOneOut peers(reordered);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<double> others(values.begin(), values.end());
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      ASSERT_EQ(peers.without(values[i]), stats::median(others)) << values.size();
    }
  }
}

}  // namespace
}  // namespace reveal::peers

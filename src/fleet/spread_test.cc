#include "fleet/spread.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "fleet/testing/made_host.h"

namespace reveal::fleet {
namespace {

TEST(PeerSpread, OfThreeIsTheirDeviation) {
  const std::vector<double> peers{3, 1, 2};
  EXPECT_DOUBLE_EQ(peer_spread(peers).median, 2);
  EXPECT_DOUBLE_EQ(peer_spread(peers).limit, 27);  // standard deviation 1
}

TEST(PeerSpread, OfEqualPeersIsNothing) {
  const std::vector<double> peers{7, 7, 7, 7};
  EXPECT_DOUBLE_EQ(peer_spread(peers).median, 7);
  EXPECT_DOUBLE_EQ(peer_spread(peers).limit, 0);
}

TEST(PeerSpread, OfOnePeerIsUnknown) {
  const std::vector<double> peers{7};
  EXPECT_DOUBLE_EQ(peer_spread(peers).median, 7);
  EXPECT_DOUBLE_EQ(peer_spread(peers).limit, 0);
}

TEST(PeerSpread, IsNotBlurredByAnotherOutlierHost) {
  // Median 4.5, deviations 3.5 2.5 1.5 0.5 0.5 1.5 2.5 995.5: MAD 2.
  const std::vector<double> peers{1, 2, 3, 4, 5, 6, 7, 1000};
  EXPECT_NEAR(peer_spread(peers).limit, 11.5 * 1.4826 * 2, 1e-9);
}

// How often a host like its peers is beyond their limit.
double false_share(std::size_t peers, int draws) {
  base::Rng rng(peers);
  int beyond = 0;
  std::vector<double> levels(peers);
  for (int i = 0; i < draws; ++i) {
    for (double& level : levels) level = normal(rng);
    const auto spread = peer_spread(levels);
    if (std::abs(normal(rng) - spread.median) > spread.limit) ++beyond;
  }
  return static_cast<double>(beyond) / draws;
}

TEST(PeerSpread, AlikeHostsAreSeldomBeyondIt) {
  constexpr int kDraws = 100'000;
  EXPECT_LT(false_share(2, kDraws), 0.012);
  EXPECT_LT(false_share(3, kDraws), 0.003);
  for (const std::size_t peers : {4U, 5U, 6U, 7U, 8U, 9U, 10U, 11U, 12U, 14U, 15U, 19U, 20U, 40U}) {
    EXPECT_LT(false_share(peers, kDraws), 0.0025) << peers;
  }
}

}  // namespace
}  // namespace reveal::fleet

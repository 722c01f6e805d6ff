#include "peers/share_quantile.h"

#include <gtest/gtest.h>

namespace reveal::peers {
namespace {

TEST(ShareQuantile, IsNotKnownOfFew) {
  ShareQuantile shares;
  for (int i = 0; i < 999; ++i) shares.add(0.1);
  EXPECT_FALSE(shares.quantile(0.99));
  shares.add(0.1);
  ASSERT_TRUE(shares.quantile(0.99));
  EXPECT_NEAR(*shares.quantile(0.99), 0.1, 1.0 / 256);
  for (int i = 1000; i < 9999; ++i) shares.add(0.1);
  EXPECT_FALSE(shares.quantile(0.999));
  shares.add(0.1);
  ASSERT_TRUE(shares.quantile(0.999));
  EXPECT_NEAR(*shares.quantile(0.999), 0.1, 1.0 / 256);
}

TEST(ShareQuantile, OneOfAHundredIsAboveAnother) {
  ShareQuantile shares;
  for (int i = 0; i < 980; ++i) shares.add(0.2);
  for (int i = 0; i < 20; ++i) shares.add(0.5);
  EXPECT_NEAR(*shares.quantile(0.99), 0.5, 1.0 / 256);
  for (int i = 0; i < 1000; ++i) shares.add(0.2);
  EXPECT_NEAR(*shares.quantile(0.99), 0.2, 1.0 / 256);
}

TEST(ShareQuantile, OneOfAThousandIsAboveIt) {
  ShareQuantile shares;
  for (int i = 0; i < 99'900; ++i) shares.add(0.2);
  for (int i = 0; i < 100; ++i) shares.add(0.9);
  EXPECT_NEAR(*shares.quantile(0.999), 0.2, 1.0 / 256);
  for (int i = 0; i < 100; ++i) shares.add(0.9);
  EXPECT_NEAR(*shares.quantile(0.999), 0.9, 1.0 / 256);
}

TEST(ShareQuantile, ForgetsWhatIsOlderThanAnHour) {
  ShareQuantile shares;
  const auto half_an_hour = [&](double share) {
    for (std::size_t i = 0; i < ShareQuantile::kHalfHour; ++i) {
      for (int host = 0; host < 10; ++host) shares.add(share);
      shares.end_window();
    }
  };
  half_an_hour(0.8);
  half_an_hour(0.1);
  EXPECT_NEAR(*shares.quantile(0.999), 0.1, 1.0 / 256);
  for (int i = 0; i < 100; ++i) shares.add(1);
  EXPECT_EQ(*shares.quantile(0.999), 1);
}

}  // namespace
}  // namespace reveal::peers

#include "serve/series_query.h"

#include <gtest/gtest.h>

namespace reveal::serve {
namespace {

using http::parse_target;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kNow_ns = 10'000 * kSecond_ns;

base::Result<SeriesQuery> parsed(const std::string& target) {
  return parse_series_query(parse_target(target).value().parameters, kNow_ns);
}

TEST(SeriesQuery, IsTheLastTenMinutesIfNothingIsSaid) {
  const auto query = parsed("/?channel=memory_dirty_bytes").value();
  EXPECT_EQ(query.channels, std::vector<std::string>{"memory_dirty_bytes"});
  EXPECT_EQ(query.from_ns, kNow_ns - 600 * kSecond_ns);
  EXPECT_EQ(query.to_ns, kNow_ns);
  EXPECT_EQ(query.points, 600U);
}

TEST(SeriesQuery, ReadsWhatIsSaid) {
  const auto query =
      parsed("/?channel=a%7Bcpu%3D3%7D&channel=b&from=100.5&to=160&points=60").value();
  EXPECT_EQ(query.channels, (std::vector<std::string>{"a{cpu=3}", "b"}));
  EXPECT_EQ(query.from_ns, 100 * kSecond_ns + kSecond_ns / 2);
  EXPECT_EQ(query.to_ns, 160 * kSecond_ns);
  EXPECT_EQ(query.points, 60U);
}

TEST(SeriesQuery, IsBounded) {
  std::string many = "/?points=1";
  for (int i = 0; i < 17; ++i) many += "&channel=c";
  for (const auto& target :
       {std::string("/"), many, std::string("/?channel=a&from=0&to=3601"),
        std::string("/?channel=a&from=5&to=5"), std::string("/?channel=a&points=4001"),
        std::string("/?channel=a&channel=b&points=2001"), std::string("/?channel=a&points=0"),
        std::string("/?channel=a&from=yesterday"), std::string("/?channel=a&from=-5&to=5"),
        std::string("/?chanel=a")}) {
    const auto query = parsed(target);
    ASSERT_FALSE(query) << target;
    EXPECT_EQ(query.error().kind, base::ErrorKind::kUsage);
  }
  EXPECT_TRUE(parsed("/?channel=a&from=0&to=3600&points=4000"));
}

}  // namespace
}  // namespace reveal::serve

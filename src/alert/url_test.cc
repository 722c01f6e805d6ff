#include "alert/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::alert {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ParseUrl, TakesAnAddressApart) {
  const auto url = parse_url("https://hooks.example.org:8443/services/T0/B1?x=1");
  ASSERT_TRUE(url);
  EXPECT_TRUE(url->tls);
  EXPECT_EQ(url->host, "hooks.example.org");
  EXPECT_EQ(url->port, 8443);
  EXPECT_EQ(url->authority, "hooks.example.org:8443");
  EXPECT_EQ(url->target, "/services/T0/B1?x=1");
  EXPECT_EQ(url->shown(), "https://hooks.example.org:8443");  // the path may be the secret
}

TEST(ParseUrl, FillsInWhatIsLeftOut) {
  EXPECT_EQ(parse_url("http://a")->port, 80);
  EXPECT_EQ(parse_url("http://a")->target, "/");
  EXPECT_EQ(parse_url("https://a?q")->port, 443);
  EXPECT_EQ(parse_url("https://a?q")->target, "/?q");
  EXPECT_EQ(parse_url("http://[::1]:9093/x")->host, "::1");
  EXPECT_EQ(parse_url("http://[fe80::1]")->port, 80);
}

TEST(ParseUrl, RefusesTheRestWithoutRepeatingIt) {
  for (const char* text :
       {"", "a", "ftp://a", "http://", "http://:80", "http://a:", "http://a:0", "http://a:65536",
        "http://a:8x", "http://[::1", "http://[::1]9", "http://me:secret@a/", "http://a/secret x",
        "http://a/secret\r\nX: y", "http://a/#secret", "http://\xc3\xa4/"}) {
    const auto url = parse_url(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().kind, base::ErrorKind::kUsage);
    EXPECT_NE(url.error().remedy, "");
    EXPECT_THAT(url.error().message(), Not(HasSubstr("secret"))) << text;
  }
}

}  // namespace
}  // namespace reveal::alert

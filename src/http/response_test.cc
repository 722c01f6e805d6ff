#include "http/response.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/http_counts.h"

namespace reveal::http {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::int64_t kNewYear_ns = 1'798'761'600'000'000'000;  // 2027-01-01, a Friday

std::string bytes_of(const Response& response, bool with_body = true) {
  return to_bytes(response, {.with_body = with_body, .wall_ns = kNewYear_ns});
}

TEST(Response, HeadAndBodyByHand) {
  const auto bytes = bytes_of({.type = kTextType, .body = "ok\n"});
  EXPECT_THAT(bytes, StartsWith("HTTP/1.1 200 OK\r\nDate: Fri, 01 Jan 2027 00:00:00 GMT\r\n"
                                "Content-Type: text/plain; charset=utf-8\r\n"
                                "Content-Length: 3\r\nCache-Control: no-store\r\n"));
  EXPECT_THAT(bytes, EndsWith("\r\nConnection: close\r\n\r\nok\n"));
}

TEST(Response, AHeadStatesTheLengthOfTheBodyThatItLacks) {
  const auto bytes = bytes_of({.body = "ok\n"}, false);
  EXPECT_THAT(bytes, HasSubstr("\r\nContent-Length: 3\r\n"));
  EXPECT_THAT(bytes, EndsWith("\r\n\r\n"));
}

TEST(Response, EachStatusHasTheHeadersOfSecurity) {
  for (const auto& status : kStatuses) {
    const auto bytes = bytes_of({.status = status.code});
    EXPECT_THAT(bytes, HasSubstr("Content-Security-Policy: default-src 'none'; script-src 'self'; "
                                 "style-src 'self'; connect-src 'self'; img-src 'self' data:;"));
    EXPECT_THAT(bytes, HasSubstr("frame-ancestors 'none'"));
    EXPECT_THAT(bytes, HasSubstr("\r\nX-Content-Type-Options: nosniff\r\n"));
    EXPECT_THAT(bytes, HasSubstr(std::to_string(status.code) + " " + status.phrase));
  }
}

TEST(Response, ErrorsAreJson) {
  const auto response = error_response(404, "no \"x\" \xff");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.type, kJsonType);
  EXPECT_EQ(response.body, "{\"status\":404,\"error\":\"no \\\"x\\\" \xef\xbf\xbd\"}\n");
}

TEST(Response, ATagNamesOneBody) {
  const auto tag = etag_of("body");
  EXPECT_EQ(tag, etag_of("body"));
  EXPECT_NE(tag, etag_of("bodz"));
  EXPECT_NE(etag_of(""), etag_of(std::string(1, '\0')));
  EXPECT_TRUE(names_etag(tag, tag));
  EXPECT_TRUE(names_etag("\"a\" , W/" + tag, tag));
  EXPECT_TRUE(names_etag("*", tag));
  EXPECT_FALSE(names_etag("", tag));
  EXPECT_FALSE(names_etag("\"a\"", tag));
  EXPECT_FALSE(names_etag(tag.substr(1), tag));
  const auto bytes = bytes_of({.status = 304, .etag = tag});
  EXPECT_THAT(bytes, HasSubstr("\r\nCache-Control: no-cache\r\nETag: " + tag + "\r\n"));
  EXPECT_THAT(bytes, Not(HasSubstr("Content-Length")));
}

}  // namespace
}  // namespace reveal::http

#include "http/request.h"

#include <string>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>

namespace reveal::http {
namespace {

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: a\r\n";

// Returns the status that a text is refused with; 200 for a head, 0 if it has not ended.
int status_of(std::string_view arrived) {
  const auto parsed = parse_head(arrived);
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) return refusal->status;
  return std::holds_alternative<Head>(parsed) ? 200 : 0;
}

// The status of a request with this header.
int with_header(const std::string& header) {
  return status_of(std::string(kGet) + header + "\r\n\r\n");
}

Head head_of(const std::string& text) {
  return std::get<Head>(parse_head(text));
}

TEST(RequestHead, IsReadByHand) {
  const std::string text =
      "POST /-/mark?a=b HTTP/1.1\r\nHOST:  n017:7383 \r\nContent-Length: 3\r\n"
      "Accept: text/plain\r\naccept: */*;q=0.1\r\nIf-None-Match: \"x\"\r\nX-Other:\r\n\r\n";
  const auto head = head_of(text + "abcrest");
  EXPECT_EQ(head.head_bytes, text.size());
  EXPECT_EQ(head.body_bytes, 3U);
  EXPECT_EQ(head.request.method, Method::kPost);
  EXPECT_EQ(head.request.target.path, "/-/mark");
  EXPECT_EQ(head.request.target.parameters.at(0).value, "b");
  EXPECT_EQ(head.request.host, "n017:7383");
  EXPECT_EQ(head.request.accept, "text/plain,*/*;q=0.1");
  EXPECT_EQ(head.request.if_none_match, "\"x\"");
  EXPECT_TRUE(head.request.keep_alive);
}

TEST(RequestHead, TheConnectionStaysOpenAsTheVersionSays) {
  const auto keeps = [](const std::string& text) { return head_of(text).request.keep_alive; };
  EXPECT_TRUE(keeps("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(keeps("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

TEST(RequestHead, EachBeginningNeedsMore) {
  const auto text = std::string(kGet) + "\r\n";
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(status_of(std::string_view(text).substr(0, size)), 0) << size;
  }
  EXPECT_EQ(status_of(text), 200);
}

TEST(RequestHead, FirstLinesThatAreRefused) {
  const auto line = [](const std::string& text) { return status_of(text + "\r\nHost: a\r\n\r\n"); };
  EXPECT_EQ(line("GET /"), 400);
  EXPECT_EQ(line("GET"), 400);
  EXPECT_EQ(line("GET  / HTTP/1.1"), 400);
  EXPECT_EQ(line("GET / a HTTP/1.1"), 400);
  EXPECT_EQ(line("G\tT / HTTP/1.1"), 400);
  EXPECT_EQ(line("GET http://a/ HTTP/1.1"), 400);
  EXPECT_EQ(line("GET /%00 HTTP/1.1"), 400);
  EXPECT_EQ(line("GET / FTP/1.1"), 400);
  EXPECT_EQ(line("GET / HTTP/1.10"), 505);
  EXPECT_EQ(line("GET / HTTP/2.0"), 505);
  EXPECT_EQ(line("BREW / HTTP/1.1"), 200);    // the routes say that it is not allowed
  EXPECT_EQ(status_of("\x16\x03\x01"), 400);  // a TLS client
  EXPECT_EQ(status_of("\r\nGET / HTTP/1.1\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\nHost: a\n\n"), 0);  // no line has ended
}

TEST(RequestHead, HeadersThatAreRefused) {
  EXPECT_EQ(with_header("a: b"), 200);
  EXPECT_EQ(with_header("a"), 400);
  EXPECT_EQ(with_header(": b"), 400);
  EXPECT_EQ(with_header("a : b"), 400);
  EXPECT_EQ(with_header(" a: b"), 400);
  EXPECT_EQ(with_header("a: b\r\n c"), 400);  // a line that goes on
  EXPECT_EQ(with_header("a: b\nc: d"), 400);
  EXPECT_EQ(with_header("a: b\rc: d"), 400);
  EXPECT_EQ(with_header("a: b\x01"), 400);
  EXPECT_EQ(with_header("Host: b"), 400);
  EXPECT_EQ(with_header("Expect: 100-continue"), 417);
  EXPECT_EQ(with_header("Transfer-Encoding: chunked"), 501);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400);  // no Host
}

TEST(RequestHead, SaysWhoAsksAndForWhichPage) {
  const auto head =
      head_of(std::string(kGet) + "authorization:  Bearer abc \r\nOrigin: https://a:1\r\n\r\n");
  EXPECT_EQ(head.request.authorization, "Bearer abc");
  EXPECT_EQ(head.request.origin, "https://a:1");
  EXPECT_EQ(head_of(std::string(kGet) + "\r\n").request.authorization, "");
  // Two programs could each mean another one.
  EXPECT_EQ(with_header("Authorization: Bearer a\r\nAuthorization: Bearer b"), 400);
}

TEST(RequestHead, LengthsOfBodiesThatAreRefused) {
  const auto post = [](const std::string& headers) {
    return status_of("POST / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n\r\n");
  };
  EXPECT_EQ(post("Content-Length: 65536"), 200);
  EXPECT_EQ(post("Content-Length: 65537"), 413);
  EXPECT_EQ(post("Content-Length: 99999999999999999999999"), 413);
  EXPECT_EQ(post("Content-Length: -1"), 400);
  EXPECT_EQ(post("Content-Length: +1"), 400);
  EXPECT_EQ(post("Content-Length: 0x10"), 400);
  EXPECT_EQ(post("Content-Length:"), 400);
  EXPECT_EQ(post("Content-Length: 1, 1"), 400);
  EXPECT_EQ(post("Content-Length: 1\r\nContent-Length: 1"), 400);
  EXPECT_EQ(with_header("Content-Length: 1"), 400);  // a GET has none
  EXPECT_EQ(with_header("Content-Length: 0"), 200);
}

TEST(RequestHead, SizesAreBounded) {
  const auto line = [](std::size_t bytes) {
    return "GET /" + std::string(bytes - 14, 'a') + " HTTP/1.1";
  };
  EXPECT_EQ(status_of(line(kMostLineBytes) + "\r\nHost: a\r\n\r\n"), 200);
  EXPECT_EQ(status_of(line(kMostLineBytes + 1) + "\r\nHost: a\r\n\r\n"), 414);
  EXPECT_EQ(status_of("GET /" + std::string(kMostLineBytes, 'a')), 414);  // it has no end yet
  EXPECT_EQ(with_header("a: " + std::string(8000, 'b')), 200);
  EXPECT_EQ(with_header("a: " + std::string(9000, 'b')), 431);
  EXPECT_EQ(status_of(std::string(kGet) + "a: " + std::string(9000, 'b')), 431);
  std::string many;
  for (std::size_t i = 1; i < kMostHeaders; ++i) many += "a: b\r\n";
  EXPECT_EQ(status_of(std::string(kGet) + many + "\r\n"), 200);
  EXPECT_EQ(status_of(std::string(kGet) + many + "a: b\r\n\r\n"), 431);
}

}  // namespace
}  // namespace reveal::http

#include "http/socket_client.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/temp_dir.h"
#include "base/unique_fd.h"
#include "http/listener.h"
#include "http/unix_address.h"

namespace reveal::http {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

const std::string kAnswer = "HTTP/1.1 503 Service Unavailable\r\ncontent-length:  3 \r\n\r\nabc";

TEST(Answer, IsReadByHand) {
  const auto answer = parse_answer(kAnswer, false).value();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->body, "abc");
}

TEST(Answer, EachBeginningNeedsMoreOrIsCutOff) {
  for (std::size_t size = 0; size < kAnswer.size(); ++size) {
    const auto begin = std::string_view(kAnswer).substr(0, size);
    const auto more = parse_answer(begin, false);
    ASSERT_TRUE(more) << size;
    EXPECT_FALSE(*more) << size;
    EXPECT_FALSE(parse_answer(begin, true)) << size;
  }
}

TEST(Answer, WhatIsNoneIsRefused) {
  const auto refused = [](const std::string& text) { return !parse_answer(text, false); };
  EXPECT_TRUE(refused("SSH-2.0"));
  EXPECT_TRUE(refused("HTTP/1.1 abc\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_TRUE(refused("HTTP/1.1 000\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_TRUE(refused("HTTP/1.1 200 OK\r\n\r\n"));
  EXPECT_TRUE(refused("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"));
  EXPECT_TRUE(refused("HTTP/1.1 200 OK\r\nX: " + std::string(kMostAnswerBytes, 'a')));
}

TEST(SocketClient, SaysThatNobodyAnswers) {
  const base::TempDir dir;
  const auto path = (dir.path() / "s").string();
  const auto none = fetch_over_socket(path, "/");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(none.error().message(), HasSubstr("no agent answers"));
  // The file is there, its agent is not.
  const base::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM, 0));
  const UnixAddress address(path);
  ASSERT_EQ(::bind(fd.get(), address.generic(), address.size()), 0);
  EXPECT_EQ(fetch_over_socket(path, "/").error().kind, base::ErrorKind::kAbsent);
  EXPECT_EQ(fetch_over_socket(std::string(200, 'a'), "/").error().kind, base::ErrorKind::kUsage);
}

TEST(SocketClient, GivesUpOnAnAgentThatDoesNotAnswer) {
  const base::TempDir dir;
  const auto path = (dir.path() / "s").string();
  const auto listener = Listener::open({.socket_path = path});
  ASSERT_TRUE(listener) << listener.error().message();
  const auto none = fetch_over_socket(path, "/", milliseconds(20));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, base::ErrorKind::kIo);
  EXPECT_THAT(none.error().message(), HasSubstr("did not answer within 20 ms"));
}

}  // namespace
}  // namespace reveal::http

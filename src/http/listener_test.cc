#include "http/listener.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/temp_dir.h"
#include "base/unique_fd.h"
#include "http/testing/raw_client.h"
#include "http/unix_address.h"

namespace reveal::http {
namespace {

using ::testing::HasSubstr;

std::string read_back(std::string_view text) {
  const auto address = parse_listen_address(text);
  return address ? address->text() : "refused";
}

bool is_within_reach(std::string_view text) {
  return check_reach(parse_listen_address(text).value(), {}).has_value();
}

TEST(ListenAddress, IsReadAndWrittenTheSame) {
  for (const char* text : {"127.0.0.1:7383", "0.0.0.0:0", "[::1]:65535", "[2001:db8::5]:7383",
                           "unix:/run/reveal/reveal.sock"}) {
    EXPECT_EQ(read_back(text), text);
  }
  EXPECT_EQ(read_back("localhost:7383"), "127.0.0.1:7383");
}

TEST(ListenAddress, WhatIsNoAddressIsRefused) {
  for (const char* text : {"", "7383", ":7383", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
                           "127.0.0.1:-1", "127.0.0.1:http", "::1:7383", "[127.0.0.1]:7383",
                           "[::1]", "n017:7383", "unix:", "unix:reveal.sock"}) {
    EXPECT_EQ(read_back(text), "refused") << text;
  }
  EXPECT_EQ(read_back("unix:/" + std::string(106, 'a')), "unix:/" + std::string(106, 'a'));
  EXPECT_EQ(read_back("unix:/" + std::string(107, 'a')), "refused");
}

TEST(ListenAddress, OnlyThisHostMayReachIt) {
  EXPECT_TRUE(is_within_reach("127.0.0.1:1"));
  EXPECT_TRUE(is_within_reach("127.8.0.1:1"));
  EXPECT_TRUE(is_within_reach("[::1]:1"));
  EXPECT_TRUE(is_within_reach("unix:/a"));
  EXPECT_FALSE(is_within_reach("0.0.0.0:1"));
  EXPECT_FALSE(is_within_reach("[::]:1"));
  EXPECT_FALSE(is_within_reach("10.0.0.5:1"));
  EXPECT_FALSE(is_within_reach("[::ffff:10.0.0.5]:1"));
  EXPECT_THAT(check_reach({.ip = "0.0.0.0"}, {}).error().message(), HasSubstr("insecure = true"));
}

TEST(ListenAddress, OtherHostsMayReachWhatIsEncryptedAndAsks) {
  const auto why = [](const Protection& protection) {
    const auto sound = check_reach({.ip = "10.0.0.5"}, protection);
    return sound ? "" : sound.error().message();
  };
  EXPECT_THAT(why({}), HasSubstr("nothing is encrypted"));
  EXPECT_THAT(why({.asks = true}), HasSubstr("nothing is encrypted"));
  EXPECT_THAT(why({.encrypts = true}), HasSubstr("nobody is asked"));
  EXPECT_EQ(why({.encrypts = true, .asks = true}), "");
}

// A folder with the path of a socket.
class SocketFile : public ::testing::Test {
 protected:
  base::TempDir dir_;
  std::string path_ = (dir_.path() / "s").string();

  base::Result<Listener> open() const { return Listener::open({.socket_path = path_}); }
  // As a killed agent leaves it: the file is there, nobody listens.
  void leave_behind() const {
    const base::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM, 0));
    const UnixAddress address(path_);
    ASSERT_EQ(::bind(fd.get(), address.generic(), address.size()), 0);
  }
};

TEST_F(SocketFile, IsForOwnerAndGroupAndGoesAtTheEnd) {
  {
    const auto listener = open();
    ASSERT_TRUE(listener) << listener.error().message();
    struct stat found {};
    ASSERT_EQ(::lstat(path_.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777U, 0660U);
    EXPECT_TRUE(RawClient("unix:" + path_).is_connected());
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(SocketFile, OfADeadAgentIsReplaced) {
  leave_behind();
  const auto listener = open();
  ASSERT_TRUE(listener) << listener.error().message();
  EXPECT_TRUE(RawClient("unix:" + path_).is_connected());
}

TEST_F(SocketFile, OfALivingAgentIsNot) {
  const auto first = open();
  ASSERT_TRUE(first);
  const auto second = open();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, base::ErrorKind::kBusy);
  EXPECT_TRUE(RawClient("unix:" + path_).is_connected());
}

// Another program, which knows nothing of the lock.
TEST_F(SocketFile, OfAnotherProgramIsNotReplaced) {
  const base::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM, 0));
  const UnixAddress address(path_);
  ASSERT_EQ(::bind(fd.get(), address.generic(), address.size()), 0);
  ASSERT_EQ(::listen(fd.get(), 1), 0);
  const auto listener = open();
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().kind, base::ErrorKind::kBusy);
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(SocketFile, WhatIsNoSocketStays) {
  std::ofstream(path_) << "precious";
  const auto listener = open();
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().kind, base::ErrorKind::kUsage);
  EXPECT_EQ(std::filesystem::file_size(path_), 8U);
}

TEST_F(SocketFile, OfASuccessorStaysAtTheEnd) {
  auto listener = std::optional(open());
  ASSERT_TRUE(*listener);
  std::filesystem::remove(path_);
  leave_behind();
  listener.reset();
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST(TcpListener, TellsThePortAndKeepsItToItself) {
  const auto listener = Listener::open({.ip = "127.0.0.1"});
  ASSERT_TRUE(listener) << listener.error().message();
  EXPECT_NE(listener->address().port, 0);
  const auto second = Listener::open(listener->address());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, base::ErrorKind::kBusy);
}

}  // namespace
}  // namespace reveal::http

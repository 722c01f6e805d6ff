#include "http/own_host.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::http {
namespace {

const std::vector<std::string> kNames{"n017", "n017.example.org"};

bool own(std::string_view host, std::string_view local = "127.0.0.1") {
  return is_own_host(host, local, kNames);
}

TEST(OwnHost, NamesAndAddressesOfThisHost) {
  for (const char* host :
       {"localhost", "LOCALHOST:7383", "127.0.0.1", "127.0.0.1:80", "127.9.9.9", "[::1]",
        "[::1]:7383", "[0:0:0:0:0:0:0:1]", "n017", "N017:1", "n017.example.org:65535"}) {
    EXPECT_TRUE(own(host)) << host;
  }
}

TEST(OwnHost, WhatAForeignPageWouldSend) {
  for (const char* host : {"",
                           ":80",
                           "evil.example",
                           "localhost.evil.example",
                           "127.0.0.1.evil.example",
                           "n017.evil",
                           "localhost:",
                           "localhost:80x",
                           "localhost:123456",
                           "localhost:80:80",
                           "::1",
                           "[::1",
                           "[]",
                           "[::1]x",
                           "[::1]80",
                           "[localhost]",
                           "[127.0.0.1]",
                           "127.1",
                           "2130706433",
                           "0x7f.0.0.1",
                           "10.0.0.5",
                           "user@localhost",
                           "localhost/",
                           "local host"}) {
    EXPECT_FALSE(own(host)) << host;
  }
}

TEST(OwnHost, NamesOfACertificate) {
  const std::vector<std::string> names{"*.example.org", "10.0.0.7", "2001:db8::7"};
  const auto named = [&](std::string_view host) { return is_own_host(host, "127.0.0.1", names); };
  for (const char* host :
       {"n017.example.org", "N017.EXAMPLE.ORG:7383", "10.0.0.7:1", "[2001:db8:0::7]:1"}) {
    EXPECT_TRUE(named(host)) << host;
  }
  for (const char* host : {"example.org", ".example.org", "a.b.example.org", "n017.example.com",
                           "*", "n017", "10.0.0.8", "n017.example.org.evil"}) {
    EXPECT_FALSE(named(host)) << host;
  }
}

TEST(OwnHost, TheAddressAtWhichItArrived) {
  EXPECT_TRUE(own("10.0.0.5:7383", "10.0.0.5"));
  EXPECT_TRUE(own("[2001:db8::5]:7383", "2001:db8::5"));
  EXPECT_TRUE(own("10.0.0.5", "::ffff:10.0.0.5"));
  EXPECT_FALSE(own("10.0.0.6", "10.0.0.5"));
  EXPECT_FALSE(own("10.0.0.5", ""));
}

}  // namespace
}  // namespace reveal::http

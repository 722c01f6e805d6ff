#include "http/target.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::http {
namespace {

std::string path_of(std::string_view text) {
  const auto target = parse_target(text);
  return target ? target->path : "refused";
}

std::vector<std::string> parameters_of(std::string_view text) {
  std::vector<std::string> out;
  const auto target = parse_target(text).value();
  for (const auto& one : target.parameters) {
    out.push_back(one.name + "=" + one.value);
  }
  return out;
}

TEST(Target, ThePathIsDecodedOnce) {
  EXPECT_EQ(path_of("/"), "/");
  EXPECT_EQ(path_of("/a%20b+c"), "/a b+c");
  EXPECT_EQ(path_of("/%252e"), "/%2e");
  EXPECT_EQ(path_of("/a/../%2e%2e/%2Fetc"), "/a/../..//etc");
  EXPECT_EQ(path_of("/%c3%bc"), "/\xc3\xbc");
}

TEST(Target, WhatIsNoPathIsRefused) {
  for (const char* text : {"", "*", "a", "http://localhost/", "/%", "/%0", "/%zz", "/%00", "/%0a",
                           "/%7f", "/a?b=%0", "/a?b=%00", "/a?%0d=1"}) {
    EXPECT_EQ(path_of(text), "refused") << text;
  }
}

TEST(Target, ParametersByHand) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(parameters_of("/a?"), Texts{});
  EXPECT_EQ(parameters_of("/a?x"), Texts{"x="});
  EXPECT_EQ(parameters_of("/a?x=1&&y=a+b&x=%2b?"), (Texts{"x=1", "y=a b", "x=+?"}));
  EXPECT_EQ(parameters_of("/a?collect%5B%5D=sources&collect[]=http"),
            (Texts{"collect[]=sources", "collect[]=http"}));
  EXPECT_EQ(parameters_of("/a?=1=2"), Texts{"=1=2"});
}

TEST(Target, TheNumberOfParametersIsBounded) {
  std::string text = "/a?";
  for (std::size_t i = 0; i < kMostParameters; ++i) text += "x&";
  EXPECT_EQ(parameters_of(text).size(), kMostParameters);
  EXPECT_EQ(path_of(text + "x"), "refused");
}

TEST(Target, WhatIsEncodedIsDecodedTheSame) {
  std::string all;
  for (int byte = 0x20; byte < 0x7f; ++byte) all += static_cast<char>(byte);
  all += "\xc3\xbc";
  EXPECT_EQ(parameters_of("/?a=" + encoded(all)), std::vector<std::string>{"a=" + all});
  EXPECT_EQ(encoded("a b&\xff"), "a%20b%26%FF");
}

}  // namespace
}  // namespace reveal::http

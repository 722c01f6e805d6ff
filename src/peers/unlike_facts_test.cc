#include "peers/unlike_facts.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::peers {
namespace {

wire::Facts host_with(const std::string& subject, const std::string& text) {
  wire::Facts out;
  out.kernel = "6.1.0";
  out.reveal_version = "0.1.0";
  out.facts.push_back({"numa", subject, text});
  return out;
}

// Returns whether a host with that text is told to differ from two others with the other.
bool is_told(const std::string& subject, const std::string& own, const std::string& others) {
  const auto host = host_with(subject, own);
  const auto other = host_with(subject, others);
  const std::vector<const wire::Facts*> peers{&other, &other};
  return !unlike_facts(host, peers).empty();
}

TEST(UnlikeFacts, SizesWithinATwentiethAreTheSame) {
  EXPECT_FALSE(is_told("memory", "13.5 GiB", "13.3 GiB"));
  EXPECT_FALSE(is_told("memory", "1024 MiB", "1 GiB"));
  EXPECT_TRUE(is_told("memory", "16 GiB", "15 GiB"));
  EXPECT_TRUE(is_told("memory", "2 MiB", "1 GiB"));
}

TEST(UnlikeFacts, WhatIsNoSizeMustBeEqual) {
  EXPECT_TRUE(is_told("MTU", "1500 bytes", "1450 bytes"));
  EXPECT_TRUE(is_told("clock", "2.1 GHz", "2.0 GHz"));
  EXPECT_TRUE(is_told("governor", "powersave", "performance"));
  EXPECT_FALSE(is_told("governor", "powersave", "powersave"));
}

TEST(UnlikeFacts, NobodyDiffersFromPeersThatDiffer) {
  const auto host = host_with("governor", "powersave");
  const auto one = host_with("governor", "performance");
  const auto two = host_with("governor", "schedutil");
  const std::vector<const wire::Facts*> peers{&one, &two};
  EXPECT_TRUE(unlike_facts(host, peers).empty());
}

}  // namespace
}  // namespace reveal::peers

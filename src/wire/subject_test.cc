#include "wire/subject.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::wire {
namespace {

constexpr const char* kHost = "abcdefghijklmnopqrstuvwxyz";

TEST(Subject, SaysWhoSentWhat) {
  EXPECT_EQ(subject_of({"hall-2", kHost, Type::kLevels}),
            "rv1.lvl.hall-2.abcdefghijklmnopqrstuvwxyz");
  for (const auto type : {Type::kLevels, Type::kEvent, Type::kFacts, Type::kDictionary}) {
    const Sender sender{"main", kHost, type};
    const auto read = sender_of(subject_of(sender));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, sender);
  }
  const Sender late{"main", kHost, Type::kLevels, true};
  EXPECT_EQ(subject_of(late), "rv1.late.main.abcdefghijklmnopqrstuvwxyz");
  EXPECT_EQ(sender_of(subject_of(late)).value(), late);
  EXPECT_EQ(subject_of_all_late(), "rv1.late.*.*");
  EXPECT_EQ(subject_of_all(Type::kEvent), "rv1.ev.*.*");
  EXPECT_EQ(subject_of_all(Type::kFacts, "main"), "rv1.fact.main.*");
}

TEST(Subject, OthersAreRefused) {
  const std::string host = kHost;
  for (const std::string& subject : std::vector<std::string>{
           "", "rv1", "rv1.lvl.main." + host.substr(1), "rv2.lvl.main." + host,
           "rv1.lvl.Main." + host, "rv1.lvl.*." + host, "rv1.lvl.." + host, "rv1.rpc.main." + host,
           "rv1.lvl.main." + host + ".x", "rv1.lvl.main.abcdefghijklmnopqrstuvwxy1"}) {
    EXPECT_FALSE(sender_of(subject)) << subject;
  }
}

TEST(Subject, HostIdsAreRandom) {
  const auto one = new_host_id();
  const auto other = new_host_id();
  ASSERT_TRUE(one && other);
  EXPECT_TRUE(is_host_id(*one));
  EXPECT_NE(*one, *other);
}

}  // namespace
}  // namespace reveal::wire

#include "peers/late_seconds.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/fleet.h"
#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

wire::Bytes late_message(const Lab& lab, std::size_t host, std::size_t second,
                         std::uint32_t dictionary, bool says_late = true) {
  wire::LevelsHead head;
  head.head = {.clock_error_us = 100,
               .run = wire::run_of(lab.made.id(host), kMadeBegin_ns),
               .time_ns = MadeFleet::begin_of(second)};
  head.sequence = second;
  head.dictionary = dictionary;
  head.late = says_late;
  head.votes = 3;
  const std::vector<wire::Code> codes{1, 2, 3, 4};
  wire::Bytes out;
  wire::LevelsEncoder().encode(head, codes, out);
  return out;
}

std::string late_subject(const Lab& lab, std::size_t host) {
  return wire::subject_of({"main", lab.made.id(host), wire::Type::kLevels, true});
}

class Late : public testing::Test {
 protected:
  base::Result<void> take(const wire::Bytes& message, std::size_t host = 1) {
    return lab.fleet.take({late_subject(lab, host), message, MadeFleet::end_of(250)});
  }

  Lab lab{9};
  wire::Bytes plain = *wire::plain_of(made_dictionary());
  std::uint32_t dictionary = wire::number_of(plain);
};

TEST_F(Late, SecondsAreHistoryWithTheirDictionaryOnce) {
  lab.made.introduce();
  lab.deliver();
  ASSERT_TRUE(take(late_message(lab, 1, 20, dictionary)));
  ASSERT_TRUE(take(late_message(lab, 1, 19, dictionary)));
  const auto seconds = lab.fleet.late().take_seconds();
  ASSERT_THAT(seconds, SizeIs(2));
  EXPECT_EQ(seconds[0].host, lab.made.id(1));
  EXPECT_EQ(seconds[0].head.head.time_ns, MadeFleet::begin_of(20));
  EXPECT_EQ(seconds[0].head.votes, 3);
  EXPECT_THAT(seconds[0].message, testing::StartsWith("01010800")) << "version, type and late";
  const auto dictionaries = lab.fleet.late().take_dictionaries();
  ASSERT_THAT(dictionaries, SizeIs(1));
  EXPECT_EQ(dictionaries[0].number, dictionary);
  EXPECT_EQ(dictionaries[0].plain.size(), 2 * plain.size());
  EXPECT_THAT(lab.fleet.late().take_seconds(), IsEmpty());
  const auto later_ns = MadeFleet::end_of(250 + 600);
  ASSERT_TRUE(
      lab.fleet.take({late_subject(lab, 1), late_message(lab, 1, 600, dictionary), later_ns}));
  EXPECT_THAT(lab.fleet.late().take_dictionaries(), SizeIs(1)) << "again, after a while";
}

TEST_F(Late, ADictionaryThatComesAfterIsToldThen) {
  ASSERT_TRUE(take(late_message(lab, 1, 20, dictionary)));
  EXPECT_THAT(lab.fleet.late().take_dictionaries(), IsEmpty());
  EXPECT_EQ(lab.fleet.find(lab.made.id(1)), nullptr) << "it makes no host known";
  lab.made.introduce();
  lab.deliver();
  ASSERT_TRUE(take(late_message(lab, 1, 19, dictionary)));
  EXPECT_THAT(lab.fleet.late().take_dictionaries(), SizeIs(1));
}

TEST_F(Late, WhatIsNotOfThePastOrCannotBeReadIsRefused) {
  EXPECT_FALSE(take(late_message(lab, 1, 20, dictionary, false)));
  EXPECT_THAT(lab.fleet.last_refused(), HasSubstr("not of the past"));
  EXPECT_FALSE(take(late_message(lab, 1, 100'000, dictionary)));
  EXPECT_FALSE(take({1, 2, 3}));
  EXPECT_EQ(lab.fleet.counts().refused, 3u);
  EXPECT_THAT(lab.fleet.late().take_seconds(), IsEmpty());
}

TEST_F(Late, NeedsNoOtherMessage) {
  wire::LevelsEncoder encoder;
  const std::vector<wire::Code> codes{1, 2, 3, 4};
  wire::LevelsHead head;
  head.late = true;
  wire::Bytes message;
  for (head.sequence = 10; head.sequence < 12; ++head.sequence) {
    message.clear();
    encoder.encode(head, codes, message);
  }
  EXPECT_FALSE(take(message)) << "its base is not there";
}

// The same fleet with and without late seconds of a host that would be slow.
TEST_F(Late, NobodyIsJudgedByThem) {
  lab.made.introduce();
  lab.run(0, 200, usual_level);
  const auto judged = lab.fleet.counts().judged;
  for (std::size_t s = 100; s < 190; ++s) ASSERT_TRUE(take(late_message(lab, 3, s, dictionary), 3));
  EXPECT_EQ(lab.fleet.counts().judged, judged);
  EXPECT_EQ(lab.fleet.find(lab.made.id(3))->counts().holes, 0u);
  lab.run(200, 260, usual_level);
  EXPECT_EQ(lab.fleet.counts().judged, judged + 60);
  EXPECT_THAT(lab.news, IsEmpty());
  EXPECT_EQ(lab.fleet.find(lab.made.id(3))->counts().waiting, 0u);
}

}  // namespace
}  // namespace reveal::peers

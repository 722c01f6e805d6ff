// Dictionaries, events and facts: what is sent comes back, and what is not allowed is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/packed.h"
#include "wire/testing/made_messages.h"

namespace reveal::wire {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

Bytes message_of(const Event& event) {
  Bytes out;
  EXPECT_TRUE(put_event(out, event));
  return out;
}

Bytes message_of(const Facts& facts) {
  Bytes out;
  EXPECT_TRUE(put_facts(out, facts));
  return out;
}

TEST(Dictionary, ComesBack) {
  base::Rng rng(1);
  for (const std::size_t count : {1U, 3U, 700U}) {
    const auto made = random_dictionary(rng, count);
    const auto plain = plain_of(made);
    ASSERT_TRUE(plain);
    Bytes message;
    ASSERT_TRUE(put_dictionary(message, example_head(), *plain));
    const auto read = read_dictionary(message);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->dictionary, made);
    EXPECT_EQ(read->plain, *plain);
    EXPECT_EQ(read->head, example_head());
  }
}

TEST(Dictionary, ThatSaysAThingTwiceOrNothingIsRefused) {
  auto made = example_dictionary();
  made.quantities.push_back(made.quantities.front());
  EXPECT_FALSE(plain_of(made));
  made.quantities.back().fold = Fold::kMeanOfCores;
  EXPECT_TRUE(plain_of(made));
  made.quantities.back().floor = 0;
  EXPECT_FALSE(plain_of(made));
  EXPECT_FALSE(plain_of(Dictionary()));
  auto timeless = example_dictionary();
  timeless.bucket_ns = 0;
  EXPECT_FALSE(plain_of(timeless));
}

TEST(Event, ComesBack) {
  base::Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const auto made = random_event(rng);
    const auto read = read_event(message_of(made));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, made);
  }
  EXPECT_EQ(key_of("host", example_event()), "host:F1:2");
}

TEST(Event, IsBoundedAndNotHalf) {
  Event made = example_event();
  made.claim = std::string(5000, 'x');
  made.detail = "{" + std::string(20'000, ' ') + "}";
  const auto message = message_of(made);
  EXPECT_LE(message.size(), 16'384u);
  const auto read = read_event(message);
  ASSERT_TRUE(read);
  EXPECT_THAT(read->claim, SizeIs(kMaxClaim));
  EXPECT_EQ(read->detail, "");
}

TEST(Event, WithoutWhatTellsItApartIsRefused) {
  Bytes out;
  Event made = example_event();
  made.finding = "";
  EXPECT_FALSE(put_event(out, made));
  made = example_event();
  made.revision = 0;
  EXPECT_FALSE(put_event(out, made));
  made = example_event();
  made.end_ns = made.onset_ns - 1;
  EXPECT_FALSE(put_event(out, made));
  EXPECT_TRUE(out.empty());
}

TEST(Facts, ComeBackInOrderAndOnce) {
  Facts made = example_facts();
  made.labels = {{"b", "2"}, {"a", "1"}, {"b", "3"}, {"", "4"}};
  made.groups = {"z", "y", "z"};
  made.facts = {{"s", "t", "1"}, {"s", "a", "2"}, {"s", "t", "3"}};
  const auto read = read_facts(message_of(made));
  ASSERT_TRUE(read);
  EXPECT_THAT(read->labels, ElementsAre(std::pair<std::string, std::string>("a", "1"),
                                        std::pair<std::string, std::string>("b", "2")));
  EXPECT_THAT(read->groups, ElementsAre("y", "z"));
  EXPECT_THAT(read->facts, ElementsAre(Fact{"s", "a", "2"}, Fact{"s", "t", "1"}));
  // In order already, so it comes back as it was.
  EXPECT_EQ(*read_facts(message_of(*read)), *read);
}

TEST(Facts, RandomOnesComeBackAndAreBounded) {
  base::Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const auto message = message_of(random_facts(rng));
    EXPECT_LE(message.size(), kMaxMessageBytes);
    const auto read = read_facts(message);
    ASSERT_TRUE(read);
    EXPECT_EQ(*read_facts(message_of(*read)), *read);
  }
}

TEST(Facts, OfAHostWithoutANameAreRefused) {
  Facts made = example_facts();
  made.host = "";
  Bytes out;
  EXPECT_FALSE(put_facts(out, made));
}

TEST(Contents, EveryPartOfAMessageIsNeeded) {
  Bytes dictionary;
  ASSERT_TRUE(put_dictionary(dictionary, example_head(), *plain_of(example_dictionary())));
  const auto event = message_of(example_event());
  const auto facts = message_of(example_facts());
  for (std::size_t size = 0; size < dictionary.size(); ++size) {
    EXPECT_FALSE(read_dictionary(ByteView(dictionary).first(size)));
  }
  for (std::size_t size = 0; size < event.size(); ++size) {
    EXPECT_FALSE(read_event(ByteView(event).first(size)));
  }
  for (std::size_t size = 0; size < facts.size(); ++size) {
    EXPECT_FALSE(read_facts(ByteView(facts).first(size)));
  }
  for (Bytes longer : {dictionary, event, facts}) {
    longer.push_back(0);
    EXPECT_FALSE(read_dictionary(longer) || read_event(longer) || read_facts(longer));
  }
}

TEST(Packed, ALengthThatNothingCanHaveAllocatesNothing) {
  Bytes message;
  put_varint(message, kMaxPlainBytes);
  message.push_back(0);
  Reader in(message);
  EXPECT_FALSE(read_packed(in));
}

TEST(Packed, OtherLengthsThanTheStatedAreRefused) {
  Bytes sound;
  ASSERT_TRUE(put_packed(sound, Bytes(100, 7)));
  Bytes less = sound;
  less[0] = 99;
  Bytes more = sound;
  more[0] = 101;
  for (const Bytes& bytes : {less, more}) {
    Reader in(bytes);
    EXPECT_FALSE(read_packed(in));
  }
  Reader in(sound);
  EXPECT_TRUE(read_packed(in));
}

TEST(Head, TypesAndVersionsThatAreNotKnownAreRefused) {
  auto message = message_of(example_event());
  EXPECT_EQ(*type_of(message), Type::kEvent);
  message[1] = 5;
  EXPECT_FALSE(type_of(message));
  message[1] = 2;
  message[0] = 2;
  const auto newer = type_of(message);
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().message().find("version 2"), std::string::npos);
  EXPECT_FALSE(read_event(message));
}

}  // namespace
}  // namespace reveal::wire

// Questions and answers: what is sent comes back, and what is not allowed is refused.
#include "wire/question.h"

#include <gtest/gtest.h>

#include "wire/testing/made_messages.h"

namespace reveal::wire {
namespace {

Bytes message_of(const Question& question) {
  Bytes out;
  EXPECT_TRUE(put_question(out, question));
  return out;
}

Bytes message_of(const AnswerPart& part) {
  Bytes out;
  put_answer_part(out, part);
  return out;
}

TEST(Question, ComesBack) {
  base::Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const auto made = random_question(rng);
    EXPECT_EQ(read_question(message_of(made)).value(), made);
  }
}

TEST(Question, OutOfItsBoundsIsNotSent) {
  Bytes out;
  EXPECT_FALSE(put_question(out, {.target = "", .last_event = ""}));
  EXPECT_FALSE(put_question(out, {.target = "api", .last_event = ""}));
  EXPECT_FALSE(put_question(out, {.target = "/" + std::string(kMaxTarget, 'a'), .last_event = ""}));
  EXPECT_FALSE(put_question(out, {.target = "/\xff", .last_event = ""}));
  EXPECT_FALSE(put_question(out, {.target = "/", .last_event = std::string(65, 'a')}));
  EXPECT_TRUE(out.empty());
}

TEST(Question, MalformedIsRefused) {
  auto message = message_of(Question{.target = "/a", .last_event = ""});
  message.push_back(0);
  EXPECT_FALSE(read_question(message));
  EXPECT_FALSE(read_question(message_of(AnswerPart{.is_being_made = true})));
  EXPECT_FALSE(read_question({}));
  EXPECT_EQ(question_subject("abcdefghijklmnopqrstuvwxyz"),
            "rv1.rpc.abcdefghijklmnopqrstuvwxyz.get");
}

TEST(AnswerPart, ComesBack) {
  base::Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const auto made = random_answer_part(rng);
    EXPECT_EQ(read_answer_part(message_of(made)).value(), made);
  }
}

TEST(AnswerPart, OutOfItsBoundsIsRefused) {
  const std::string most(kMostPartBytes, 'a');
  AnswerPart part{.number = 1, .head = {}, .bytes = most};
  EXPECT_TRUE(read_answer_part(message_of(part)));
  part.bytes += 'a';
  EXPECT_FALSE(read_answer_part(message_of(part)));
  part.bytes.clear();
  EXPECT_FALSE(read_answer_part(message_of(part)));
  part = {.head = AnswerHead{.status = 200, .type = "", .body_bytes = kMostAnswerBytes},
          .bytes = most};
  EXPECT_TRUE(read_answer_part(message_of(part)));
  part.head->body_bytes = kMostPartBytes - 1;
  EXPECT_FALSE(read_answer_part(message_of(part)));
  part.head->body_bytes = kMostAnswerBytes + 1;
  EXPECT_FALSE(read_answer_part(message_of(part)));
  part.head->body_bytes = kMostAnswerBytes;
  part.head->status = 199;
  EXPECT_FALSE(read_answer_part(message_of(part)));
}

}  // namespace
}  // namespace reveal::wire

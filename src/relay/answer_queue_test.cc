#include "relay/answer_queue.h"

#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "wire/question.h"

namespace reveal::relay {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using Time = AnswerQueue::Clock::time_point;

http::Response text(std::string body) {
  return {.status = 200, .type = http::kTextType, .body = std::move(body)};
}

std::string some(std::size_t bytes) {
  std::string out(bytes, 'a');
  for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<char>('a' + i % 23);
  return out;
}

// Sends all, and returns when that was over.
Time send_all(AnswerQueue& queue, std::vector<std::pair<std::string, wire::AnswerPart>>& sent) {
  Time now{};
  while (!queue.is_empty()) {
    if (const auto out = queue.next(now)) {
      EXPECT_LE(out->message.size(), 512U * 1024);
      sent.emplace_back(out->to, wire::read_answer_part(out->message).value());
    } else {
      now += milliseconds(1);
    }
  }
  return now;
}

TEST(AnswerQueue, ALargeAnswerComesInPartsAtALimitedRate) {
  AnswerQueue queue;
  const auto body = some(2'000'000);
  queue.add("inbox", text(body));
  std::vector<std::pair<std::string, wire::AnswerPart>> sent;
  const auto over = send_all(queue, sent);
  ASSERT_EQ(sent.size(), 8U);
  EXPECT_EQ(sent[0].second.head->body_bytes, body.size());
  EXPECT_EQ(sent[0].second.head->type, "text/plain; charset=utf-8");
  std::string joined;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    EXPECT_EQ(sent[i].second.number, i);
    joined += sent[i].second.bytes;
  }
  EXPECT_EQ(joined, body);
  // All but the last part, whose time comes after it.
  EXPECT_NEAR(duration<double>(over.time_since_epoch()).count(), 7 * .262, .02);
}

TEST(AnswerQueue, AShortAnswerDoesNotWaitForALongOne) {
  AnswerQueue queue;
  queue.add("long", text(some(2'000'000)));
  queue.add("short", text("b"));
  queue.add("empty", text(""));
  std::vector<std::pair<std::string, wire::AnswerPart>> sent;
  send_all(queue, sent);
  ASSERT_EQ(sent.size(), 10U);
  EXPECT_EQ(sent[1].first, "short");
  EXPECT_EQ(sent[2].first, "empty");
  EXPECT_EQ(sent[2].second.head->body_bytes, 0U);
}

TEST(AnswerQueue, WhatIsTooLargeIsSaidToBe) {
  AnswerQueue queue;
  queue.add("inbox", text(some(wire::kMostAnswerBytes + 1)));
  const auto part = wire::read_answer_part(queue.next(Time{})->message).value();
  EXPECT_EQ(part.head->status, 413);
  EXPECT_TRUE(queue.is_empty());
  queue.add("inbox", text(some(wire::kMostAnswerBytes)));
  EXPECT_EQ(wire::read_answer_part(queue.next(Time{} + std::chrono::seconds(1))->message)
                .value()
                .head->status,
            200);
}

TEST(AnswerQueue, IsBounded) {
  AnswerQueue queue;
  for (std::size_t i = 0; i < AnswerQueue::kMostAnswers; ++i) {
    EXPECT_FALSE(queue.is_full());
    queue.add("inbox", text("a"));
  }
  EXPECT_TRUE(queue.is_full());
}

}  // namespace
}  // namespace reveal::relay

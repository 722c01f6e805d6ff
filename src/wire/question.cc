#include "wire/question.h"

#include <utility>

#include "wire/head.h"

namespace reveal::wire {
namespace {

constexpr std::uint8_t kQuestion = 5;
constexpr std::uint8_t kAnswer = 6;
constexpr std::uint8_t kBeingMade = 0;
constexpr std::uint8_t kFirst = 1;
constexpr std::uint8_t kMore = 2;

std::string text_of(ByteView bytes) {
  return std::string(base::as_text(bytes));
}

AnswerPart first_part(Reader& in) {
  AnswerPart out;
  AnswerHead head;
  head.status = static_cast<std::uint16_t>(in.varint_within(kLeastStatus, kMostStatus));
  head.retry_after_s = static_cast<std::uint32_t>(in.varint_within(0, kMostRetry_s));
  head.type = in.text(0, kMaxMediaType);
  head.body_bytes = in.varint_within(0, kMostAnswerBytes);
  in.require(in.left() <= kMostPartBytes && in.left() <= head.body_bytes);
  in.require(in.left() > 0 || head.body_bytes == 0);
  out.bytes = text_of(in.rest());
  out.head = std::move(head);
  return out;
}

}  // namespace

base::Result<void> put_question(Bytes& out, const Question& question) {
  const auto target = fitting(question.target, kMaxTarget);
  const auto event = fitting(question.last_event, kMaxEventId);
  if (target != question.target || event != question.last_event || !target.starts_with('/')) {
    return base::fail(base::ErrorKind::kUsage, "not an address of a host's, or too long",
                      question.target);
  }
  out.push_back(kVersion);
  out.push_back(kQuestion);
  put_text(out, target, kMaxTarget);
  put_text(out, event, kMaxEventId);
  return {};
}

base::Result<Question> read_question(ByteView message) {
  Reader in(message);
  in.require(in.u8() == kVersion);
  in.require(in.u8() == kQuestion);
  Question out;
  out.target = in.text(1, kMaxTarget);
  in.require(out.target.starts_with('/'));
  out.last_event = in.text(0, kMaxEventId);
  if (!in.is_done()) return malformed("a question that cannot be read");
  return out;
}

void put_answer_part(Bytes& out, const AnswerPart& part) {
  out.push_back(kVersion);
  out.push_back(kAnswer);
  if (part.is_being_made) {
    out.push_back(kBeingMade);
    return;
  }
  out.push_back(part.head ? kFirst : kMore);
  if (part.head) {
    put_varint(out, part.head->status);
    put_varint(out, part.head->retry_after_s);
    put_text(out, part.head->type, kMaxMediaType);
    put_varint(out, part.head->body_bytes);
  } else {
    put_varint(out, part.number);
  }
  base::put_bytes(out, base::as_bytes(part.bytes));
}

base::Result<AnswerPart> read_answer_part(ByteView message) {
  Reader in(message);
  in.require(in.u8() == kVersion);
  in.require(in.u8() == kAnswer);
  const auto kind = in.u8_up_to(kMore);
  AnswerPart out;
  if (kind == kFirst) {
    out = first_part(in);
  } else if (kind == kMore) {
    out.number = in.varint_within(1, kMostAnswerBytes);
    in.require(in.left() > 0 && in.left() <= kMostPartBytes);
    out.bytes = text_of(in.rest());
  } else {
    out.is_being_made = true;
  }
  if (!in.is_done()) return malformed("a part of an answer that cannot be read");
  return out;
}

std::string question_subject(const std::string& host) {
  return "rv1.rpc." + host + ".get";
}

}  // namespace reveal::wire

// What a program of the fleet asks a host, and what the host answers: docs/wire_format.md,
// "Questions and answers". A question is a GET of HTTP; an answer comes in parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "wire/fields.h"
#include "wire/limits.h"

namespace reveal::wire {

struct Question {
  std::string target;      // encoded; begins with a slash
  std::string last_event;  // of a stream: the id of the last event that is known; may be empty

  bool operator==(const Question&) const = default;
};

// What the first part says of the whole answer.
struct AnswerHead {
  std::uint16_t status = 200;       // of HTTP
  std::uint32_t retry_after_s = 0;  // after so long it may work; 0: nothing is said
  std::string type;                 // of the body, as HTTP has it
  std::uint64_t body_bytes = 0;     // of all parts

  bool operator==(const AnswerHead&) const = default;
};

struct AnswerPart {
  bool is_being_made = false;           // no part yet: the host is at work on the answer
  std::uint64_t number = 0;             // from 0
  std::optional<AnswerHead> head = {};  // of part 0
  std::string bytes = {};               // of the body, after those of the parts before

  bool operator==(const AnswerPart&) const = default;
};

// Appends the message. Fails with kUsage if a text is too long or the target has no slash.
base::Result<void> put_question(Bytes& out, const Question& question);
// Fails with kCorrupt if the message is malformed.
base::Result<Question> read_question(ByteView message);

// Appends the message. REQUIRES: a head if and only if the number is 0, and bytes within the
// bounds.
void put_answer_part(Bytes& out, const AnswerPart& part);
// Fails with kCorrupt if the message is malformed.
base::Result<AnswerPart> read_answer_part(ByteView message);

// Returns the subject of the questions to a host. REQUIRES: is_host_id(host).
std::string question_subject(const std::string& host);

}  // namespace reveal::wire

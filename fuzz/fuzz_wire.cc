// Any bytes as messages of a host. What is taken must be what is written again, byte for byte where
// nothing is packed. Levels are read twice: after a key message, whose second they follow, and
// alone. A dictionary and facts are tried unpacked, too: few inputs are zlib.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "wire/dictionary.h"
#include "wire/event.h"
#include "wire/facts.h"
#include "wire/levels.h"
#include "wire/question.h"
#include "wire/subject.h"

namespace {

using namespace reveal::wire;

constexpr std::size_t kMostTried = 1000;  // quantities: more cost time and try nothing new

void check(bool holds) {
  if (!holds) std::abort();
}

bool is_same(ByteView one, ByteView other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

void check_levels(const LevelsDecoder& decoder) {
  check(!decoder.codes().empty() && decoder.codes().size() <= kMaxQuantities);
  for (const Code code : decoder.codes()) check(is_code(code));
  for (const auto place : decoder.moved()) check(place < decoder.codes().size());
}

// Returns a key message of the run, dictionary and size of the given one, at the sequence of its
// base.
Bytes base_of(ByteView message) {
  Reader in(message);
  in.bytes(8);
  LevelsHead head;
  head.head.run = in.u64();
  in.bytes(8);
  head.sequence = in.u64();
  head.dictionary = in.u32();
  head.sequence -= in.u8();
  in.bytes(10);
  const auto count = in.varint_within(1, kMaxQuantities);
  if (!in.ok() || count > kMostTried) return {};
  std::vector<Code> codes(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<Code>(i % 3 * 700);
  Bytes out;
  LevelsEncoder().encode(head, codes, out);
  return out;
}

void read_levels(ByteView message) {
  LevelsDecoder alone;
  if (alone.decode(message)) {
    check_levels(alone);
    Bytes again;
    LevelsEncoder().encode(alone.head(), alone.codes(), again);
    check(is_same(again, message));
  }
  const Bytes base = base_of(message);
  LevelsDecoder decoder;
  if (base.empty() || !decoder.decode(base)) return;
  static_cast<void>(decoder.decode(message));
  check_levels(decoder);
}

void read_plain(ByteView bytes) {
  if (const auto dictionary = dictionary_of(bytes)) {
    const auto again = plain_of(*dictionary);
    check(again && is_same(*again, bytes));
  }
  if (const auto facts = facts_of(bytes)) check(is_same(plain_of(*facts), bytes));
}

void read_questions(ByteView message) {
  Bytes again;
  if (const auto question = read_question(message)) {
    check(put_question(again, *question).has_value() && is_same(again, message));
  }
  if (const auto part = read_answer_part(message)) {
    again.clear();
    put_answer_part(again, *part);
    check(is_same(again, message));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView message(data, size);
  static_cast<void>(type_of(message));
  read_levels(message);
  if (const auto event = read_event(message)) {
    Bytes again;
    check(put_event(again, *event).has_value() && is_same(again, message));
  }
  static_cast<void>(read_facts(message));
  static_cast<void>(read_dictionary(message));
  read_plain(message);
  read_questions(message);
  const std::string subject(reinterpret_cast<const char*>(data), size);
  if (const auto sender = sender_of(subject)) check(subject_of(*sender) == subject);
  return 0;
}

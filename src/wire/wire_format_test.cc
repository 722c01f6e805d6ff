// The examples of docs/wire_format.md: the encoder must yield their bytes, and the decoder their
// meaning. tools/read_wire.py decodes the same examples.
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "wire/testing/made_messages.h"

namespace reveal::wire {
namespace {

void append_line(Bytes& bytes, const std::string& line) {
  if (line.starts_with('"')) {
    const std::string text = line.substr(1, line.rfind('"') - 1);
    bytes.insert(bytes.end(), text.begin(), text.end());
    return;
  }
  std::istringstream words(line.substr(0, line.find(';')));
  for (std::string word; words >> word;) {
    ASSERT_EQ(word.size(), 2u) << line;
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(word, nullptr, 16)));
  }
}

// Returns the bytes of the document's blocks "```hex NAME", by name.
const std::map<std::string, Bytes>& examples() {
  static const auto kFound = [] {
    std::ifstream document(REVEAL_SOURCE_DIR "/docs/wire_format.md");
    std::map<std::string, Bytes> out;
    std::string name;
    for (std::string line; std::getline(document, line);) {
      if (line.starts_with("```hex ")) {
        name = line.substr(7);
      } else if (line.starts_with("```")) {
        name.clear();
      } else if (!name.empty()) {
        append_line(out[name], line);
      }
    }
    return out;
  }();
  return kFound;
}

Bytes example(const std::string& name) {
  const auto found = examples().find(name);
  return found == examples().end() ? Bytes() : found->second;
}

std::string hex(const Bytes& bytes) {
  std::ostringstream out;
  for (const auto byte : bytes) {
    out << "0123456789ABCDEF"[byte >> 4] << "0123456789ABCDEF"[byte & 15] << ' ';
  }
  return out.str();
}

TEST(WireFormat, HasTheseExamples) {
  EXPECT_EQ(examples().size(), 8u);
}

TEST(WireFormat, Dictionary) {
  const auto plain = plain_of(example_dictionary());
  ASSERT_TRUE(plain);
  EXPECT_EQ(hex(*plain), hex(example("dictionary")));
  const auto read = dictionary_of(example("dictionary"));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, example_dictionary());
}

TEST(WireFormat, Levels) {
  const auto dictionary = example_dictionary();
  LevelsHead second = example_levels_head(number_of(*plain_of(dictionary)));
  LevelsHead first;
  first.head = second.head;
  first.head.time_ns -= 1'000'000'000;
  first.head.clock_error_us = kUnknownClockError;
  first.sequence = second.sequence - 1;
  first.dictionary = second.dictionary;
  first.learning = true;
  const auto code = [&](std::size_t place, float level) {
    return code_of(level, dictionary.quantities[place].floor);
  };
  LevelsEncoder encoder;
  Bytes key;
  encoder.encode(first, std::vector<Code>{code(0, 0.5F), 0, code(2, 4096)}, key);
  EXPECT_EQ(hex(key), hex(example("key")));
  Bytes next;
  encoder.encode(second, std::vector<Code>{code(0, 0.25F), code(1, 40), code(2, 4096)}, next);
  EXPECT_EQ(hex(next), hex(example("levels")));

  LevelsDecoder decoder;
  ASSERT_TRUE(decoder.decode(example("key")));
  EXPECT_TRUE(decoder.head().learning);
  ASSERT_TRUE(decoder.decode(example("levels")));
  EXPECT_EQ(decoder.head().sequence, 61u);
  EXPECT_EQ(decoder.head().strength, 1.5F);
  EXPECT_EQ(level_of(decoder.codes()[0], dictionary.quantities[0].floor), 0.25F);
  EXPECT_EQ(level_of(decoder.codes()[1], dictionary.quantities[1].floor), 40);
  EXPECT_EQ(level_of(decoder.codes()[2], dictionary.quantities[2].floor), 4096);
}

TEST(WireFormat, Event) {
  Bytes message;
  ASSERT_TRUE(put_event(message, example_event()));
  EXPECT_EQ(hex(message), hex(example("event")));
  const auto read = read_event(example("event"));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, example_event());
}

// zlib may compress in other ways: the bytes are for the decoder alone.
TEST(WireFormat, Facts) {
  Bytes message;
  ASSERT_TRUE(put_facts(message, example_facts()));
  EXPECT_EQ(*read_facts(message), example_facts());
  const auto read = read_facts(example("facts"));
  ASSERT_TRUE(read) << hex(message);
  EXPECT_EQ(*read, example_facts());
}

TEST(WireFormat, Questions) {
  Bytes message;
  ASSERT_TRUE(put_question(message, example_question()));
  EXPECT_EQ(hex(message), hex(example("question")));
  EXPECT_EQ(read_question(example("question")).value(), example_question());
}

TEST(WireFormat, Answers) {
  const std::map<std::string, AnswerPart> parts{{"answer", example_first_part()},
                                                {"answer_rest", example_second_part()}};
  for (const auto& [name, part] : parts) {
    Bytes message;
    put_answer_part(message, part);
    EXPECT_EQ(hex(message), hex(example(name)));
    EXPECT_EQ(read_answer_part(example(name)).value(), part);
  }
}

}  // namespace
}  // namespace reveal::wire

// Makes messages of one host, sound and damaged ones, and writes what Reveal's own decoder gets out
// of each, in the words of dump() in tools/read_wire.py; second_wire_reader_test.py compares the
// two.
//
//   dump_wire SEED COUNT     COUNT lines "HEX OUTCOME", where OUTCOME is "refused", "waits" or
//   words dump_wire < LINES        the same for the messages of LINES, each as hexadecimal digits
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "text/character.h"
#include "wire/testing/made_messages.h"

namespace reveal::wire {
namespace {

constexpr std::size_t kQuantities = 40;

bool is_plain(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./=").find(c) != std::string_view::npos;
}

std::string word(std::string_view text) {
  if (text.empty()) return "%";
  std::string out;
  for (const char c : text) {
    out += is_plain(c) ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string word(float value) {
  return fmt::format("{:08x}", std::bit_cast<std::uint32_t>(value));
}

std::string head_words(std::string_view type, unsigned flags, const Head& head) {
  return fmt::format("{} {} {} {} {}", type, flags, head.clock_error_us, head.run, head.time_ns);
}

long share(float ratio) {
  return std::lround(255 * ratio);
}

std::string levels_words(ByteView message, const LevelsDecoder& decoder) {
  const auto& head = decoder.head();
  const unsigned flags = (head.learning ? 1U : 0U) | (head.gap_before ? 2U : 0U) |
                         (head.jobs_changed ? 4U : 0U) | (head.late ? 8U : 0U);
  auto out =
      fmt::format("{} {} {} {} {} {} 5", head_words("levels", flags, head.head), head.sequence,
                  head.dictionary, message[36], head.votes, word(head.strength));
  for (const float one : head.shares) out += fmt::format(" {}", share(one));
  out += fmt::format(" {} {} {}", share(head.missing), head.hung_sources, decoder.codes().size());
  for (const Code code : decoder.codes()) out += fmt::format(" {}", code);
  return out;
}

std::string event_words(const Event& event) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {}", head_words("event", 0, event.head),
                     static_cast<int>(event.what), event.revision, event.onset_ns, event.end_ns,
                     static_cast<int>(event.subsystem), static_cast<int>(event.severity),
                     word(event.finding), word(event.claim), word(event.pattern),
                     word(event.detail));
}

std::string facts_words(const Facts& facts) {
  auto out = fmt::format("{} {} {} {} {} {} {} {} {} {}", head_words("facts", 0, facts.head),
                         word(facts.host), word(facts.kernel), word(facts.machine),
                         word(facts.boot_id), word(facts.reveal_version), facts.interval_ns,
                         facts.start_wall_ns, facts.cpus_online, facts.labels.size());
  for (const auto& [name, value] : facts.labels) {
    out += fmt::format(" 2 {} {}", word(name), word(value));
  }
  out += fmt::format(" {}", facts.groups.size());
  for (const auto& group : facts.groups) out += " " + word(group);
  out += fmt::format(" {}", facts.facts.size());
  for (const auto& fact : facts.facts) {
    out += fmt::format(" 3 {} {} {}", word(fact.source), word(fact.subject), word(fact.text));
  }
  return out;
}

std::string dictionary_words(const DictionaryMessage& message) {
  auto out = fmt::format("{} {} {}", head_words("dictionary", 0, message.head),
                         message.dictionary.bucket_ns, message.dictionary.quantities.size());
  for (const auto& one : message.dictionary.quantities) {
    out += fmt::format(" {} {} {} {} {} {} {} {} {} {}", word(one.metric), word(one.instance),
                       word(one.label), word(one.unit), static_cast<int>(one.kind),
                       static_cast<int>(one.subsystem), static_cast<int>(one.scope),
                       static_cast<int>(one.fold), one.floor, word(one.least_rise));
  }
  return out + fmt::format(" {}", number_of(message.plain));
}

std::string question_words(const Question& question) {
  return fmt::format("question {} {}", word(question.target), word(question.last_event));
}

std::string answer_words(const AnswerPart& part) {
  if (part.is_being_made) return "answer 0";
  std::string body;
  for (const char c : part.bytes) body += fmt::format("{:02x}", static_cast<unsigned char>(c));
  if (body.empty()) body = "%";
  if (!part.head) return fmt::format("answer 2 {} {}", part.number, body);
  return fmt::format("answer 1 {} {} {} {} {}", part.head->status, part.head->retry_after_s,
                     word(part.head->type), part.head->body_bytes, body);
}

template <typename T>
std::string told(const base::Result<T>& message, std::string (*words)(const T&)) {
  return message ? words(*message) : "refused";
}

std::string outcome(ByteView message, LevelsDecoder& decoder) {
  if (const auto question = read_question(message)) return question_words(*question);
  if (const auto part = read_answer_part(message)) return answer_words(*part);
  const auto type = type_of(message);
  if (!type) return "refused";
  switch (*type) {
    case Type::kLevels: {
      const auto taken = decoder.decode(message);
      if (taken) return levels_words(message, decoder);
      return taken.error().kind == base::ErrorKind::kTooLittle ? "waits" : "refused";
    }
    case Type::kEvent:
      return told(read_event(message), event_words);
    case Type::kFacts:
      return told(read_facts(message), facts_words);
    case Type::kDictionary:
      break;
  }
  return told(read_dictionary(message), dictionary_words);
}

void print(const Bytes& message, LevelsDecoder& decoder) {
  std::string hex;
  for (const auto byte : message) hex += fmt::format("{:02x}", byte);
  fmt::print("{} {}\n", hex, outcome(message, decoder));
}

// What a host sends, at random.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : rng_(seed), codes_(kQuantities, 0) {
    head_.head = random_head(rng_);
    head_.sequence = rng_.below(100'000);
  }

  Bytes next() {
    Bytes out;
    const auto kind = rng_.below(22);
    if (kind == 20) {
      must(put_question(out, random_question(rng_)));
    } else if (kind == 21) {
      put_answer_part(out, random_answer_part(rng_));
    } else if (kind == 0) {
      must(put_event(out, random_event(rng_)));
    } else if (kind == 1) {
      must(put_facts(out, random_facts(rng_)));
    } else if (kind == 2) {
      const auto plain = plain_of(random_dictionary(rng_, 1 + rng_.below(kQuantities)));
      must(plain);
      must(put_dictionary(out, random_head(rng_), *plain));
    } else {
      put_levels(out);
    }
    return out;
  }

  // Changes some bytes, or the length.
  void damage(Bytes& message) {
    for (auto left = 1 + rng_.below(3); left > 0; --left) {
      auto& byte = message[static_cast<std::size_t>(rng_.below(message.size()))];
      byte = static_cast<std::uint8_t>(byte ^ (1U << rng_.below(8)));
    }
    if (rng_.below(8) == 0)
      message.resize(static_cast<std::size_t>(rng_.below(message.size() + 9)));
  }
  bool is_to_be_damaged() { return rng_.below(5) == 0; }

 private:
  template <typename T>
  static void must(const base::Result<T>& result) {
    if (!result) std::abort();
  }

  void put_levels(Bytes& out) {
    head_ = random_levels_head(rng_, head_);
    move(rng_, codes_);
    if (rng_.below(30) == 0) encoder_.restart();
    encoder_.encode(head_, codes_, out);
  }

  base::Rng rng_;
  LevelsEncoder encoder_;
  LevelsHead head_;
  std::vector<Code> codes_;
};

void dump_made(std::uint64_t seed, long count) {
  Maker maker(seed);
  LevelsDecoder decoder;
  for (; count > 0; --count) {
    Bytes message = maker.next();
    if (maker.is_to_be_damaged()) maker.damage(message);
    print(message, decoder);
  }
}

void dump_given() {
  LevelsDecoder decoder;
  for (std::string line; std::getline(std::cin, line);) {
    Bytes message;
    for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
      const auto high = text::hex_digit(line[i]);
      const auto low = text::hex_digit(line[i + 1]);
      if (!high || !low) std::exit(2);
      message.push_back(static_cast<std::uint8_t>(*high << 4 | *low));
    }
    print(message, decoder);
  }
}

}  // namespace
}  // namespace reveal::wire

int main(int argc, char** argv) {
  if (argc == 3) {
    reveal::wire::dump_made(std::strtoull(argv[1], nullptr, 10), std::strtol(argv[2], nullptr, 10));
  } else {
    reveal::wire::dump_given();
  }
  return 0;
}

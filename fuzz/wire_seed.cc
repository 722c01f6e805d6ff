// Writes messages for the fuzzer to start from into the directory named on the command line: one of
// each type, levels after a key message, and the plain bytes of a dictionary and of facts.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "wire/packed.h"
#include "wire/testing/made_messages.h"

namespace {

namespace fs = std::filesystem;
using namespace reveal::wire;

bool write(const fs::path& file, const Bytes& bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  return out.flush().good();
}

bool write_levels(const fs::path& dir) {
  reveal::base::Rng rng(1);
  std::vector<Code> codes(40, 0);
  LevelsHead head = example_levels_head(7);
  LevelsEncoder encoder(30);
  move(rng, codes);
  Bytes key;
  encoder.encode(head, codes, key);
  move(rng, codes);
  ++head.sequence;
  Bytes next;
  encoder.encode(head, codes, next);
  return write(dir / "key", key) && write(dir / "levels", next);
}

bool write_seeds(const fs::path& dir) {
  fs::create_directories(dir);
  Bytes event;
  Bytes facts;
  Bytes dictionary;
  const auto plain = plain_of(example_dictionary());
  Bytes question;
  Bytes answer;
  put_answer_part(answer, example_first_part());
  if (!plain || !put_question(question, example_question()) || !put_event(event, example_event()) ||
      !put_facts(facts, example_facts()) || !put_dictionary(dictionary, example_head(), *plain)) {
    return false;
  }
  Reader in(ByteView(facts).subspan(kHeadBytes));
  const auto plain_facts = read_packed(in);
  return plain_facts && write_levels(dir) && write(dir / "event", event) &&
         write(dir / "question", question) && write(dir / "answer", answer) &&
         write(dir / "facts", facts) && write(dir / "dictionary", dictionary) &&
         write(dir / "plain_dictionary", *plain) && write(dir / "plain_facts", *plain_facts);
}

}  // namespace

int main(int argc, char** argv) {
  return argc == 2 && write_seeds(argv[1]) ? 0 : 1;
}

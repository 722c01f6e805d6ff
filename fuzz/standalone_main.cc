// Runs a fuzz target without libFuzzer: over each file named on the command line as it is, then
// over a fixed number of mutations of it. The mutations come from our own generator with a seed
// made of the file's place in the list, so that a failure repeats on every machine.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "base/rng.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

using reveal::base::Rng;

constexpr int kMutationsPerSeed = 20000;
constexpr std::size_t kMaxEdits = 8;

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

char random_byte(Rng& rng) {
  return static_cast<char>(rng.below(256));
}

void edit(std::string& input, Rng& rng) {
  if (input.empty()) {
    input.push_back(random_byte(rng));
    return;
  }
  const std::size_t at = rng.below(input.size());
  switch (rng.below(6)) {
    case 0:
      input[at] = random_byte(rng);
      break;
    case 1:
      input[at] = static_cast<char>(input[at] ^ (1 << rng.below(8)));
      break;
    case 2:
      input.resize(at);
      break;
    case 3:
      input.erase(at, 1 + rng.below(16));
      break;
    case 4:
      input.insert(at, 1, random_byte(rng));
      break;
    default:
      input.insert(at, input.substr(rng.below(input.size()), rng.below(64)));
      break;
  }
}

std::string mutated(std::string input, Rng& rng) {
  const std::size_t edits = 1 + rng.below(kMaxEdits);
  for (std::size_t i = 0; i < edits; ++i) edit(input, rng);
  return input;
}

bool read_file(const char* path, std::string& out) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  out.assign(std::istreambuf_iterator<char>(in), {});
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::string seed;
    if (!read_file(argv[i], seed)) {
      std::fprintf(stderr, "%s: cannot be read\n", argv[i]);
      return 1;
    }
    Rng rng(static_cast<std::uint64_t>(i));
    run(seed);
    for (int round = 0; round < kMutationsPerSeed; ++round) run(mutated(seed, rng));
  }
  std::printf("%d seeds, %d mutations each\n", argc - 1, kMutationsPerSeed);
  return argc > 1 ? 0 : 1;
}

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
#include "base/testing/mutation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

using reveal::base::Rng;

constexpr int kMutationsPerSeed = 20000;

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
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
      static_cast<void>(std::fprintf(stderr, "%s: cannot be read\n", argv[i]));
      return 1;
    }
    Rng rng(static_cast<std::uint64_t>(i));
    run(seed);
    for (int round = 0; round < kMutationsPerSeed; ++round) run(reveal::base::mutated(seed, rng));
  }
  std::printf("%d seeds, %d mutations each\n", argc - 1, kMutationsPerSeed);
  return argc > 1 ? 0 : 1;
}

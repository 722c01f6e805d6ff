// Checks that every seed named on the command line reaches the parser of the file that it was made
// of, and that every parser has a seed: a fuzzer with a seed for the wrong parser runs, and finds
// nothing. A seed's name is its file's with "_" for "/".
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "procfs_parsers.h"

namespace {

using namespace reveal::fuzz;

std::string seed_name(const ProcfsParser& parser) {
  std::string name(parser.file);
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

// Returns the name of the seed that the first byte of this one belongs to; empty for no byte.
std::string reached_by(const char* path) {
  const int first = std::ifstream(path, std::ios::binary).get();
  if (first == std::ifstream::traits_type::eof()) return {};
  return seed_name(procfs_parser_of(static_cast<std::uint8_t>(first)));
}

}  // namespace

int main(int argc, char** argv) {
  int wrong = 0;
  std::set<std::string> reached;
  for (int i = 1; i < argc; ++i) {
    const std::string name = std::filesystem::path(argv[i]).filename().string();
    const std::string found = reached_by(argv[i]);
    reached.insert(found);
    if (found == name) continue;
    std::fprintf(stderr, "%s reaches the parser of '%s'\n", argv[i], found.c_str());
    ++wrong;
  }
  for (const ProcfsParser& parser : procfs_parsers()) {
    if (reached.contains(seed_name(parser))) continue;
    std::fprintf(stderr, "no seed reaches the parser of %s\n", seed_name(parser).c_str());
    ++wrong;
  }
  return wrong == 0 ? 0 : 1;
}

// Writes the seeds of fuzz_procfs: the file of each parser's case, with the byte that chooses the
// case before it. usage: procfs_seed HOSTS OUTPUT_FOLDER, where HOSTS is tests/hosts.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "procfs/testing/parser_case.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 3) {
    std::fprintf(stderr, "usage: procfs_seed HOSTS OUTPUT_FOLDER\n");
    return 2;
  }
  const fs::path folder(argv[2]);
  fs::create_directories(folder);
  const auto cases = reveal::procfs::ParserCase::all();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto text = reveal::procfs::seed_of(*cases[i], argv[1]);
    std::string name(cases[i]->file());
    if (!text) {
      std::fprintf(stderr, "procfs_seed: no whole host of %s has %s\n", argv[1], name.c_str());
      return 1;
    }
    std::replace(name.begin(), name.end(), '/', '_');
    std::ofstream(folder / name, std::ios::binary) << static_cast<char>('0' + i) << *text;
  }
  return cases.empty() ? 1 : 0;
}

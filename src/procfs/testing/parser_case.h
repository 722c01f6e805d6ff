// How a parser of a kernel file is fuzzed. Its test declares a case, and that is all:
//
//   const ParserCase kFuzzed("proc/loadavg", [](std::string_view text) {
//     fuzz_layout<LoadavgLayout>(text, {"1min", "tasks"});
//   });
//
// Every case that is linked is in all(): parser_case_test.cc runs each over damaged copies of its
// file, and `make fuzz` has libFuzzer look for worse ones. Only tests include this.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

// What holds for any text; a broken one ends the program, which is how a fuzzer learns of it.
inline void require(bool holds) {
  if (!holds) std::abort();
}

class ParserCase {
 public:
  using Parse = void (*)(std::string_view text);

  // `file` is one that the parser is for, below a host's root, and a whole host of tests/hosts has
  // it: "proc/stat". `parse` takes any text and calls require() for what holds of each. REQUIRES:
  // the case lives as long as the program.
  ParserCase(std::string_view file, Parse parse) : file_(file), parse_(parse), next_(first()) {
    first() = this;
  }
  ParserCase(const ParserCase&) = delete;
  ParserCase& operator=(const ParserCase&) = delete;

  std::string_view file() const { return file_; }
  void parse(std::string_view text) const { parse_(text); }

  // Returns all cases, by their files' names.
  static std::vector<const ParserCase*> all() {
    std::vector<const ParserCase*> out;
    for (const auto* one = first(); one != nullptr; one = one->next_) out.push_back(one);
    std::sort(out.begin(), out.end(),
              [](const auto* a, const auto* b) { return a->file() < b->file(); });
    return out;
  }

 private:
  static const ParserCase*& first() {
    static const ParserCase* newest = nullptr;
    return newest;
  }

  std::string_view file_;
  Parse parse_;
  const ParserCase* next_;
};

// The case of a class that is made from keys and reads a text into values. It gets the text twice,
// with a cut one between, so that one that remembers where it found its keys learns anew.
template <typename Layout>
void fuzz_layout(std::string_view text, std::vector<std::string_view> keys) {
  Layout layout(std::move(keys));
  std::vector<Value> first(layout.size());
  std::vector<Value> again(layout.size());
  layout.read(text, first);
  layout.read(text.substr(0, text.size() / 2), again);
  layout.read(text, again);
  require(first == again);
}

// Returns the text of a case's file, of the first whole host that has it; nothing if none has.
// `hosts` is tests/hosts.
inline std::optional<std::string> seed_of(const ParserCase& parser,
                                          const std::filesystem::path& hosts) {
  std::vector<std::filesystem::path> found;
  for (const auto& host : std::filesystem::directory_iterator(hosts)) {
    const auto file = host.path() / parser.file();
    const bool whole = !host.path().filename().string().starts_with("broken");
    if (whole && std::filesystem::is_regular_file(file)) found.push_back(file);
  }
  if (found.empty()) return std::nullopt;
  std::ifstream in(*std::min_element(found.begin(), found.end()), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace reveal::procfs

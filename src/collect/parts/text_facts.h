// Facts that are one line of one small file: a row names the file and the part of the line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collect/parts/fact_text.h"
#include "procfs/attribute.h"
#include "procfs/host_root.h"

namespace reveal::collect {

struct TextFactRow {
  std::string_view subject;  // "transparent huge pages"
  std::string_view file;     // "/sys/kernel/mm/transparent_hugepage/enabled"
  // Returns the part of the line that is the fact; nothing: all of it.
  std::string_view (*part)(std::string_view line) = nullptr;
};

// Returns the choice that the kernel puts in brackets: "madvise" of "always [madvise] never". Empty
// if there is none.
std::string_view chosen(std::string_view line);

class TextFacts {
 public:
  TextFacts(std::span<const TextFactRow> rows, const procfs::HostRoot& root);

  // Says those that are news.
  void say(FrameWriter& writer, procfs::AttributeReader& reader);
  void forget();

 private:
  struct Fact {
    std::string path;
    std::string_view (*part)(std::string_view line);
    FactText text;
  };
  std::vector<Fact> facts_;
};

}  // namespace reveal::collect

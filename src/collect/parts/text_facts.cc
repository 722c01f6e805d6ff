#include "collect/parts/text_facts.h"

namespace reveal::collect {

std::string_view chosen(std::string_view line) {
  const auto begin = line.find('[');
  const auto end = line.find(']', begin == std::string_view::npos ? 0 : begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return {};
  return line.substr(begin + 1, end - begin - 1);
}

TextFacts::TextFacts(std::span<const TextFactRow> rows, const procfs::HostRoot& root) {
  for (const auto& row : rows) {
    facts_.push_back({root.path_of(row.file), row.part, FactText(std::string(row.subject))});
  }
}

void TextFacts::say(FrameWriter& writer, procfs::AttributeReader& reader) {
  for (auto& fact : facts_) {
    auto line = reader.read(fact.path);
    if (line && fact.part != nullptr) line = fact.part(*line);
    fact.text.say(writer, line);
  }
}

void TextFacts::forget() {
  for (auto& fact : facts_) fact.text.forget();
}

}  // namespace reveal::collect

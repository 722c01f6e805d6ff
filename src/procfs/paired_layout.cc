#include "procfs/paired_layout.h"

#include <algorithm>

namespace reveal::procfs {
namespace {

// Returns the size of the section name with its colon, 0 if the line has none.
std::size_t name_size_of(std::string_view line) {
  const auto colon = line.find(':');
  return colon == std::string_view::npos ? 0 : colon + 1;
}

bool is_key(std::string_view key, std::string_view section, std::string_view column) {
  return key.size() == section.size() + 1 + column.size() && key.starts_with(section) &&
         key[section.size()] == ' ' && key.ends_with(column);
}

}  // namespace

PairedLayout::Section PairedLayout::learn(std::string_view header) const {
  Section section{std::string(header), name_size_of(header), {}};
  if (section.name_size == 0) return section;
  const std::string_view name = header.substr(0, section.name_size - 1);
  WordCursor words(header.substr(section.name_size));
  for (std::string_view column; words.next(column);) {
    const auto it = std::find_if(keys_.begin(), keys_.end(),
                                 [&](auto key) { return is_key(key, name, column); });
    section.key_of_column.push_back(
        it == keys_.end() ? kUnwanted : static_cast<std::size_t>(it - keys_.begin()));
  }
  auto& columns = section.key_of_column;
  while (!columns.empty() && columns.back() == kUnwanted) columns.pop_back();
  return section;
}

PairedLayout::Section& PairedLayout::section_for(std::size_t number, std::string_view header) {
  if (number == sections_.size()) {
    sections_.push_back(learn(header));
  } else if (sections_[number].header != header) {
    sections_[number] = learn(header);
  }
  return sections_[number];
}

void PairedLayout::read(std::string_view text, std::span<Value> values) {
  std::fill(values.begin(), values.end(), std::nullopt);
  LineCursor lines(text);
  std::string_view header;
  std::string_view line;
  bool have_header = lines.next(header);
  for (std::size_t number = 0; have_header && lines.next(line);) {
    const Section& section = section_for(number, header);
    if (section.name_size == 0 || !line.starts_with(header.substr(0, section.name_size))) {
      header = line;  // no pair: perhaps this line is the header of the next one
      continue;
    }
    WordCursor words(line.substr(section.name_size));
    for (const std::size_t index : section.key_of_column) {
      Value value;
      if (!words.next(value)) break;
      if (index != kUnwanted) values[index] = value;
    }
    ++number;
    have_header = lines.next(header);
  }
}

}  // namespace reveal::procfs

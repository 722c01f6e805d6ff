#include "text/nearest.h"

#include <algorithm>
#include <vector>

namespace reveal::text {
namespace {

constexpr std::size_t kShortestBeginning = 3;

// One letter may be wrong for each so many letters.
constexpr std::size_t kLettersAnEdit = 3;

}  // namespace

// Optimal string alignment, three rows at a time.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above[b.size()];
}

std::string_view nearest(std::string_view typed, std::span<const std::string> words) {
  std::string_view out;
  std::size_t fewest = std::max<std::size_t>(1, typed.size() / kLettersAnEdit) + 1;
  for (const auto& word : words) {
    const bool begins = typed.size() >= kShortestBeginning && word.starts_with(typed);
    const std::size_t edits = begins ? 1 : edits_between(typed, word);
    if (edits >= fewest) continue;
    fewest = edits;
    out = word;
  }
  return out;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> words) {
  const auto word = nearest(typed, words);
  return word.empty() ? "" : "; did you mean " + std::string(word) + "?";
}

}  // namespace reveal::text

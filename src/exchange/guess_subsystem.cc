// Which subsystem a metric of another program is of, by the words of its name.
#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "exchange/guess.h"
#include "exchange/name_words.h"
#include "exchange/subsystem_words.h"

namespace reveal::exchange {
namespace {

using model::Subsystem;

bool is_numeral(char c) {
  return c >= '0' && c <= '9';
}

bool has_begin(const std::string& words, const std::string& text) {
  return words.find(" " + text) != std::string::npos;
}

bool has_number(const std::string& words, const std::string& text) {
  const std::string begin = " " + text;
  for (auto at = words.find(begin); at != std::string::npos; at = words.find(begin, at + 1)) {
    if (is_numeral(words[at + begin.size()])) return true;
  }
  return false;
}

// Returns whether the words have one of `list`, which has spaces between its words.
bool has_one_of(const std::string& words, std::string_view list) {
  while (!list.empty()) {
    const auto word = list.substr(0, list.find(' '));
    if (has_words(words, word)) return true;
    list.remove_prefix(std::min(word.size() + 1, list.size()));
  }
  return false;
}

bool stands_in(const SubsystemWord& row, const std::string& words) {
  const std::string text(row.text);
  switch (row.match) {
    case Match::kWords:
      return has_words(words, text);
    case Match::kBegin:
      return has_begin(words, text);
    case Match::kNumber:
      return has_words(words, text) || has_number(words, text);
    case Match::kNumbered:
      return has_number(words, text);
    case Match::kFirst:
      return words.starts_with(" " + text + " ");
    case Match::kAll:
      return words == " " + text + " ";
  }
  return false;
}

// Returns what the first row tells that stands in these words.
std::optional<Subsystem> told_by(std::span<const SubsystemWord> rows, const std::string& words) {
  for (const auto& row : rows) {
    if (!stands_in(row, words)) continue;
    if (row.beside.empty() || has_one_of(words, row.beside)) return row.subsystem;
  }
  return std::nullopt;
}

std::string without_other_meanings(std::string words) {
  for (const auto phrase : subsystem_words::kOtherMeanings) {
    const std::string whole = " " + std::string(phrase) + " ";
    for (auto at = words.find(whole); at != std::string::npos; at = words.find(whole, at)) {
      words.replace(at, whole.size(), " - ");  // not nothing: the rest is not the whole name
    }
  }
  return words;
}

// Capitals are looked at last: "IOWait" is one word to those who know it.
std::optional<Subsystem> told_by_metric(std::string_view metric) {
  for (const auto& words : {spaced_words(metric), spaced_words(parted_by_case(metric))}) {
    if (const auto told = told_by(subsystem_words::kWordsOfMetrics, without_other_meanings(words)))
      return told;
  }
  return std::nullopt;
}

// A device that is not known as a network's is a disk.
std::optional<Subsystem> told_by_key(std::string_view key, std::string_view value) {
  const auto words = spaced_words(key);
  const bool device = words == " dev " || words == " device ";  // sar's is DEV
  if (!device) return told_by(subsystem_words::kWordsOfKeys, words);
  return told_by(subsystem_words::kNetworkDevices, spaced_words(value))
      .value_or(Subsystem::kStorage);
}

// Returns what the keys of "cpu=0,mode=idle" tell: of several, a GPU before all others.
std::optional<Subsystem> told_by_keys(std::string_view instance) {
  std::optional<Subsystem> out;
  while (!instance.empty()) {
    const auto part = instance.substr(0, instance.find(','));
    const auto key = part.substr(0, part.find('='));
    const auto value = part.substr(std::min(key.size() + 1, part.size()));
    const auto told = told_by_key(key, value);
    if (told && (!out || *told == Subsystem::kGpu)) out = told;
    instance.remove_prefix(std::min(part.size() + 1, instance.size()));
  }
  return out;
}

}  // namespace

// What a metric says of itself goes before where it was read: packets of a core are of the network.
// A GPU's memory is the GPU's, so its key goes before all.
Subsystem guess_subsystem(std::string_view metric, std::string_view instance) {
  const auto keys = told_by_keys(instance);
  if (keys == Subsystem::kGpu) return Subsystem::kGpu;
  if (const auto told = told_by_metric(metric)) return *told;
  return keys.value_or(Subsystem::kUnknown);
}

}  // namespace reveal::exchange

#include "publish/pod_owner.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <system_error>

namespace reveal::publish {
namespace {

namespace fs = std::filesystem;

// Five digits may be random letters: Kubernetes makes these of digits, too.
constexpr std::size_t kMostDigits = 4;
// A node has some hundreds of pods at most.
constexpr std::size_t kMostFolders = 10'000;
constexpr std::array<std::string_view, 8> kParts{"worker", "master",    "launcher", "ps",
                                                 "chief",  "evaluator", "leader",   "head"};

bool is_number(std::string_view word) {
  return !word.empty() && word.size() <= kMostDigits &&
         word.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view last_word(std::string_view name) {
  return name.substr(name.rfind('-') + 1);
}

// REQUIRES: the name has more than one word.
std::string_view without_last_word(std::string_view name) {
  return name.substr(0, name.rfind('-'));
}

bool has_words(std::string_view name) {
  const auto dash = name.rfind('-');
  return dash != std::string_view::npos && dash > 0;
}

}  // namespace

std::string owner_of_pod(std::string_view name) {
  const auto all = name;
  // Of a group of groups the name has two.
  while (has_words(name) && is_number(last_word(name))) name = without_last_word(name);
  if (name == all) return {};
  if (has_words(name) && std::ranges::find(kParts, last_word(name)) != kParts.end()) {
    name = without_last_word(name);
  }
  return std::string(name);
}

std::map<std::string, std::string> pod_owners(const fs::path& logs) {
  std::map<std::string, std::string> out;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::directory_iterator it(logs, error), end; !error && it != end; it.increment(error)) {
    if (++seen > kMostFolders) break;
    const auto folder = it->path().filename().string();
    // Names in Kubernetes have no "_".
    const auto first = folder.find('_');
    const auto last = folder.rfind('_');
    if (first == 0 || first == std::string::npos || last == first) continue;
    const auto owner = owner_of_pod(std::string_view(folder).substr(first + 1, last - first - 1));
    if (!owner.empty()) out[folder.substr(last + 1)] = folder.substr(0, first) + "/" + owner;
  }
  return out;
}

}  // namespace reveal::publish

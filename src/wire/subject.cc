#include "wire/subject.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <sys/random.h>

namespace reveal::wire {
namespace {

constexpr std::string_view kVersionWord = "rv1";
constexpr std::size_t kHostIdLength = 26;
constexpr std::size_t kLongestSite = 32;
constexpr std::string_view kBase32 = "abcdefghijklmnopqrstuvwxyz234567";

struct TypeWord {
  Type type;
  std::string_view word;
};
constexpr std::array<TypeWord, 4> kWords{{{Type::kLevels, "lvl"},
                                          {Type::kEvent, "ev"},
                                          {Type::kFacts, "fact"},
                                          {Type::kDictionary, "dict"}}};

std::string_view word_of(Type type) {
  const auto found = std::ranges::find(kWords, type, &TypeWord::type);
  return found == kWords.end() ? std::string_view() : found->word;
}

// What is over must never be in the way of what is now, so it goes elsewhere.
constexpr std::string_view kLateWord = "late";

std::vector<std::string_view> split(std::string_view subject) {
  std::vector<std::string_view> out;
  for (;;) {
    const auto dot = subject.find('.');
    out.push_back(subject.substr(0, dot));
    if (dot == std::string_view::npos) return out;
    subject.remove_prefix(dot + 1);
  }
}

std::string joined(std::string_view type, std::string_view site, std::string_view host) {
  std::string out(kVersionWord);
  for (const auto word : {type, site, host}) out.append(".").append(word);
  return out;
}

}  // namespace

bool is_site(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= kLongestSite && std::ranges::all_of(text, allowed);
}

bool is_host_id(std::string_view text) {
  return text.size() == kHostIdLength && text.find_first_not_of(kBase32) == std::string_view::npos;
}

base::Result<std::string> new_host_id() {
  std::array<std::uint8_t, kHostIdLength> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return base::fail_errno(errno, "the kernel gave no random numbers for a host id", "getrandom");
  }
  std::string out;
  for (const auto byte : random) out += kBase32[byte % kBase32.size()];
  return out;
}

std::string subject_of(const Sender& sender) {
  return joined(sender.is_late ? kLateWord : word_of(sender.type), sender.site, sender.host);
}

std::string subject_of_all(Type type, std::string_view site) {
  return joined(word_of(type), site, "*");
}

std::string subject_of_all_late() {
  return joined(kLateWord, "*", "*");
}

base::Result<Sender> sender_of(std::string_view subject) {
  const auto words = split(subject);
  if (words.size() == 4 && words[0] == kVersionWord && is_site(words[2]) && is_host_id(words[3])) {
    const auto type = std::ranges::find(kWords, words[1], &TypeWord::word);
    if (type != kWords.end()) {
      return Sender{std::string(words[2]), std::string(words[3]), type->type};
    }
    if (words[1] == kLateWord) {
      return Sender{std::string(words[2]), std::string(words[3]), Type::kLevels, true};
    }
  }
  return base::fail(base::ErrorKind::kCorrupt, "not the subject of a host's messages",
                    std::string(subject));
}

}  // namespace reveal::wire

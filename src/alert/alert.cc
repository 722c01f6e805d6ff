#include "alert/alert.h"

#include <array>

namespace reveal::alert {
namespace {

constexpr std::array<std::string_view, 3> kWords = {"info", "warning", "critical"};

// 64-bit FNV-1a: its offset basis and its prime (RFC 9923).
constexpr std::uint64_t kFnvBasis = 0xcbf29ce484222325U;
constexpr std::uint64_t kFnvPrime = 0x100000001b3U;
// No byte of UTF-8, so no text contains it.
constexpr char kSeparator = '\xff';

std::uint64_t hashed(std::uint64_t hash, std::string_view text) {
  for (const char byte : text) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= kFnvPrime;
  }
  return hash;
}

}  // namespace

std::string_view to_string(Severity severity) {
  return kWords.at(static_cast<std::size_t>(severity));
}

std::optional<Severity> severity_from(std::string_view word) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (kWords.at(i) == word) return static_cast<Severity>(i);
  }
  return std::nullopt;
}

Severity severity_of(const Labels& labels) {
  const auto found = labels.find(kSeverityLabel);
  if (found == labels.end()) return Severity::kWarning;
  return severity_from(found->second).value_or(Severity::kWarning);
}

std::string identity_of(const Labels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    if (name == kSeverityLabel) continue;
    out += name;
    out += kSeparator;
    out += value;
    out += kSeparator;
  }
  return out;
}

std::uint64_t fingerprint(const Labels& labels) {
  const std::string_view separator(&kSeparator, 1);
  std::uint64_t out = kFnvBasis;
  for (const auto& [name, value] : labels) {
    out = hashed(hashed(out, name), separator);
    out = hashed(hashed(out, value), separator);
  }
  return out;
}

Labels with_labels(Labels labels, const Labels& more) {
  labels.insert(more.begin(), more.end());
  return labels;
}

}  // namespace reveal::alert

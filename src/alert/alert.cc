#include "alert/alert.h"

#include <array>

#include "base/fnv.h"

namespace reveal::alert {
namespace {

constexpr std::array<std::string_view, 3> kWords = {"info", "warning", "critical"};

// No byte of UTF-8, so no text contains it.
constexpr char kSeparator = '\xff';

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
  std::uint64_t out = base::kFnvBasis;
  for (const auto& [name, value] : labels) {
    out = base::fnv1a(separator, base::fnv1a(name, out));
    out = base::fnv1a(separator, base::fnv1a(value, out));
  }
  return out;
}

Labels with_labels(Labels labels, const Labels& more) {
  labels.insert(more.begin(), more.end());
  return labels;
}

}  // namespace reveal::alert

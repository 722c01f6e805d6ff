// What somebody is to be told of: a state that began, and that may have ended. Plain values, so
// that anything can raise an alert; this module knows nothing of findings.
//
// An alert is who it is by its labels, all but "severity". A severity may rise while an alert is
// open, and it is the same alert. What changes while it lasts (numbers, jobs, ids) belongs into
// annotations. If the labels of one id change nevertheless, those that were told first hold: to
// receivers another label is another alert.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace reveal::alert {

// Names and values. Sorted, because the order counts for identity and for fingerprints.
using Labels = std::map<std::string, std::string>;

// The label whose value is a severity.
inline constexpr const char* kSeverityLabel = "severity";

// Ascending.
enum class Severity : std::uint8_t { kInfo, kWarning, kCritical };

struct Alert {
  // The caller's name for what it is made of, such as a finding's; may be empty. It is unique among
  // all that the caller ever states.
  std::string id;
  Labels labels;                       // its identity, with "severity": info, warning or critical
  Labels annotations;                  // text for people
  std::int64_t begin_ns = 0;           // wall time
  std::optional<std::int64_t> end_ns;  // wall time; none while it is open
  std::string finding;  // a JSON object as text for receivers of events; may be empty
  std::string url;      // where more is to be seen; may be empty
  // What receivers of events know it by, from whichever program; if empty, they know it by its
  // labels and when this program first saw it.
  std::string episode{};
  // Another program has told the receivers of events that it is open.
  bool is_known = false;
};

// Returns "info", "warning" or "critical".
std::string_view to_string(Severity severity);

// Returns the severity of that name, if there is one.
std::optional<Severity> severity_from(std::string_view word);

// Returns the severity that the labels state. Without a known word it is kWarning, so that nobody's
// alert is lost for a word.
Severity severity_of(const Labels& labels);

// Returns a text that two alerts share if and only if their labels, all but the severity, are
// equal.
std::string identity_of(const Labels& labels);

// Returns the fingerprint that Alertmanager gives to these labels (64-bit FNV-1a of names and
// values).
std::uint64_t fingerprint(const Labels& labels);

// Returns `labels` with those of `more` that they do not have.
Labels with_labels(Labels labels, const Labels& more);

}  // namespace reveal::alert

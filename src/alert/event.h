// What receivers are told: an event (a webhook, a command and the journal get each one once) or a
// posting (Alertmanager gets the present state again and again).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "alert/alert.h"

namespace reveal::alert {

enum class EventKind : std::uint8_t {
  kOpen,
  kUpdate,  // its severity rose
  kClose,
};

// Returns "open", "update" or "close".
std::string_view to_string(EventKind kind);

struct Event {
  std::string id;       // the same however often it is sent, another for each other event
  std::string episode;  // the same from open to close
  EventKind kind = EventKind::kOpen;
  Alert alert;                          // with an end only if kind is kClose
  std::optional<Severity> told_before;  // with which severity the receiver was told of it last
  std::int64_t at_ns = 0;               // when it happened
};

struct Posting {
  std::string episode;
  Labels labels;
  Labels annotations;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;  // in the future while it fires
  std::string url;
  Severity severity = Severity::kInfo;
  bool resolved = false;
  bool former = false;  // of a severity that was left for a higher one
};

}  // namespace reveal::alert

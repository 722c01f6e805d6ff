#include "alert/event.h"

namespace reveal::alert {

std::string_view to_string(EventKind kind) {
  switch (kind) {
    case EventKind::kOpen:
      return "open";
    case EventKind::kUpdate:
      return "update";
    case EventKind::kClose:
      return "close";
  }
  return "";
}

}  // namespace reveal::alert

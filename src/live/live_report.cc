#include "live/live_report.h"

#include <memory>

namespace reveal::live {

report::Report report_of(const History& history) {
  report::Report out;
  out.facts.host = history.host;
  out.begin_ns = history.begin_ns;
  out.end_ns = history.end_ns;
  out.length_ns = history.end_ns - history.begin_ns;
  out.findings = history.findings;
  out.is_numbered = false;  // they come and go, and are known by other names
  out.jobs = history.jobs;
  if (history.notes != nullptr) out.notes = *history.notes;
  // Names alone: a copy of a thousand channels each second would cost more than the verdict.
  out.channel_table = {std::shared_ptr<const void>(), history.channels};
  for (std::size_t i = 0; i < history.channels->channel_count(); ++i) {
    out.moves_with.emplace_back(i);
  }
  return out;
}

}  // namespace reveal::live

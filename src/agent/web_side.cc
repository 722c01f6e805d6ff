#include "agent/web_side.h"

#include <csignal>
#include <ctime>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "agent/configuration.h"
#include "agent/evidence_archive.h"
#include "agent/explained.h"
#include "agent/log.h"
#include "agent/series.h"
#include "collect/tick_clock.h"
#include "page/assets.h"
#include "text/safe_text.h"

namespace reveal::agent {
namespace {

Priority priority_of(service::Weight weight) {
  switch (weight) {
    case service::Weight::kError:
      return Priority::kError;
    case service::Weight::kWarning:
      return Priority::kWarning;
    case service::Weight::kNotice:
      return Priority::kNotice;
    case service::Weight::kInfo:
      break;
  }
  return Priority::kInfo;
}

}  // namespace

WebSide::WebSide(const settings::WebSettings& settings, const std::string& host,
                 const AgentOptions& agent, const RecordedMetrics& recorded, MarkDesk& marks,
                 Pins& pins)
    : recorded_(recorded),
      marks_(marks),
      pins_(pins),
      config_file_(agent.config_file),
      findings_(agent.paths.findings()),
      recording_(agent.paths.recording()),
      with_documents_(agent.with_documents),
      fleet_site_(board_, callbacks(), {}) {
  const serve::PageFiles files{.script = page::live_script(), .style = page::live_style()};
  servers_.emplace(
      settings, host,
      [&] { return std::make_unique<serve::AgentSite>(board_, callbacks(), files); },
      [](service::Weight weight, std::string_view line) { log(priority_of(weight), line); });
}

serve::Callbacks WebSide::callbacks() {
  serve::Callbacks out;
  // The first process reads it, and starts this one anew.
  out.reload = [this](const std::string&, const http::Caller&) -> base::Result<std::string> {
    if (const auto sound = sound_file(config_file_); !sound) return base::pass(sound);
    ::kill(::getppid(), SIGHUP);
    return "the configuration is sound, and is read anew";
  };
  out.mark = [this](const std::string& text, const http::Caller&) {
    return marks_.take(text, collect::clock_ns(CLOCK_REALTIME), collect::clock_ns(CLOCK_MONOTONIC));
  };
  out.pin = [this](const std::string& text, const http::Caller&) {
    return pins_.begin_last(text.empty() ? kUsualPin : text, collect::clock_ns(CLOCK_REALTIME));
  };
  out.evidence = [this](const std::string& id) { return evidence_archive(findings_, id); };
  out.explanation = [this](const std::string& id) { return explanation(id); };
  out.recorded = [this](http::Exposition format) { return recorded_.text(format); };
  out.series = [this](const serve::SeriesQuery& query) { return series(query); };
  return out;
}

// As the command prints it.
base::Result<std::string> WebSide::explanation(const std::string& id) const {
  const auto text = explained(findings_, id);
  if (!text) return base::pass(text);
  return std::string(text::SafeText(with_documents_ ? with_documents_(*text) : *text).view());
}

// One at a time of all servers: the host has other work.
base::Result<std::string> WebSide::series(const serve::SeriesQuery& query) {
  const std::unique_lock lock(series_mutex_, std::try_to_lock);
  if (lock.owns_lock()) return series_json(recording_, query);
  return base::fail(base::ErrorKind::kBusy, "another series is being read");
}

}  // namespace reveal::agent

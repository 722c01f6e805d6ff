#include "agent/web_side.h"

#include <csignal>
#include <ctime>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "agent/configuration.h"
#include "agent/evidence_archive.h"
#include "agent/log.h"
#include "agent/series.h"
#include "collect/tick_clock.h"
#include "page/assets.h"

namespace reveal::agent {
namespace {

constexpr std::string_view kUnix = "unix:";

// systemd makes it (RuntimeDirectory=); without systemd nobody does.
void make_folder(const std::string& address) {
  if (!address.starts_with(kUnix)) return;
  std::error_code ignored;
  std::filesystem::create_directories(
      std::filesystem::path(address.substr(kUnix.size())).parent_path(), ignored);
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
      recording_(agent.paths.recording()) {
  auto guard = open_guard(settings);
  if (guard) {
    guard_ = std::move(*guard);
  } else {
    guard_trouble_ = guard.error().message();
    log(Priority::kError, "only unix sockets are served: " + guard_trouble_);
  }
  for (const auto& address : settings.listen) {
    if (guard_trouble_.empty() || address.starts_with(kUnix)) open(address, settings, host);
  }
}

void WebSide::open(const std::string& address, const settings::WebSettings& settings,
                   const std::string& host) {
  make_folder(address);
  http::ServeOptions options;
  options.listen = {address};
  options.insecure = settings.insecure;
  options.tls = guard_.tls;
  options.gate = guard_.gate;
  options.names = settings.names;
  options.names.push_back(host);
  sites_.push_back(std::make_unique<serve::AgentSite>(
      board_, callbacks(),
      serve::PageFiles{.script = page::live_script(), .style = page::live_style()}));
  auto server = http::Server::start(std::move(options), *sites_.back());
  if (!server) return log(Priority::kWarning, server.error().message());
  for (const auto& at : (*server)->addresses()) log(Priority::kInfo, "answers at " + at);
  servers_.push_back(std::move(*server));
}

void WebSide::keep_trouble(const base::Result<bool>& outcome, const char* what,
                           std::string& trouble) {
  if (!outcome) {
    trouble = fmt::format("the older {} hold: {}", what, outcome.error().message());
    log(Priority::kError, trouble);
  } else if (*outcome) {
    trouble.clear();
    log(Priority::kNotice, fmt::format("the {} are read anew", what));
  }
}

void WebSide::refresh() {
  if (guard_.tls) keep_trouble(guard_.tls->refresh(), "certificates", tls_trouble_);
  if (guard_.gate) keep_trouble(guard_.gate->refresh(), "users and tokens", gate_trouble_);
}

std::string WebSide::trouble() const {
  if (!guard_trouble_.empty()) return guard_trouble_;
  return tls_trouble_.empty() ? gate_trouble_ : tls_trouble_;
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
  out.recorded = [this](http::Exposition format) { return recorded_.text(format); };
  out.series = [this](const serve::SeriesQuery& query) { return series(query); };
  return out;
}

// One at a time of all servers: the host has other work.
base::Result<std::string> WebSide::series(const serve::SeriesQuery& query) {
  const std::unique_lock lock(series_mutex_, std::try_to_lock);
  if (lock.owns_lock()) return series_json(recording_, query);
  return base::fail(base::ErrorKind::kBusy, "another series is being read");
}

}  // namespace reveal::agent

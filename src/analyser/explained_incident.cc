#include "analyser/explained_incident.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "http/target.h"
#include "relay/asked_host.h"

namespace reveal::analyser {
namespace {

using base::ErrorKind;
using peers::Incident;
using peers::SlowHost;

constexpr int kOk = 200;

std::string called(const SlowHost& host) {
  return peers::on_one_line(host.name);
}

// Returns the names of its hosts, of those with a finding alone if so wanted.
std::string names_of(const Incident& incident, bool with_finding) {
  std::string out;
  for (const auto& one : incident.hosts) {
    if (with_finding && one.finding.empty()) continue;
    out += (out.empty() ? "" : ", ") + called(one);
  }
  return out;
}

base::Unexpected has_no_finding(const Incident& incident, const SlowHost& host) {
  const auto others = names_of(incident, true);
  return base::fail(
      ErrorKind::kTooLittle,
      fmt::format("{} has no finding of its own in this incident: it is known by its peers alone",
                  called(host)),
      incident.id,
      others.empty() ? "the incident's sentence has all that is known"
                     : fmt::format("of its hosts these have one: {} (--host)", others));
}

}  // namespace

base::Result<const SlowHost*> host_to_ask(const Incident& incident, const std::string& host) {
  if (incident.is_of_all) {
    return base::fail(ErrorKind::kTooLittle,
                      "the incident is of all hosts of its group: no host has a finding of it",
                      incident.id, "the incident's sentence has all that is known");
  }
  const SlowHost* found = incident.main_host();
  if (!host.empty()) {
    const auto at = std::ranges::find_if(
        incident.hosts, [&](const SlowHost& one) { return one.id == host || one.name == host; });
    found = at == incident.hosts.end() ? nullptr : &*at;
  }
  if (found == nullptr) {
    return base::fail(ErrorKind::kUsage, fmt::format("the incident has no host {}", host),
                      incident.id, "its hosts are " + names_of(incident, false));
  }
  if (found->finding.empty()) return has_no_finding(incident, *found);
  return found;
}

base::Result<std::string> explained_incident(const Incident& incident, const std::string& host,
                                             bus::Requester& requester) {
  const auto asked = host_to_ask(incident, host);
  if (!asked) return base::pass(asked);
  const auto target =
      fmt::format("/api/v1/findings/{}/explanation", http::encoded((*asked)->finding));
  auto answer = relay::ask_host(requester, (*asked)->id, {.target = target, .last_event = {}});
  if (!answer) {
    auto error = answer.error();
    error.where = called(**asked) + (error.where.empty() ? "" : " (" + error.where + ")");
    return base::Unexpected(std::move(error));
  }
  if (answer->status == kOk) return std::move(answer->body);
  return base::fail(ErrorKind::kAbsent, "the host says: " + relay::error_text(*answer),
                    called(**asked));
}

}  // namespace reveal::analyser

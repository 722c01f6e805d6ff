// reveal explain: how a finding came about, from the raw samples to the sentence. A finding of a
// recording is found anew; one that an agent kept is told from its folder; that of an incident's
// host is asked of the host.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "agent/explained.h"
#include "agent/finding_id.h"
#include "agent/kept_finding.h"
#include "agent/paths.h"
#include "analyser/explained_incident.h"
#include "bus/nats_requester.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "ledger/known_incident.h"
#include "peers/incident.h"
#include "replay/explained.h"
#include "service/broker.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

using base::Result;

constexpr std::size_t kMaxFindings = 1'000'000;
constexpr const char* kUsualBroker = "nats://127.0.0.1:4222";

struct ExplainArguments {
  std::string what;
  std::optional<std::size_t> finding;
  std::string database;
  std::string host;
  SettingOptions settings;
};

Result<std::string> explain_recorded(const ExplainArguments& options) {
  auto config = options.settings.config();
  if (!config) return base::pass(config);
  auto out = replay::explained(options.what, std::move(*config), options.finding.value_or(1) - 1);
  if (!out) return base::pass(out);
  tell_damage(out->damage);
  return std::move(out->text);
}

// Returns the folder of a finding that is meant; nothing if it is a recording.
Result<std::optional<std::filesystem::path>> kept_folder(const ExplainArguments& options) {
  using Folder = std::optional<std::filesystem::path>;
  std::error_code ignored;
  const bool is_there = std::filesystem::exists(options.what, ignored);
  if (is_there && agent::is_finding_folder(options.what)) return Folder(options.what);
  if (is_there || !agent::is_finding_id(options.what)) return Folder();
  const auto settings = options.settings.settings();
  if (!settings) return base::pass(settings);
  const auto findings = agent::Paths{settings->agent.directory}.findings();
  return agent::find_folder(findings, options.what).map([](const auto& folder) {
    return Folder(folder);
  });
}

Result<std::string> explain_here(const ExplainArguments& options) {
  const auto folder = kept_folder(options);
  if (!folder) return base::pass(folder);
  if (!*folder) return explain_recorded(options).map(with_documents);
  if (!options.finding) return agent::explained(**folder).map(with_documents);
  return base::fail(base::ErrorKind::kUsage, "this is one finding, which has no number",
                    (*folder)->string(), "leave out FINDING");
}

// Returns whether an incident is meant: with --db, or by an id that is the name of no folder.
bool is_incident(const ExplainArguments& options) {
  if (!options.database.empty()) return true;
  std::error_code ignored;
  return !options.finding && peers::is_incident_id(options.what) &&
         !std::filesystem::exists(options.what, ignored);
}

Result<std::string> explain_incident(const ExplainArguments& options) {
  const auto settings = options.settings.settings();
  if (!settings) return base::pass(settings);
  const auto& where = options.database.empty() ? settings->analyser.database : options.database;
  if (where.empty()) {
    return base::fail(base::ErrorKind::kUsage, "an incident is in the database of an analyser",
                      options.what, "name it: --db DB, or database in [analyser] of reveal.toml");
  }
  const auto database = ledger::open_database(where, ledger::Access::kRead);
  if (!database) return base::pass(database);
  const auto incident = ledger::known_incident(**database, options.what);
  if (!incident) return base::pass(incident);
  auto fleet = settings->fleet;
  if (fleet.servers.empty()) fleet.servers = {kUsualBroker};
  const auto requester = bus::NatsRequester::make(service::broker_options(fleet, "reveal explain"));
  if (!requester) return base::pass(requester);
  return analyser::explained_incident(*incident, options.host, **requester);
}

int print_explanation(const ExplainArguments& options) {
  const auto text = is_incident(options) ? explain_incident(options) : explain_here(options);
  if (!text) return complain(text.error());
  const auto done = text::print(text::SafeText(*text));
  return done ? kDone : complain(done.error());
}

}  // namespace

Action declare_explain(OptionSet& set) {
  auto options = std::make_shared<ExplainArguments>();
  set.value("DIR", options->what,
            "directory of the recording; or of a finding that an agent kept, or its name; or the "
            "id of "
            "an incident")
      .required();
  auto& number = set.number("FINDING", options->finding, 1, kMaxFindings,
                            "number of the finding in the report of the recording (default: 1)");
  set.value("--db", options->database,
            "the analyser's (default: that of [analyser] in reveal.toml): an incident is explained "
            "by what its host's own agent found, asked of that host through the broker")
      .placeholder("DB")
      .excludes(number);
  set.value("--host", options->host,
            "name or id of the incident's host (default: the one that it is about)")
      .placeholder("HOST");
  for (const auto* section : {"analysis", "agent", "fleet", "fleet.tls"}) {
    options->settings.declare(set, section);
  }
  return [options](const Invocation&) { return print_explanation(*options); };
}

}  // namespace reveal::cli

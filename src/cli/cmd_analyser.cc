// reveal analyser: watches a whole fleet by the messages of its agents.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "agent/fleet_options.h"
#include "analyser/analyser.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "peers/json.h"
#include "settings/settings.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct AnalyserArguments {
  std::string servers = "nats://127.0.0.1:4222";
  settings::FleetSettings broker;  // of which it is how to reach it
  std::string database;
  unsigned epoch = 1;
  unsigned replicas = 1;
  unsigned keep_days = 365;
  bool makes_streams = false;
  bool json = false;
  settings::WebSettings web = analyser::serves_nobody();

  analyser::AnalyserOptions analyser() const {
    auto fleet = broker;
    fleet.servers = {servers};
    return {.broker = agent::broker_options(fleet, "reveal analyser"),
            .epoch = epoch,
            .replicas = replicas,
            .makes_streams = makes_streams,
            .database = database,
            .keep_days = keep_days,
            .web = web};
  }
};

base::Result<void> print_news(const peers::News& news, bool as_json) {
  if (as_json) return text::print_data(peers::json_of(news) + "\n");
  const auto line = fmt::format("{:<7}  {}  {}\n", to_string(news.told), news.incident.id,
                                peers::sentence(news.incident));
  return text::print(text::SafeText(line));
}

int run(const AnalyserArguments& options) {
  const analyser::AnalyserOutput output{
      .incident = [&](const peers::News& news) { return print_news(news, options.json); },
      .notice = [](std::string_view line) { text::tell(line); }};
  const auto done = analyser::run_analyser(options.analyser(), output);
  return done ? kDone : complain(done.error());
}

void declare_broker(OptionSet& set, AnalyserArguments& options) {
  set.heading("Broker");
  set.value("--servers", options.servers,
            "where the broker is: nats://HOST:PORT or tls://HOST:PORT, several with commas between")
      .placeholder("URL");
  set.value("--user", options.broker.user, "who this is, by a password").placeholder("NAME");
  set.value("--password-file", options.broker.password_file, "its password").placeholder("FILE");
  set.value("--nkey", options.broker.nkey, "who this is, by an nkey").placeholder("KEY");
  set.value("--nkey-seed-file", options.broker.nkey_seed_file, "its seed").placeholder("FILE");
  set.value("--credentials-file", options.broker.credentials_file,
            "who this is, by a JWT with its nkey")
      .placeholder("FILE");
  set.value("--ca-file", options.broker.tls.ca_file,
            "whom to trust instead of the system's authorities")
      .placeholder("FILE");
  set.value("--server-name", options.broker.tls.server_name,
            "the name that the broker's certificate must have, if it is not that of the URL")
      .placeholder("NAME");
  set.number("--epoch", options.epoch, 1, 1'000'000, "the number behind the streams' names");
  set.flag("--make-streams", options.makes_streams,
           "make the streams that the broker does not have, and change those that are other");
  set.number("--replicas", options.replicas, 1, 5,
             "of these streams: 1 with one broker, 3 with three or more");
}

}  // namespace

Action declare_analyser(OptionSet& set) {
  auto options = std::make_shared<AnalyserArguments>();
  set.value("--db", options->database,
            "what keeps hosts, facts, findings and incidents: a file of SQLite, or a database of "
            "PostgreSQL as postgresql://USER@HOST/DATABASE")
      .placeholder("DB");
  set.number("--keep-days", options->keep_days, 0, 36'500,
             "remove from --db what ended so many days ago; 0: nothing");
  set.flag("--json", options->json, "print each incident as one line of JSON");
  set.value("--listen", options->web.listen,
            "serve the fleet's page at HOST:PORT or unix:PATH; may be given several times")
      .placeholder("ADDRESS");
  declare_broker(set, *options);
  return [options](const Invocation&) { return run(*options); };
}

}  // namespace reveal::cli

// reveal analyser: watches a whole fleet by the messages of its agents.
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "analyser/analyser.h"
#include "analyser/configuration.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "fleet_site/metrics.h"
#include "peers/json.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct AnalyserArguments {
  SettingOptions settings;
  bool makes_streams = false;
  bool json = false;
  bool check = false;
  bool metrics = false;
};

base::Result<void> print_news(const peers::News& news, bool as_json) {
  if (as_json) return text::print_data(peers::json_of(news) + "\n");
  const auto line = fmt::format("{:<7}  {}  {}\n", to_string(news.told), news.incident.id,
                                peers::sentence(news.incident));
  return text::print(text::SafeText(line));
}

base::Result<void> run_given(const AnalyserArguments& options, const settings::Given& given) {
  if (options.check) {
    if (auto sound = analyser::check_with_files(given); !sound) return sound;
    text::tell("the configuration is sound");
    return {};
  }
  const auto sound = analyser::options_of(given);
  if (!sound) return base::pass(sound);
  const analyser::AnalyserOutput output{
      .incident = [&](const peers::News& news) { return print_news(news, options.json); },
      .notice = [](std::string_view line) { text::tell(line); }};
  return analyser::run_analyser(*sound, output);
}

int run(AnalyserArguments& options) {
  if (options.metrics) {
    const auto told = text::print_data(fleet_site::analyser_metrics_page());
    return told ? kDone : complain(told.error());
  }
  if (options.makes_streams) (void)options.settings.give("analyser", "make_streams", "on");
  const auto given = options.settings.given();
  if (!given) return complain(given.error());
  const auto done = run_given(options, *given);
  return done ? kDone : complain(done.error());
}

}  // namespace

Action declare_analyser(OptionSet& set) {
  auto options = std::make_shared<AnalyserArguments>();
  for (const auto* section : {"analyser", "fleet", "fleet.tls"}) {
    options->settings.declare(set, section);
  }
  set.flag("--make-streams", options->makes_streams,
           "make the streams that the broker does not have, and change those that are other");
  set.flag("--check-config", options->check, "say whether the configuration is sound, and end");
  set.flag("--json", options->json, "print each incident as one line of JSON");
  set.flag("--metrics", options->metrics, "print what /metrics has, in Markdown, and end");
  return [options](const Invocation&) { return run(*options); };
}

}  // namespace reveal::cli

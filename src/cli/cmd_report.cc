// reveal report: the page of what analyses found, from their report.json and the recordings; or
// what an agent or an analyser saw in a stretch of time.
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/look_back.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/page_output.h"
#include "collect/tick_clock.h"
#include "digest/digest_text.h"
#include "ledger/fleet_report.h"
#include "page/browser.h"
#include "text/local_day.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

constexpr const char* kWeek = "168h";

struct ReportArguments {
  std::vector<std::string> directories;
  std::string output;
  bool open = false;
  std::string fleet;
  std::optional<std::string> since;
  std::optional<std::string> until;
  bool json = false;
  SettingOptions settings;
};

std::filesystem::path output_of(const ReportArguments& options) {
  if (!options.output.empty()) return options.output;
  const std::filesystem::path name = "report.html";
  return options.directories.size() == 1 ? std::filesystem::path(options.directories.front()) / name
                                         : name;
}

base::Result<void> write_report(const ReportArguments& options) {
  std::vector<PageSource> sources;
  for (const std::filesystem::path directory : options.directories) {
    sources.push_back({directory / "report.json", directory});
  }
  const auto output = output_of(options);
  if (auto done = render_page(sources, output, TellDamage::kYes); !done) return done;
  if (options.open) return page::open_in_browser(output);
  return {};
}

// Returns the time that an option's text means at `now_ns`.
base::Result<std::int64_t> when(const char* option, const std::string& text, std::int64_t now_ns) {
  auto out = text::parse_when(text, now_ns);
  if (!out) {
    auto error = out.error();
    error.where = std::string(option) + " " + text;
    return base::Unexpected(std::move(error));
  }
  return out;
}

struct Stretch {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::int64_t now_ns = 0;
};

base::Result<Stretch> stretch_of(const ReportArguments& options) {
  const auto now_ns = collect::clock_ns(CLOCK_REALTIME);
  const auto from_ns = when("--since", options.since.value_or(kWeek), now_ns);
  if (!from_ns) return base::pass(from_ns);
  const auto to_ns = when("--until", options.until.value_or("now"), now_ns);
  if (!to_ns) return base::pass(to_ns);
  return Stretch{*from_ns, *to_ns, now_ns};
}

base::Result<void> print_look_back(const ReportArguments& options) {
  const auto stretch = stretch_of(options);
  if (!stretch) return base::pass(stretch);
  const auto settings = options.settings.settings();
  if (!settings) return base::pass(settings);
  const auto digest = agent::look_back(
      {settings->agent.directory},
      {.from_ns = stretch->from_ns, .to_ns = stretch->to_ns, .now_ns = stretch->now_ns});
  if (!digest) return base::pass(digest);
  if (options.json) return text::print_data(digest::to_json(*digest));
  return text::print(text::SafeText(digest::to_text(*digest)));
}

base::Result<void> print_fleet(const ReportArguments& options) {
  const auto stretch = stretch_of(options);
  if (!stretch) return base::pass(stretch);
  const auto report = ledger::read_fleet_report(options.fleet, stretch->from_ns, stretch->to_ns);
  if (!report) return base::pass(report);
  if (options.json) return text::print_data(ledger::to_json(*report));
  return text::print(text::SafeText(ledger::to_text(*report)));
}

base::Result<void> write_or_print(const ReportArguments& options) {
  const bool looks_back = options.since || !options.fleet.empty();
  if (looks_back && !options.directories.empty()) {
    return base::fail(
        base::ErrorKind::kUsage,
        "--since and --fleet are about an agent or an analyser, and take no recordings",
        options.directories.front(), "name the agent's folder with --directory");
  }
  if (!options.fleet.empty()) return print_fleet(options);
  if (options.since) return print_look_back(options);
  if (options.until || options.json) {
    return base::fail(base::ErrorKind::kUsage, "--until and --json are for --since and --fleet", {},
                      "say since when, as in reveal report --since yesterday");
  }
  if (!options.directories.empty()) return write_report(options);
  return base::fail(base::ErrorKind::kUsage, "DIR is required", {},
                    "name analyzed recordings, or --since for what an agent saw");
}

}  // namespace

Action declare_report(OptionSet& set) {
  auto options = std::make_shared<ReportArguments>();
  set.value("DIR", options->directories, "directories of analyzed recordings, one for each host");
  auto& output =
      set.value("-o,--output", options->output,
                "file of the page (default: DIR/report.html; for several hosts ./report.html)")
          .placeholder("FILE");
  auto& open = set.flag("--open", options->open, "then open it in the browser (xdg-open)");
  set.value("--fleet", options->fleet,
            "print what an analyser kept in its --db: hosts that were slow, and what it cost")
      .placeholder("DB")
      .excludes(output)
      .excludes(open);
  set.value("--since", options->since,
            "print what this host's agent saw since then: yesterday, today, 24h, 2026-11-24, or a "
            "date with a time; with --fleet: 168h if it is not given")
      .placeholder("TIME")
      .suggests("yesterday, today, 24h")
      .excludes(output)
      .excludes(open);
  set.value("--until", options->until, "and until then (default: now)")
      .placeholder("TIME")
      .suggests("today, yesterday");
  set.flag("--json", options->json, "print that as JSON");
  options->settings.declare(set, "agent");
  return [options](const Invocation&) {
    const auto done = write_or_print(*options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli

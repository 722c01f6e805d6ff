#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "attribute/severity.h"
#include "cli/analyze.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "cli/report_format.h"
#include "report/cost.h"
#include "report/finding_fields.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

int print_fields() {
  const auto done = text::print_data(report::findings_page());
  return done ? kDone : complain(done.error());
}

bool has_finding(const report::Report& report, std::string_view severity) {
  for (const auto& finding : report.findings) {
    if (attribute::reaches(attribute::seconds_of(finding.severity), severity)) return true;
  }
  return false;
}

}  // namespace

int analyze(const AnalyzeOptions& options, const Invocation& invocation) {
  if (options.fields) return print_fields();
  if (options.directory.empty()) {
    return complain({base::ErrorKind::kUsage, "is required", "DIR", "reveal analyze --help"});
  }
  const auto format = report_format(options.json ? "json" : options.format);
  if (!format) return complain(format.error());
  auto config = options.analysis.config();
  if (!config) return complain(config.error());
  if (auto able = options.page.check(); !able) return complain(able.error());
  config->most_values = pipeline::kMostValues;
  const auto pipeline = replayed(options.directory, std::move(*config));
  if (!pipeline) return complain(pipeline.error());
  auto result = (*pipeline)->analyze();
  if (!result) return complain(result.error());
  result->cost = report::cost_since(invocation.started);
  const auto& output = options.output.empty() ? options.directory : options.output;
  const auto done = publish(
      *result, (*pipeline)->plan(), output,
      [&] {
        return (*format)->print({*result, **pipeline}, zone_of(options.local));
      },
      [&] { return options.page.write(output, options.directory); });
  if (!done) return complain(done.error());
  return !options.fail_on.empty() && has_finding(*result, options.fail_on) ? kFound : kDone;
}

void AnalyzeOptions::declare(OptionSet& set) {
  format = report_formats().front().name;
  set.value("DIR", directory, "directory of the recording");
  set.value("-o,--output", output,
            "existing directory for report.json, report.html and selection.json (default: DIR)")
      .placeholder("DIR");
  auto& named = set.value("--format", format, report_formats_help())
                    .placeholder("NAME")
                    .suggests(report_format_names());
  set.flag("--json", json, "short for --format json").excludes(named);
  set.flag("--fields", fields, "print the fields of a finding, in Markdown, and end");
  set.value("--fail-on", fail_on,
            "end with status 4 if a finding is at least this severe: minor, moderate or major")
      .placeholder("WORD")
      .choices({"minor", "moderate", "major"});
  set.flag("--local", local, kLocalHelp);
  page.declare(set);
  analysis.declare(set, "analysis");
}

Action declare_analyze(OptionSet& set) {
  auto options = std::make_shared<AnalyzeOptions>();
  options->declare(set);
  return [options](const Invocation& invocation) { return analyze(*options, invocation); };
}

}  // namespace reveal::cli

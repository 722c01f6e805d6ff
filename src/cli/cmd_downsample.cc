#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "retention/age_clock.h"
#include "retention/downsampling.h"
#include "retention/finding_spans.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

namespace fs = std::filesystem;

struct DownsampleArguments {
  std::string directory;
  SettingOptions settings;
  std::vector<std::string> reports;
  bool quiet = false;
  bool trust_clock = false;
};

base::Result<retention::RetentionAges> ages_of(const DownsampleArguments& options) {
  const auto settings = options.settings.settings();
  if (!settings) return base::pass(settings);
  const auto& ages = settings->retention;
  if (ages.full_ns < ages.second_ns && ages.second_ns < ages.minute_ns) {
    return retention::RetentionAges{ages.full_ns, ages.second_ns, ages.minute_ns, ages.max_bytes};
  }
  std::string where;
  for (const auto& row : settings::settings_of("retention").first(3)) {
    where += fmt::format("{}{} {}", where.empty() ? "" : " ", row.flag,
                         settings::text_of(row, *settings));
  }
  return base::fail(base::ErrorKind::kUsage, "each age must be longer than the one before", where,
                    "give ages that rise, such as 24h, 7d and 90d");
}

// Without --report the recording's own one counts, if there is one.
std::vector<fs::path> reports_of(const DownsampleArguments& options) {
  if (!options.reports.empty()) return {options.reports.begin(), options.reports.end()};
  const fs::path own = fs::path(options.directory) / "report.json";
  if (fs::exists(own)) return {own};
  return {};
}

std::string count_text(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string step_text(const retention::DownsampleStep& step) {
  const std::string what = count_text(step.segments, "segment") + " of " + step.from.string();
  if (step.to.empty()) return "removed " + what;
  return fmt::format("moved {} to {}, as {}", what, step.to.string(),
                     count_text(step.frames_added, "frame"));
}

void tell_result(const retention::DownsampleResult& result, const DownsampleArguments& options) {
  for (const retention::DownsampleStep& step : result.steps) {
    if (!options.quiet) text::tell(step_text(step));
    if (step.damaged_places == 0) continue;
    text::tell(fmt::format("{} of {} could not be read and are lost",
                           count_text(step.damaged_places, "place"), step.from.string()));
  }
  if (!result.too_large.empty()) text::tell(result.too_large);
  if (options.quiet) return;
  if (result.evidence_frames > 0) {
    text::tell(fmt::format("kept {} around findings in {}",
                           count_text(result.evidence_frames, "frame"),
                           (fs::path(options.directory) / "evidence").string()));
  }
  if (result.steps.empty()) text::tell("nothing is old enough yet in " + options.directory);
}

int run_downsample(const DownsampleArguments& options) {
  const auto ages = ages_of(options);
  if (!ages) return complain(ages.error());
  auto spans = retention::load_finding_spans(reports_of(options));
  if (!spans) return complain(spans.error());
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t now_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  retention::DownsampleOptions downsampling{options.directory, *ages, now_ns, std::move(*spans)};
  if (!options.trust_clock) {
    const auto newest = retention::newest_frame(options.directory);
    if (!newest) return complain(newest.error());
    const auto remark = *newest ? retention::count_from(**newest, downsampling) : std::nullopt;
    if (remark && !options.quiet) text::tell(*remark);
  }
  const auto result = retention::downsample(downsampling);
  if (!result) return complain(result.error());
  tell_result(*result, options);
  return kDone;
}

}  // namespace

Action declare_downsample(OptionSet& set) {
  auto options = std::make_shared<DownsampleArguments>();
  set.value("DIR", options->directory, "directory of the recording; it may be growing").required();
  options->settings.declare(set, "retention");
  set.value("--report", options->reports,
            "a report.json: frames around its findings are kept as they are, in DIR/evidence; "
            "may be repeated (default: DIR/report.json, if present)")
      .placeholder("FILE");
  set.flag("--trust-clock", options->trust_clock,
           "count ages from this host's clock, even if the newest frame is far older: for a "
           "recording that has ended");
  set.flag("-q,--quiet", options->quiet, "do not report what was done");
  return [options](const Invocation&) { return run_downsample(*options); };
}

}  // namespace reveal::cli

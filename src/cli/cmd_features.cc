// reveal features: the numbers that detection is made of, for every window and channel.
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "catalog/features_page.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/frame_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/replayed.h"
#include "exchange/format.h"
#include "exchange/import.h"
#include "exchange/text_output.h"
#include "replay/chosen_frames.h"
#include "replay/copy_frames.h"
#include "tables/feature_rows.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kPage = "markdown";

struct FeaturesArguments {
  std::string path;
  tables::FeatureWindows windows;
  SettingOptions settings;  // of these, --features
  std::string format = "csv";
  std::string output{exchange::kStandardOutput};
  FrameOptions choice;
  bool list = false;
};

Result<void> features_of_recording(const FeaturesArguments& options, tables::FeatureRows& rows) {
  auto part = options.choice.part_of(options.path);
  if (!part) return base::pass(part);
  part->channels.clear();  // derived ones are chosen from as well, when they are there
  auto frames = replay::ChosenFrames::open(options.path, *part, false);
  if (!frames) return base::pass(frames);
  if (auto done = replay::copy_frames(frames->frames(), rows); !done) return done;
  tell_damage(frames->reader().damage());
  return {};
}

// A file's columns are taken as they are: no guess makes a rate of one.
Result<void> features_of_file(const FeaturesArguments& options, tables::FeatureRows& rows) {
  exchange::ImportOptions import;
  exchange::MappingRule as_it_is;
  as_it_is.match = "*";
  as_it_is.kind = model::Kind::kGauge;
  import.mapping.add(std::move(as_it_is));
  auto opened = exchange::Import::open(options.path, nullptr, import);
  if (!opened) return base::pass(opened);
  const auto done = replay::copy_frames(opened->frames(), rows);
  for (const auto& remark : opened->remarks()) text::tell(remark);
  return done;
}

Result<void> write_features(const FeaturesArguments& options) {
  const auto settings = options.settings.settings();
  if (!settings) return base::pass(settings);
  const auto choice = feature::choose_features(settings->analysis.feature_names);
  if (!choice) return base::pass(choice);
  const auto format = exchange::row_format(options.format);
  if (!format) return base::pass(format);
  auto sink = (*format)->make_rows(options.output);
  if (!sink) return base::pass(sink);
  tables::FeatureRows rows(options.windows, options.choice.channels, *choice, std::move(*sink));
  std::error_code ignored;
  const auto done = std::filesystem::is_directory(options.path, ignored)
                        ? features_of_recording(options, rows)
                        : features_of_file(options, rows);
  if (!done || rows.written()) return done;
  return base::fail(ErrorKind::kTooLittle, "no channel of that name has a complete window",
                    options.path, "--window all takes the whole recording");
}

Result<void> list_features() {
  std::string out;
  for (const auto& row : feature::registry()) {
    out += fmt::format("{}\n    {}\n", row.name, row.help);
  }
  out += "\nProfiles\n";
  for (const auto& profile : feature::feature_profiles()) {
    out += fmt::format("  {:8} {}\n", profile.name, profile.help);
  }
  return text::print(text::SafeText(out));
}

}  // namespace

Action declare_features(OptionSet& set) {
  auto options = std::make_shared<FeaturesArguments>();
  auto& path = set.value("PATH", options->path,
                         "directory of a recording, or a file of samples whose columns are "
                         "used unchanged");
  set.value("--window", options->windows.length,
            "length of a window: a time, a number of ticks, or all")
      .placeholder("LENGTH");
  set.value("--stride", options->windows.stride, "from one window to the next: a time, or ticks")
      .placeholder("LENGTH");
  options->settings.declare(set, *settings::find_setting("analysis", "features"));
  set.value("--format", options->format, exchange::row_formats())
      .placeholder("NAME")
      .suggests(exchange::row_formats());
  set.value("-o,--output", options->output, "file to write, - for standard output")
      .placeholder("FILE");
  options->choice.declare_time_and_channels(set);
  set.flag("--list", options->list,
           "list all features with their meaning; with --format markdown as the reference page")
      .excludes(path);
  return [options](const Invocation&) {
    if (options->list && options->format == kPage) {
      const auto printed = text::print_data(catalog::features_page());
      return printed ? kDone : complain(printed.error());
    }
    if (options->list) {
      const auto printed = list_features();
      return printed ? kDone : complain(printed.error());
    }
    if (options->path.empty()) {
      return complain({ErrorKind::kUsage, "is missing", "PATH", "name a recording or a file"});
    }
    const auto done = write_features(*options);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli

// reveal settings: what can be set, and what is set on this host.
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "settings/setting.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct SettingsArguments {
  SettingOptions settings;
  std::string format = "text";
};

std::string text_of_all(const settings::Settings& all) {
  std::string out;
  std::string_view section;
  for (const auto& setting : settings::all_settings()) {
    if (setting.section != section) out += fmt::format("[{}]\n", section = setting.section);
    const auto value = settings::text_of(setting, all);
    out += fmt::format("  {:14} {}\n", setting.key, value.empty() ? setting.shown_default : value);
  }
  for (const auto& [collector, poll_class] : all.collect.poll_classes) {
    out += fmt::format("[collect.poll_classes] {} {}\n", collector, poll_class);
  }
  return out;
}

int print_settings(const SettingsArguments& options) {
  if (options.format == "markdown") {
    const auto printed = text::print(text::SafeText(settings::settings_page()));
    return printed ? kDone : complain(printed.error());
  }
  const auto all = options.settings.settings();
  if (!all) return complain(all.error());
  const auto printed = text::print(text::SafeText(text_of_all(*all)));
  return printed ? kDone : complain(printed.error());
}

}  // namespace

Action declare_settings(OptionSet& set) {
  auto options = std::make_shared<SettingsArguments>();
  set.value("--format", options->format, "text, or markdown (the reference page)")
      .choices({"text", "markdown"});
  options->settings.declare(set);
  return [options](const Invocation&) { return print_settings(*options); };
}

}  // namespace reveal::cli

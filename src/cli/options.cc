#include "cli/options.h"

#include <fmt/format.h>

#include "cli/option_set.h"
#include "pipeline/configure.h"
#include "settings/file.h"
#include "text/duration.h"

namespace reveal::cli {
namespace {

constexpr std::chrono::hours kMostPatience{1};

// What --help lists the flags of a section under.
std::string_view heading_of(std::string_view section) {
  if (section == "agent") return "Agent";
  if (section == "record") return "Recording";
  if (section == "analyser") return "Analyser";
  if (section.starts_with("fleet")) return "Broker";
  return section == "analysis" ? "Analysis" : "Retention";
}

}  // namespace

void HostOptions::declare(OptionSet& set) {
  set.value("--proc-root", proc_root, "read this directory instead of /proc").placeholder("DIR");
  set.value("--sys-root", sys_root, "read this directory instead of /sys").placeholder("DIR");
}

void AgentSocketOptions::declare(OptionSet& set) {
  set.value("--socket", socket, "the agent's unix socket").placeholder("FILE");
  set.parsed(
         "--patience",
         [this](const std::string& text) -> base::Result<void> {
           const auto asked = text::parse_duration(text);
           if (!asked) return base::pass(asked);
           patience =
               std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(*asked));
           if (patience <= kMostPatience) return {};
           return base::fail(base::ErrorKind::kUsage, "the longest patience is an hour", text);
         },
         "wait so long for the agent's answer; it may do what it was asked later, too")
      .placeholder("TIME")
      .shows(fmt::format("{}ms", patience.count()));
}

void SettingOptions::declare(OptionSet& set) {
  if (has_file_option_) return;
  has_file_option_ = true;
  set.value("--config", file_,
            fmt::format("configuration file (docs/reference/settings.md; default: {}, "
                        "if present)",
                        settings::kSystemFile))
      .placeholder("FILE");
}

void SettingOptions::declare(OptionSet& set, std::string_view section, std::string_view without) {
  declare(set);
  for (const auto& setting : settings::settings_of(section)) {
    if (!setting.flag.empty() && setting.flag != without) declare(set, setting);
  }
}

void SettingOptions::declare(OptionSet& set, const settings::Setting& setting) {
  declare(set);
  const auto take = [this, &setting](const std::string& text) {
    return flags_.by_flag(setting, text);
  };
  set.parsed(setting.flag, take, settings::help_of(setting))
      .placeholder(setting.type)
      .suggests(settings::choices_of(setting))
      .shows(setting.shown_default)
      .heading(heading_of(setting.section));
}

base::Result<void> SettingOptions::give(std::string_view section, std::string_view key,
                                        const std::string& text) {
  return flags_.by_flag(*settings::find_setting(section, key), text);
}

base::Result<settings::Given> SettingOptions::given() const {
  settings::Given out = flags_;
  if (auto loaded = settings::load_settings(file_, out); !loaded) return base::pass(loaded);
  return out;
}

base::Result<settings::Settings> SettingOptions::settings() const {
  return given().map([](const settings::Given& given) { return pipeline::settled(given); });
}

base::Result<pipeline::PipelineConfig> SettingOptions::config() const {
  const auto all = given();
  if (!all) return base::pass(all);
  return pipeline::configure(*all);
}

}  // namespace reveal::cli

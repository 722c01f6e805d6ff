// Options that several subcommands share.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/socket_client.h"
#include "pipeline/config.h"
#include "procfs/host_root.h"
#include "settings/given.h"

namespace reveal::cli {

class OptionSet;

// --proc-root, --sys-root
struct HostOptions {
  std::string proc_root = "/proc";
  std::string sys_root = "/sys";

  void declare(OptionSet& set);
  procfs::HostRoot root() const { return {proc_root, sys_root}; }
};

// --socket, --patience: of what asks this host's agent
struct AgentSocketOptions {
  std::string socket = "/run/reveal/reveal.sock";
  std::chrono::milliseconds patience = http::kUsualPatience;

  // The usual patience is what `patience` is now.
  void declare(OptionSet& set);
};

// --config, and the flags of settings. A setting without a flag here is as the file says.
class SettingOptions {
 public:
  SettingOptions() = default;
  SettingOptions(const SettingOptions&) = delete;  // the parsing refers to it
  SettingOptions& operator=(const SettingOptions&) = delete;

  // Declares --config alone.
  void declare(OptionSet& set);
  // Declares --config too, unless that was done; the flags of a section, without one of them; or
  // one.
  void declare(OptionSet& set, std::string_view section, std::string_view without = {});
  void declare(OptionSet& set, const settings::Setting& setting);

  // As if the flag had been given.
  base::Result<void> give(std::string_view section, std::string_view key, const std::string& text);
  // Returns the text of the flag, or nullptr if it was not given.
  const std::string* flag(std::string_view section, std::string_view key) const {
    return flags_.flag_text(section, key);
  }
  // Returns the file that --config names; empty if it does not.
  const std::string& file() const { return file_; }

  // Returns what the flags give.
  const settings::Given& flags() const { return flags_; }

  // Returns all settings. Fails with kUsage if the file is wrong or cannot be read.
  base::Result<settings::Settings> settings() const;
  // Returns what the flags and the file give. Fails likewise.
  base::Result<settings::Given> given() const;
  // Returns the configuration of an analysis, with the files that it names loaded.
  base::Result<pipeline::PipelineConfig> config() const;

 private:
  std::string file_;
  bool has_file_option_ = false;
  settings::Given flags_;
};

}  // namespace reveal::cli

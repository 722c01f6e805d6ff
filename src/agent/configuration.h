// reveal.toml, with the files of conf.d beside it, as the agent's processes have it.
//
// The first process reads these files at its start and when it is asked to, and keeps the text in
// memory that the other two inherit. They read that in place of the file: a part that is started
// again must have what holds, and not what the file has become since, which may be half written.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "pipeline/config.h"
#include "settings/given.h"
#include "settings/settings.h"

namespace reveal::agent {

struct Configuration {
  std::string text;  // of the files (settings/joined_text.h); empty if there is none
  settings::Given given;
  // If no limit of the recording is given, with one of its size.
  settings::Settings settings;
  pipeline::PipelineConfig analysis;
};

// Returns what a text says that errors call `name`, and what is given besides. Fails with kUsage if
// it is wrong in itself, or as options of the analysis or of receivers.
base::Result<Configuration> configuration_of(std::string text, const std::string& name,
                                             settings::Given given);

// Likewise of a file; if the path is empty, of the system's, if there is one.
base::Result<Configuration> read_configuration(const std::filesystem::path& file,
                                               settings::Given given);

// Likewise, and of a file by which the agent can answer and tell its fleet, too: what may hold.
// Errors have the place of the setting.
base::Result<Configuration> sound_file(const std::filesystem::path& file);

// Returns all that is wrong with a file, with the place of each; also what is in the files that it
// names, which does not keep an agent from its start.
std::vector<base::Error> mistakes_in(const std::filesystem::path& file, settings::Given given);

// What a part of the agent has in place of the file: all of it for the judge, and for the recorder,
// which shall not end for a mistake in what is only the judge's, the settings. `fd` was inherited
// (HeldConfiguration). Fail likewise.
base::Result<Configuration> held_configuration(int fd, const std::filesystem::path& file,
                                               settings::Given given);
base::Result<settings::Settings> held_settings(int fd, const std::filesystem::path& file,
                                               settings::Given given);

// Fails with kUsage, and the place of the setting, if the agent cannot answer or tell its fleet as
// is asked.
base::Result<void> check_ways(const settings::Given& given);

// Puts a text into memory behind a descriptor, which is closed on exec.
base::Result<base::UniqueFd> text_in_memory(std::string_view text);
// Returns the text behind such a descriptor that was inherited; it is closed on exec from now on.
base::Result<std::string> text_behind(int fd);

// The configuration that holds, and what the file says otherwise.
class HeldConfiguration {
 public:
  // Of a start with a text that is sound.
  static base::Result<HeldConfiguration> begin(const std::string& text, const std::string& name);

  // Has the judge's part of the file, as it is now, hold from now on. Returns what that changes, in
  // words. Fails if the file is wrong in anything; then all stays as it is.
  base::Result<std::string> reload(const std::filesystem::path& file);

  // What the recorder reads, which has held since the start, and the judge.
  int recorder_fd() const { return start_fd_.get(); }
  int judge_fd() const { return held_fd_.get(); }
  // Returns what the file said when it was last sound.
  const settings::Settings& settings() const { return held_; }
  // Returns the keys of the file whose values hold only after a restart.
  const std::vector<std::string>& not_in_force() const { return not_in_force_; }

 private:
  HeldConfiguration() = default;

  settings::Settings at_start_;  // as the file alone says
  settings::Settings held_;
  base::UniqueFd start_fd_;
  base::UniqueFd held_fd_;
  std::vector<std::string> not_in_force_;
};

}  // namespace reveal::agent

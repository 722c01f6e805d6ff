// The settings given by flags and by reveal.toml: checked as text when they are read, and laid over
// the settings of a method at the end. A flag wins over the file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "settings/setting.h"

namespace reveal::settings {

class Given {
 public:
  // Fail with kUsage if the text cannot be a value of that setting; then nothing has been given.
  base::Result<void> by_flag(const Setting& setting, const std::string& text);
  // `place` is where the file has it.
  base::Result<void> by_file(const Setting& setting, const std::string& text,
                             const std::string& place);
  // [collect.poll_classes] of the file. Fails with kUsage unless it is "fast", "quick", "medium",
  // "slow" or "off".
  base::Result<void> poll_class_by_file(const std::string& collector,
                                        const std::string& poll_class);
  // Takes a receiver of alerts that the file has.
  void receiver_by_file(ReceiverSettings receiver) { receivers_.push_back(std::move(receiver)); }

  // Take a metric of the user's own, and a program that prints such, that the file has.
  void probe_metric_by_file(ProbeMetricSettings metric) {
    probe_metrics_.push_back(std::move(metric));
  }
  void probe_command_by_file(ProbeCommandSettings command) {
    probe_commands_.push_back(std::move(command));
  }

  // Returns the text of the flag, or nullptr if it was not given. REQUIRES: there is such a
  // setting.
  const std::string* flag_text(std::string_view section, std::string_view key) const;
  // Returns what an error about a value can be found by: its flag, or "reveal.toml, line 3:
  // cert_file", or "[web.tls] cert_file" if neither has it.
  std::string place_of(std::string_view section, std::string_view key) const;
  // Returns the method of analysis that was asked for, or the default.
  std::string method() const;

  // Returns the settings, from these for a method. If a flag asks for another method than the file
  // has, the file's [analysis] does not count: it speaks of what is usual.
  Settings over(const AnalysisSettings& method) const;

 private:
  using Texts = std::map<const Setting*, std::string>;

  std::string method_in(const Texts& texts) const;

  Texts flags_;
  Texts file_;
  Texts places_;  // in the file
  std::map<std::string, std::string, std::less<>> poll_classes_;
  std::vector<ReceiverSettings> receivers_;
  std::vector<ProbeMetricSettings> probe_metrics_;
  std::vector<ProbeCommandSettings> probe_commands_;
};

}  // namespace reveal::settings

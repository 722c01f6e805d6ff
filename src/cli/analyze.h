// The analysis of a recording: what `reveal analyze` and `reveal baseline use` share.
#pragma once

#include <string>

#include "cli/invocation.h"
#include "cli/options.h"
#include "cli/page_output.h"

namespace reveal::cli {

class OptionSet;

// DIR, --output, --format, --json, --fields, and the options of the page and the analysis
struct AnalyzeOptions {
  std::string directory;
  std::string output;
  std::string format;
  bool json = false;    // the short form of --format json
  bool fields = false;  // print what a finding has, and nothing of a recording
  std::string fail_on;  // the least severity for which the status is kFound; empty: none
  bool local = false;   // times of the text are this host's
  PageOptions page;
  SettingOptions analysis;

  void declare(OptionSet& set);
};

// Analyzes the recording, writes and prints its report; returns the exit status.
int analyze(const AnalyzeOptions& options, const Invocation& invocation);

}  // namespace reveal::cli

// The analyser of a fleet: takes all messages of a broker, judges each second, tells incidents, and
// keeps them. A new one learns from the last 15 minutes that the broker keeps, and takes over the
// incidents that are open in its file.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "alert/options.h"
#include "base/result.h"
#include "bus/options.h"
#include "peers/incident.h"
#include "settings/settings.h"

namespace reveal::analyser {

// Returns settings that listen at no address.
settings::WebSettings serves_nobody();

struct AnalyserOptions {
  bus::BrokerOptions broker;
  unsigned epoch = 1;            // of the streams
  unsigned replicas = 1;         // of streams that are made
  bool makes_streams = false;    // that are not there, or are other than they should be
  std::string database;          // as open_database() has it; empty: nothing is kept
  unsigned keep_days = 0;        // what ended longer ago is removed from it; 0: nothing is
  alert::AlertOptions alerts{};  // who is told of incidents besides
  std::string page_url{};        // where people open the page; empty: there is none
  // What is served over HTTP, and to whom; nothing unless it listens.
  settings::WebSettings web = serves_nobody();
};

// What is told; a failure ends the analyser.
struct AnalyserOutput {
  std::function<base::Result<void>(const peers::News&)> incident;
  // A line for whoever looks after the analyser: the broker is away, two hosts have one id.
  std::function<void(std::string_view line)> notice;
  // All that is new of incidents, whoever is to tell it. Empty: nobody wants it.
  std::function<void(const peers::News&)> seen = {};
};

// Runs until SIGTERM or SIGINT. That the broker is away is no failure. Fails with kUsage for wrong
// options, with kAbsent without a library, and if the file cannot be written.
base::Result<void> run_analyser(const AnalyserOptions& options, const AnalyserOutput& output);

}  // namespace reveal::analyser

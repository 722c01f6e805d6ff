// What a user has Reveal record besides the kernel's own files: [probes] of reveal.toml, as typed
// values (docs/how_to/own_metrics.md).
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "model/metric.h"

namespace reveal::probes {

// A metric that samples may be of; samples of others are refused.
struct Metric {
  std::string name;   // as the samples have it
  std::string label;  // a noun phrase for sentences
  std::string unit;   // base unit of value * scale; of a counter, what it counts
  model::Kind kind = model::Kind::kGauge;
  model::Subsystem subsystem = model::Subsystem::kUnknown;
  double scale = 1.0;  // a finite number other than 0
};

// A program that prints samples and ends.
struct Command {
  std::vector<std::string> words;      // none is read by a shell; never empty
  std::chrono::nanoseconds every{};    // from one start to the next; at least 2 s
  std::chrono::nanoseconds timeout{};  // after which it is killed; at most `every`
};

struct Options {
  std::string textfile;  // a folder with files *.prom; empty: none
  std::string statsd;    // ADDRESS:PORT of this host's loopback interface; empty: none
  std::vector<Command> commands;
  std::vector<Metric> metrics;
};

}  // namespace reveal::probes

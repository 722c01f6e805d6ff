// What somebody knows of a recording, from files beside it: labels, what was really done to the
// host, and how long the job's steps took (docs/how_to/exchange.md, "A data set").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/json_parts.h"
#include "window/window_view.h"

namespace reveal::tables {

// Names of files, for one recording after another: a relative one is relative to the recording's
// directory, and need not be beside each of them. Empty: there is none.
struct AnnotationFiles {
  std::string labels;  // a JSON object; its texts, numbers and truth values
  std::string truth;   // intervals, as a list or as "faults" of an object
  std::string steps;   // a JSON object a line: "end_ns", and "ms" or "work"
};

struct TrueInterval {
  std::string kind;
  std::int64_t begin_ns = 0;  // wall time since 1970
  std::int64_t end_ns = 0;
  double strength = 0;  // of a unit that the kind knows; NaN: none
};

struct Step {
  std::int64_t end_ns = 0;  // wall time since 1970
  double seconds = 0;       // NaN: not known
  double work = 1;
};

struct Annotations {
  report::Json labels = report::Json::object();
  bool has_label_file = false;
  std::optional<std::vector<TrueInterval>> truth;  // by begin; none: nobody said
  std::optional<std::vector<Step>> steps;          // by end; likewise
};

// Reads the files of the recording in `directory` that are there. `labels` are words KEY=VALUE,
// which overrule the file's. Fails with kUsage if a word is none, as base::read_whole_file() does
// of a file that is there, and with kCorrupt if it is not as above.
base::Result<Annotations> read_annotations(const std::string& directory,
                                           const AnnotationFiles& files,
                                           std::span<const std::string> labels);

// Returns the kinds of the intervals that share time with the window, each once, by begin, with ";"
// between them.
std::string kinds_in(std::span<const TrueInterval> truth, const window::WindowSpan& window);

// Returns the share of the window's time that lies in an interval, 0 to 1.
double share_in(std::span<const TrueInterval> truth, const window::WindowSpan& window);

// Of the steps that ended in the window, after its begin and not after its end.
struct WindowSteps {
  double work = 0;            // done
  double median_seconds = 0;  // of those whose length is known; NaN: of none
};
WindowSteps steps_in(std::span<const Step> steps, const window::WindowSpan& window);

}  // namespace reveal::tables

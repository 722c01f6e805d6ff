// Phrases for metrics that show stalled work: a level of such a metric is told as what happened to
// the work.
#pragma once

#include <string>
#include <string_view>

namespace reveal::attribute {

// The sentence around a value: "Tasks waited for the disk" 42 % "of the time".
struct WorkPhrase {
  std::string_view metric;
  std::string_view before;
  std::string_view after;  // then the instance's place, if there is one
  std::string_view unit;   // of the value in the sentence; empty: the metric's own
};

// Returns the phrase of that metric, or nullptr if its label says as much.
const WorkPhrase* work_phrase(std::string_view metric);

}  // namespace reveal::attribute

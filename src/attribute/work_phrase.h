// How a level of a metric that says that work is stalled is told: by what happened to the work.
#pragma once

#include <string>
#include <string_view>

namespace reveal::attribute {

// The sentence around a value: "Tasks waited for the disk" 42 % "of the time".
struct WorkPhrase {
  std::string_view metric;
  std::string_view before;
  std::string_view after;  // then the instance's place, if there is one
  std::string_view unit;   // in which the value is told; empty: its own
};

// Returns the phrase of that metric, or nullptr: a label says as much.
const WorkPhrase* work_phrase(std::string_view metric);

}  // namespace reveal::attribute

// Phrases for metrics that show use of a resource or stalled work: such a metric is told as what
// happened to the work.
#pragma once

#include <string>
#include <string_view>

namespace reveal::attribute {

// The sentence around a value: "Tasks waited for the disk" 42 % "of the time".
struct WorkPhrase {
  std::string_view metric;
  std::string_view before;
  std::string_view after;  // then the instance's place, if there is one
  std::string_view unit;  // of the value in the sentence, "cores" for CPU time; empty: the metric's
};

// Returns the phrase of that metric, or nullptr if its label says as much.
const WorkPhrase* work_phrase(std::string_view metric);

// The same for a control group's metric, as the end of a sentence that begins with the group's
// name: "waited for the disk" 42 % "of the time".
// Returns nullptr if the metric is not one by which groups are named.
const WorkPhrase* group_phrase(std::string_view metric);

// Returns "Tasks waited for the disk 42 % of the time on sda (usually 3 %)" for the values 0.42 and
// 0.03 of the unit "ratio" and the place " on sda"; the place may be empty. The unit is taken if
// the phrase has none of its own.
std::string told(const WorkPhrase& phrase, double observed, double usual, std::string_view unit,
                 std::string_view place = {});

}  // namespace reveal::attribute

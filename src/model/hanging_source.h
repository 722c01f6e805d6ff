// How a recorder begins the events in which it says that a source hangs, and that it does no more.
// Their subject is the source.
#pragma once

#include <string_view>

namespace reveal::model {

inline constexpr std::string_view kRecorderSource = "recorder";  // of what a recorder says itself
inline constexpr std::string_view kHangs = "has not answered";
inline constexpr std::string_view kAnswersAgain = "answers again";

}  // namespace reveal::model

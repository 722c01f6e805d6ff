// What a recording holds, for people and for programs: what `reveal info` prints.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "replay/recording_survey.h"

namespace reveal::tables {

// Returns the survey of the recording in `directory` as lines for people, with the `top` largest
// sources and channels.
std::string to_text(const replay::RecordingSurvey& survey, std::string_view directory,
                    std::size_t top);

// Returns it as one JSON object, with all channels. Times are in nanoseconds, of the wall clock
// since 1970.
std::string to_json(const replay::RecordingSurvey& survey);

}  // namespace reveal::tables

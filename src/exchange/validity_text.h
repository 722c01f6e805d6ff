// Which samples of a frame are not fresh, as text: runs of channel numbers with the letter s
// (stale) or r (reset), such as "12-40s 41r". Fresh and missing samples are not named: a missing
// one has no value.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/frame.h"

namespace reveal::exchange {

void append_validity(std::string& out, std::span<const model::Validity> validity);

// Sets what the text names. Returns false if it is no such text, or names a channel that is missing
// or not there.
bool apply_validity(std::string_view text, std::span<model::Validity> validity);

// Appends the times of the sources' readings as whole numbers relative to the frame's mono_ns, by
// source, separated by spaces.
void append_read_times(std::string& out, const model::Frame& frame);

// Sets frame.read_ns from such text and frame.mono_ns. Returns false if it is no such text.
bool apply_read_times(std::string_view text, model::Frame& frame);

}  // namespace reveal::exchange

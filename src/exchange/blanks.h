// Numbers by which programs say that they have none: a blank, which is no sample. A counter that
// goes by has such a number, too, so a blank is decided by its neighbors.
#pragma once

#include <cstddef>

#include "exchange/gathering.h"
#include "text/parse_number.h"

namespace reveal::exchange {

// Returns whether programs may mean no value by that number: DCGM's blanks (dcgm_structs.h) and all
// bits of 32 bits. All of 64 bits may be a counter's; of a level they are no value either
// (derive/signal.h).
bool may_be_blank(const text::Number& value);

// Decides about the series' doubtful samples, and appends those that are values to the others. One
// is a value if it is within a 128th of the last sure sample before it or of the first one after
// it, or alone between these two in time and in value. Returns how many stand for no value.
// REQUIRES: sure samples in the order of time.
std::size_t settle_blanks(Series& series);

}  // namespace reveal::exchange

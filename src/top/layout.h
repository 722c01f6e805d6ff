// Lays a view out as a picture of the terminal. Color and the height of a block never carry
// information alone: a flagged window is also a '!'.
#pragma once

#include "top/screen.h"
#include "top/view.h"

namespace reveal::top {

// Returns size.rows lines of at most size.columns columns; one line if that is too small. Without
// `utf8` all of it is ASCII.
Screen layout(const View& view, Size size, bool utf8);

}  // namespace reveal::top

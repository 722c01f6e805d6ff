// What is to be shown, as a picture of the terminal. Nothing is said by color or by a block's
// height alone that is not said by a character: a flagged window is a '!'.
#pragma once

#include "top/screen.h"
#include "top/view.h"

namespace reveal::top {

// Returns size.rows lines of at most size.columns columns; one line where that is too small.
// Without `utf8` all of it is ASCII.
Screen layout(const View& view, Size size, bool utf8);

}  // namespace reveal::top

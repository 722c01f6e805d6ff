// Memory that the program has freed and the C library keeps.
#pragma once

namespace reveal::base {

// Gives the system what was freed. To be called after work that needed much memory for a moment: a
// thread's part of the heap is kept for the next thread, however large it was (malloc_trim(3)). It
// takes some milliseconds. Does nothing if the C library is not glibc.
void return_freed_memory();

}  // namespace reveal::base

// Memory that the program has freed and the C library keeps.
#pragma once

namespace reveal::base {

// Lets all threads that are started from now on take memory from one heap. Each would have its own
// otherwise, and of these the system is never given what was freed last (glibc's mtrim() leaves out
// the top of any but the first): what one fit needed would stay. Does nothing if the C library is
// not glibc.
void use_one_heap();

// Gives the system what was freed. To be called after work that needed much memory for a moment: a
// thread's part of the heap is kept for the next thread, however large it was (malloc_trim(3)). It
// takes some milliseconds. Does nothing if the C library is not glibc.
void return_freed_memory();

}  // namespace reveal::base

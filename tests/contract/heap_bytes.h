// Counts the bytes that operator new gave the whole program and that it still holds; linking
// heap_bytes.cc in replaces it. Eigen's matrices are not among them: Eigen asks malloc itself.
#pragma once

#include <cstddef>

// As malloc counts, with what it adds to each piece.
std::size_t heap_bytes();

// Returns the most since forget_most_heap_bytes().
std::size_t most_heap_bytes();
void forget_most_heap_bytes();

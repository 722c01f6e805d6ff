// Counts the calls of operator new of the whole program; linking this file in replaces it.
#pragma once

#include <cstddef>

std::size_t allocation_count();

#include "base/heap.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace reveal::base {
namespace {

constexpr std::size_t kMiB = 1 << 20;

std::size_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long size = 0;
  unsigned long resident = 0;
  const int found = std::fscanf(file, "%lu %lu", &size, &resident);
  std::fclose(file);
  return found == 2 ? resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

// A thread leaves 64 MiB in small pieces behind, as a fit does; one piece at the end is still used,
// so the C library does not give them back by itself.
TEST(Heap, WhatAThreadFreedGoesBackToTheSystem) {
#if !defined(__GLIBC__) || defined(REVEAL_SANITIZED)
  GTEST_SKIP() << "the heap is not that of glibc";
#endif
  std::string last;
  std::thread([&last] {
    std::vector<std::string> pieces;
    for (std::size_t i = 0; i < 64 * kMiB / 1024; ++i) pieces.emplace_back(1024, 'x');
    last.assign(1024, 'y');
  }).join();
  const auto before = resident_bytes();
  return_freed_memory();
  const auto after = resident_bytes();
  EXPECT_GT(before, after + 32 * kMiB);
  EXPECT_EQ(last.size(), 1024u);
}

}  // namespace
}  // namespace reveal::base

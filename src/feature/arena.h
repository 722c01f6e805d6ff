// Scratch memory for one pack of channels at a time: what is taken is never given back one by one
// but all at once, and after the first windows nothing is allocated any more.
#pragma once

#include <cstddef>
#include <vector>

#include <hwy/aligned_allocator.h>

namespace reveal::feature {

class Arena {
 public:
  // Returns room for that many numbers, aligned for any vector, its contents undefined. Valid until
  // reset().
  double* take(std::size_t count);
  // Takes everything back.
  void reset();

 private:
  struct Chunk {
    hwy::AlignedFreeUniquePtr<double[]> memory;
    std::size_t size = 0;
  };

  std::vector<Chunk> chunks_;  // the last one is taken from
  std::size_t used_ = 0;       // of the last one
};

}  // namespace reveal::feature

// What gzip would make of bytes, without keeping it. For one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace reveal::study {

class GzipSize {
 public:
  // Level 6, gzip's own default. Fails if there is no memory.
  static base::Result<GzipSize> start();
  GzipSize(GzipSize&& other) noexcept;
  GzipSize& operator=(GzipSize&&) = delete;
  GzipSize(const GzipSize&) = delete;
  GzipSize& operator=(const GzipSize&) = delete;
  ~GzipSize();

  void add(std::string_view bytes);
  // Returns the size of the file that all bytes so far make. Nothing may be added after it.
  std::uint64_t finish();

 private:
  struct Stream;
  explicit GzipSize(std::unique_ptr<Stream> stream);

  std::unique_ptr<Stream> stream_;
};

}  // namespace reveal::study

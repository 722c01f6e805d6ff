// Tests only: reads blobs by the words of docs/page_format.md, with zlib and nothing of this
// module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace reveal::page {

inline std::string inflated(std::string_view bytes) {
  std::string out(1U << 22, '\0');
  z_stream stream{};
  EXPECT_EQ(::inflateInit2(&stream, -15), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  ::inflateEnd(&stream);
  return out;
}

// Returns the series of `count` codes each.
inline std::vector<std::vector<unsigned>> decoded(std::string_view blob, std::size_t count,
                                                  unsigned bits) {
  const std::string bytes = inflated(blob);
  const std::size_t length = count * bits / 8;
  EXPECT_EQ(bytes.size() % length, 0U);
  std::vector<std::vector<unsigned>> out;
  for (std::size_t begin = 0; begin + length <= bytes.size(); begin += length) {
    std::vector<unsigned> series;
    unsigned code = 0;
    for (std::size_t i = 0; i < count; ++i) {
      unsigned difference = static_cast<std::uint8_t>(bytes[begin + i]);
      if (bits == 16) difference += 256U * static_cast<std::uint8_t>(bytes[begin + count + i]);
      code = (code + difference) % (1U << bits);
      series.push_back(code);
    }
    out.push_back(std::move(series));
  }
  return out;
}

}  // namespace reveal::page

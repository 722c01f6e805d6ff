#include "page/codes.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <zlib.h>

namespace reveal::page {

std::uint16_t code_of(double value, const Scale& scale, CodeBits bits) {
  if (std::isnan(value)) return kMissingCode;
  // Halves, because the whole difference of two numbers need not be one.
  const double span = scale.high / 2 - scale.low / 2;
  if (!(span > 0)) return 1;
  const double share = std::clamp((value / 2 - scale.low / 2) / span, 0.0, 1.0);
  return static_cast<std::uint16_t>(1 + std::lround(share * (greatest_code(bits) - 1)));
}

void append_planes(std::span<const std::uint16_t> codes, CodeBits bits, std::string& out) {
  const auto append_plane = [&](unsigned shift) {
    unsigned before = 0;
    for (const std::uint16_t code : codes) {
      out.push_back(static_cast<char>(((code - before) >> shift) & 0xFF));
      before = code;
    }
  };
  append_plane(0);
  if (bits == CodeBits::k16) append_plane(8);
}

std::string deflated(std::string_view bytes) {
  constexpr int kRaw = -15;
  constexpr int kMemoryLevel = 9;
  z_stream stream{};
  if (::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kRaw, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();  // the one way to fail with constant parameters
  }
  std::string out(::deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);  // within deflateBound() it ends in one call
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

}  // namespace reveal::page

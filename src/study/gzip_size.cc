#include "study/gzip_size.h"

#include <array>
#include <utility>

#include <zlib.h>

namespace reveal::study {

struct GzipSize::Stream {
  Stream() = default;
  Stream(const Stream&) = delete;  // zlib refers to it
  Stream& operator=(const Stream&) = delete;
  ~Stream() { deflateEnd(&of); }

  // Compresses what of.next_in names.
  void run(int flush) {
    std::array<unsigned char, 1 << 16> out{};
    do {
      of.next_out = out.data();
      of.avail_out = out.size();
      // With valid arguments and room to write, it cannot fail.
      deflate(&of, flush);
      bytes += out.size() - of.avail_out;
    } while (of.avail_out == 0);
  }

  z_stream of{};
  std::uint64_t bytes = 0;
};

GzipSize::GzipSize(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
GzipSize::GzipSize(GzipSize&& other) noexcept = default;
GzipSize::~GzipSize() = default;

base::Result<GzipSize> GzipSize::start() {
  constexpr int kLevel = 6;
  constexpr int kGzip = MAX_WBITS + 16;  // a header and a trailer of gzip (zlib.h)
  constexpr int kMemory = 8;             // zlib's default
  auto stream = std::make_unique<Stream>();
  if (deflateInit2(&stream->of, kLevel, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    return base::fail(base::ErrorKind::kIo, "zlib has no memory");
  }
  return GzipSize(std::move(stream));
}

void GzipSize::add(std::string_view bytes) {
  // zlib does not write to what it reads, but its C type does not say so.
  stream_->of.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  stream_->of.avail_in = static_cast<unsigned>(bytes.size());
  stream_->run(Z_NO_FLUSH);
}

std::uint64_t GzipSize::finish() {
  stream_->of.avail_in = 0;
  stream_->run(Z_FINISH);
  return stream_->bytes;
}

}  // namespace reveal::study

#include "store/zstd_codec.h"

#include <memory>
#include <new>

#include <zstd.h>

namespace reveal::store {
namespace {

// What is compressed is small; beyond this level time grows and size does not shrink.
constexpr int kLevel = 3;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

}  // namespace

void put_compressed(Bytes& out, ByteView bytes) {
  // A context of its own each time: one kept for reuse would hold its memory between the minutes.
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  const std::size_t begin = out.size();
  const std::size_t bound = ZSTD_compressBound(bytes.size());
  out.resize(begin + bound);
  const std::size_t size = ZSTD_compressCCtx(context.get(), out.data() + begin, bound, bytes.data(),
                                             bytes.size(), kLevel);
  // It can only fail for want of memory, as new does, or of room, of which there is enough.
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  out.resize(begin + size);
}

std::optional<Bytes> decompress(ByteView compressed, std::size_t size) {
  Bytes out(size);
  const std::size_t got =
      ZSTD_decompress(out.data(), out.size(), compressed.data(), compressed.size());
  if (ZSTD_isError(got) != 0 || got != size) return std::nullopt;
  return out;
}

}  // namespace reveal::store

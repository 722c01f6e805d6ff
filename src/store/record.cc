#include "store/record.h"

#include <algorithm>
#include <array>
#include <utility>

#include <zlib.h>

#include "store/zstd_codec.h"

namespace reveal::store {
namespace {

constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'R', 'V', 'S', 0x0D, 0x0A, 0x1A, 0x0A};
constexpr std::array<std::uint8_t, 4> kSyncMarker{0xD3, 'R', 'V', 0x9C};

static_assert(kFileHeaderBytes == 16);
static_assert(kRecordHeaderBytes == 13);

bool begins_like(ByteView bytes, ByteView pattern) {
  const std::size_t count = std::min(bytes.size(), pattern.size());
  return std::equal(pattern.begin(), pattern.begin() + static_cast<std::ptrdiff_t>(count),
                    bytes.begin());
}

}  // namespace

ByteView sync_marker() {
  return kSyncMarker;
}

std::uint32_t crc32(ByteView bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, bytes.data(), bytes.size()));
}

void append_file_header(Bytes& out, std::uint16_t version) {
  const std::size_t start = out.size();
  put_bytes(out, kMagic);
  put_u16(out, version);
  put_u16(out, 0);
  put_u32(out, crc32(ByteView(out).subspan(start)));
}

void append_record(Bytes& out, RecordType type, ByteView payload) {
  put_bytes(out, kSyncMarker);
  put_u32(out, static_cast<std::uint32_t>(payload.size()));
  const std::size_t crc_at = out.size();
  put_u32(out, 0);
  out.push_back(static_cast<std::uint8_t>(type));
  put_bytes(out, payload);
  const std::uint32_t crc = crc32(ByteView(out).subspan(crc_at + 4));
  for (std::size_t i = 0; i < 4; ++i) out[crc_at + i] = static_cast<std::uint8_t>(crc >> (8 * i));
}

void append_packed(Bytes& out, RecordType type, ByteView payload) {
  Bytes packed;
  packed.push_back(static_cast<std::uint8_t>(type));
  put_varint(packed, payload.size());
  put_compressed(packed, payload);
  if (packed.size() < payload.size()) {
    append_record(out, RecordType::kPacked, packed);
  } else {
    append_record(out, type, payload);
  }
}

std::optional<UnpackedRecord> unpack(ByteView payload) {
  ByteCursor in(payload);
  UnpackedRecord out;
  out.type = static_cast<RecordType>(in.u8());
  const std::uint64_t size = in.varint();
  if (!in.ok() || size > kMaxPayloadBytes) return std::nullopt;
  auto bytes = decompress(in.bytes(in.left()), static_cast<std::size_t>(size));
  if (!bytes) return std::nullopt;
  out.payload = std::move(*bytes);
  return out;
}

FileHeader read_file_header(ByteView bytes) {
  if (!begins_like(bytes, kMagic)) return {FileHeader::State::kDamaged, 0};
  if (bytes.size() < kFileHeaderBytes) return {FileHeader::State::kCutOff, 0};
  ByteCursor in(bytes.subspan(kMagic.size()));
  const std::uint16_t version = in.u16();
  in.u16();
  if (in.u32() != crc32(bytes.first(kFileHeaderBytes - 4))) {
    return {FileHeader::State::kDamaged, 0};
  }
  return {FileHeader::State::kSound, version};
}

RecordHeader read_record_header(ByteView bytes, std::uint64_t left) {
  if (!begins_like(bytes, kSyncMarker)) return {};
  if (bytes.size() < kRecordHeaderBytes) return {RecordHeader::State::kCutOff, 0, 0};
  ByteCursor in(bytes.subspan(kSyncMarker.size()));
  const std::uint32_t payload_bytes = in.u32();
  if (payload_bytes > kMaxPayloadBytes) return {};
  const bool whole = left - kRecordHeaderBytes >= payload_bytes;
  return {whole ? RecordHeader::State::kSound : RecordHeader::State::kCutOff, payload_bytes,
          in.u32()};
}

}  // namespace reveal::store

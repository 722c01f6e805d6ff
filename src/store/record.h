// The envelope of everything in a segment: docs/storage_format.md, "A segment" and "A record". A
// record may be trusted because its marker, its length and a CRC-32 over type and payload all hold;
// a reader that lost its place finds the next record by those three.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "store/bytes.h"

namespace reveal::store {

inline constexpr std::uint16_t kFormatVersion = 3;  // the newest that is read
// Of a file that numbers channels as the recording's first segment does, and of any other.
inline constexpr std::uint16_t kUsualVersion = 2;
inline constexpr std::uint16_t kNumberedVersion = 3;
inline constexpr std::size_t kFileHeaderBytes = 8 + 2 + 2 + 4;    // magic, version, flags, CRC
inline constexpr std::size_t kRecordHeaderBytes = 4 + 4 + 4 + 1;  // marker, length, CRC, type
inline constexpr std::uint32_t kMaxPayloadBytes = 64u << 20;

enum class RecordType : std::uint8_t {
  kRunFacts = 1,
  kMetrics = 2,
  kChannels = 3,
  kKeyFrame = 4,
  kDeltaFrame = 5,
  kEnd = 6,
  kNotes = 7,
  kBlock = 8,
  kPacked = 9,
};

// Returns the bytes of a record's sync marker, in file order.
ByteView sync_marker();

// Returns the CRC-32 of zlib.
std::uint32_t crc32(ByteView bytes);

void append_file_header(Bytes& out, std::uint16_t version = kUsualVersion);

// REQUIRES: payload.size() <= kMaxPayloadBytes.
void append_record(Bytes& out, RecordType type, ByteView payload);

// Appends the record compressed, as a record of type kPacked, if that is smaller.
void append_packed(Bytes& out, RecordType type, ByteView payload);

struct UnpackedRecord {
  RecordType type = RecordType::kPacked;
  Bytes payload;
};
// Takes the payload of a packed record apart; nothing if it is damaged.
std::optional<UnpackedRecord> unpack(ByteView payload);

struct FileHeader {
  enum class State { kSound, kDamaged, kCutOff };
  State state = State::kDamaged;
  std::uint16_t version = 0;  // of a sound header
};

// Judges a file's first bytes: cut off if they are too few, but begin as a header does.
FileHeader read_file_header(ByteView bytes);

struct RecordHeader {
  enum class State { kSound, kDamaged, kCutOff };
  State state = State::kDamaged;
  std::uint32_t payload_bytes = 0;
  std::uint32_t crc = 0;
};

// Judges the first bytes at a record's place; `left` is how many the file has from there. The
// checksum is still to be compared when it says sound.
RecordHeader read_record_header(ByteView bytes, std::uint64_t left);

}  // namespace reveal::store

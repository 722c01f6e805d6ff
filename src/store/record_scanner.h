// Walks over the records of one segment. Whatever the bytes are, it only ever yields records whose
// checksum holds, in file order, and says exactly which bytes it had to leave out in between. Each
// step moves forward, so it ends.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "store/record.h"
#include "store/segment_bytes.h"

namespace reveal::store {

struct ScannedRecord {
  std::uint64_t damaged_from = 0;   // bytes left out directly before this record or the end
  std::uint64_t damaged_bytes = 0;  // 0 where there are none
  bool end = false;                 // no more records; the fields below mean nothing
  bool torn = false;                // at the end: the file stops inside a record
  RecordType type = RecordType::kEnd;
  ByteView payload;  // valid until the next step
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  // with its header
};

class RecordScanner {
 public:
  // REQUIRES: `bytes` outlives this object.
  RecordScanner(SegmentBytes& bytes, std::uint64_t offset) : bytes_(&bytes), offset_(offset) {}

  // Returns the next whole record, or the end; after the end, what was appended since, a torn
  // record's rest with it. Fails only if the bytes cannot be read at all.
  base::Result<ScannedRecord> next();

  // What the next record seems to be, judged by its first bytes: its checksum is not compared.
  struct Glimpse {
    RecordType type = RecordType::kEnd;
    ByteView begin;           // of the payload; valid until the next step
    std::uint64_t bytes = 0;  // with its header
  };
  // Returns nothing if no record begins here, or the file stops inside of it.
  base::Result<std::optional<Glimpse>> glance();
  // Passes over the record that glance() returned.
  void pass(const Glimpse& glimpse) { offset_ += glimpse.bytes; }

 private:
  enum class Verdict { kRecord, kDamaged, kCutOff };
  base::Result<Verdict> record_at(std::uint64_t offset, ScannedRecord& out);
  base::Result<bool> resync(ScannedRecord& out);
  base::Result<std::uint64_t> find_marker(std::uint64_t from);

  SegmentBytes* bytes_;
  std::uint64_t offset_;
};

}  // namespace reveal::store

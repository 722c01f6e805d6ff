// Any bytes at all as a segment. Each input is read twice: as it is, which tries the search for
// records, and with the checksums of whatever looks like a record mended, which lets hostile
// payloads through to the decoders.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "store/record.h"
#include "store/replay.h"
#include "store/segment_bytes.h"
#include "store/segment_parser.h"

namespace {

using namespace reveal::store;

// A few bytes may tell of many frames.
constexpr std::size_t kEnough = 20'000;

void check(bool holds) {
  if (!holds) std::abort();
}

void check_frame(const Replay& replay) {
  const reveal::model::Frame& frame = replay.frame();
  check(frame.bits.size() == frame.validity.size());
  check(frame.bits.size() <= replay.channels().channel_count());
  for (const auto validity : frame.validity) check(validity <= reveal::model::Validity::kReset);
}

void read(ByteView bytes, SegmentParser::Kind kind) {
  Replay replay;
  auto parser = SegmentParser::open(std::make_unique<MemoryBytes>(bytes), "fuzz", replay, kind);
  if (!parser) return;
  std::size_t frames = 0;
  for (;;) {
    const auto more = parser->next_frame();
    check(more.has_value());  // memory can always be read
    if (!*more) break;
    check_frame(replay);
    if (++frames == kEnough) return;
  }
  for (const Damage& damage : replay.damage()) {
    check(damage.offset <= bytes.size() && damage.bytes <= bytes.size() - damage.offset);
  }
}

void mend_checksum(Bytes& bytes, std::size_t at) {
  const ByteView rest = ByteView(bytes).subspan(at);
  const RecordHeader header = read_record_header(rest, rest.size());
  if (header.state != RecordHeader::State::kSound) return;
  Bytes crc;
  put_u32(crc, crc32(rest.subspan(kRecordHeaderBytes - 1, 1 + header.payload_bytes)));
  for (std::size_t i = 0; i < crc.size(); ++i) bytes[at + 8 + i] = crc[i];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(ByteView(data, size), SegmentParser::Kind::kSegment);
  Bytes mended(data, data + size);
  for (std::size_t at = 0; at < mended.size(); ++at) {
    if (mended[at] == sync_marker()[0]) mend_checksum(mended, at);
  }
  read(mended, SegmentParser::Kind::kSegment);
  read(mended, SegmentParser::Kind::kJournal);
  return 0;
}

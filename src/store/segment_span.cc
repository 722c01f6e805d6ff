#include "store/segment_span.h"

#include <algorithm>

#include "store/block_codec.h"
#include "store/record.h"
#include "store/record_scanner.h"
#include "store/segment_bytes.h"

namespace reveal::store {
namespace {

using base::Result;

void add(std::optional<SegmentSpan>& span, const BlockHeading& heading) {
  const auto [begin_ns, end_ns] = std::minmax(heading.first_wall_ns, heading.last_wall_ns);
  if (!span) {
    span = {heading.first_sequence, begin_ns, end_ns, heading.first_mono_ns, heading.last_mono_ns};
  }
  span->begin_ns = std::min(span->begin_ns, begin_ns);
  span->end_ns = std::max(span->end_ns, end_ns);
  span->end_mono_ns = std::max(span->end_mono_ns, heading.last_mono_ns);
}

void add_block(std::optional<SegmentSpan>& span, ByteView payload) {
  ByteCursor in(payload);
  if (const auto heading = read_heading(in)) add(span, *heading);
}

}  // namespace

Result<std::optional<SegmentSpan>> segment_span(const std::filesystem::path& path) {
  auto bytes = FileBytes::open(path);
  if (!bytes) return base::pass(bytes);
  RecordScanner scanner(*bytes, kFileHeaderBytes);
  std::optional<SegmentSpan> span;
  for (;;) {
    const auto glimpse = scanner.glance();
    if (!glimpse) return base::pass(glimpse);
    if (*glimpse) {
      if ((*glimpse)->type == RecordType::kBlock) add_block(span, (*glimpse)->begin);
      scanner.pass(**glimpse);
      continue;
    }
    // Past damage, or at the end.
    const auto record = scanner.next();
    if (!record) return base::pass(record);
    if (record->end) return span;
    if (record->type == RecordType::kBlock) add_block(span, record->payload);
  }
}

}  // namespace reveal::store

// The envelopes and raw spans of a host as blobs, one after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "page/codes.h"
#include "page/envelopes.h"
#include "page/raw_spans.h"

namespace reveal::page {

// Where a blob lies, in bytes.
struct Place {
  std::size_t offset = 0;
  std::size_t length = 0;
};

struct Pyramids {
  CodeBits bits = CodeBits::k16;
  std::string blobs;
  std::vector<std::optional<Place>> places;  // by ChannelId; nothing for what never moved
};

// Returns the envelopes with the most bits and buckets that take at most `most` bytes as base64;
// makes the envelopes coarser if that is needed, down to 150 buckets.
Pyramids encode_pyramids(Envelopes& envelopes, std::size_t most);

struct EncodedSpan {
  const RawSpans::RawSpan* raw_span = nullptr;
  Scale scale;
  Place place;  // from the begin of the pyramids' blobs
};

// Appends raw spans to `blobs` in their order, as long as they take at most `most` bytes as base64.
std::vector<EncodedSpan> append_raw_spans(const RawSpans& raw_spans, std::size_t most,
                                          std::string& blobs);

}  // namespace reveal::page

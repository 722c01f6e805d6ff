// The courses and details of a host as blobs, one after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "page/codes.h"
#include "page/detail.h"
#include "page/sketch.h"

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

// Returns the courses with the most bits and buckets that take at most `most` bytes as base64;
// makes the sketch coarser where that is needed, down to 150 buckets.
Pyramids encode_pyramids(Sketch& sketch, std::size_t most);

struct EncodedDetail {
  const Details::Detail* detail = nullptr;
  Scale scale;
  Place place;  // from the begin of the pyramids' blobs
};

// Appends details to `blobs` in their order, as long as they take at most `most` bytes as base64.
std::vector<EncodedDetail> append_details(const Details& details, std::size_t most,
                                          std::string& blobs);

}  // namespace reveal::page

#include "page/blobs.h"

#include <algorithm>
#include <limits>

namespace reveal::page {
namespace {

constexpr std::size_t kFewestBuckets = 150;

std::string pyramid_of(const Sketch::Course& course, std::size_t buckets, CodeBits bits) {
  const Scale scale{course.low, course.high};
  std::vector<std::uint16_t> codes(buckets);
  std::string planes;
  for (const auto value :
       {&Sketch::Course::low_of, &Sketch::Course::high_of, &Sketch::Course::mean_of}) {
    for (std::size_t i = 0; i < buckets; ++i) {
      codes[i] = code_of((course.*value)(i), scale, bits);
    }
    append_planes(codes, bits, planes);
  }
  return deflated(planes);
}

// Returns nothing as soon as it takes more than `most` bytes as base64.
std::optional<Pyramids> try_pyramids(const Sketch& sketch, CodeBits bits, std::size_t most) {
  Pyramids out;
  out.bits = bits;
  for (const auto& course : sketch.courses()) {
    if (!course.moved()) {
      out.places.emplace_back();
      continue;
    }
    const std::string blob = pyramid_of(course, sketch.buckets(), bits);
    out.places.emplace_back(Place{out.blobs.size(), blob.size()});
    out.blobs += blob;
    if (base64_length(out.blobs.size()) > most) return std::nullopt;
  }
  return out;
}

Scale scale_of(const std::vector<double>& samples) {
  Scale out{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double sample : samples) {
    out.low = sample < out.low ? sample : out.low;  // false for NaN
    out.high = sample > out.high ? sample : out.high;
  }
  return out;
}

std::string detail_blob(const std::vector<double>& samples, const Scale& scale) {
  std::vector<std::uint16_t> codes(samples.size());
  std::transform(samples.begin(), samples.end(), codes.begin(),
                 [&](double sample) { return code_of(sample, scale, CodeBits::k16); });
  std::string planes;
  append_planes(codes, CodeBits::k16, planes);
  return deflated(planes);
}

}  // namespace

Pyramids encode_pyramids(Sketch& sketch, std::size_t most) {
  if (auto fine = try_pyramids(sketch, CodeBits::k16, most)) return std::move(*fine);
  for (;;) {
    const bool can_halve = (sketch.buckets() + 1) / 2 >= kFewestBuckets;
    const std::size_t limit = can_halve ? most : std::numeric_limits<std::size_t>::max();
    if (auto coarse = try_pyramids(sketch, CodeBits::k8, limit)) return std::move(*coarse);
    sketch.halve();
  }
}

std::vector<EncodedDetail> append_details(const Details& details, std::size_t most,
                                          std::string& blobs) {
  std::vector<EncodedDetail> out;
  const std::size_t begin = blobs.size();
  for (const auto& detail : details.details()) {
    const Scale scale = scale_of(detail.samples);
    const std::string blob = detail_blob(detail.samples, scale);
    if (base64_length(blobs.size() - begin + blob.size()) > most) break;
    out.push_back({&detail, scale, {blobs.size(), blob.size()}});
    blobs += blob;
  }
  return out;
}

}  // namespace reveal::page

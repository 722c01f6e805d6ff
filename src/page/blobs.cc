#include "page/blobs.h"

#include <algorithm>
#include <limits>

#include "text/base64.h"

namespace reveal::page {
namespace {

constexpr std::size_t kFewestBuckets = 150;

std::string pyramid_of(const Envelopes::Envelope& envelope, std::size_t buckets, CodeBits bits) {
  const Scale scale{envelope.low, envelope.high};
  std::vector<std::uint16_t> codes(buckets);
  std::string planes;
  for (const auto value : {&Envelopes::Envelope::low_of, &Envelopes::Envelope::high_of,
                           &Envelopes::Envelope::mean_of}) {
    for (std::size_t i = 0; i < buckets; ++i) {
      codes[i] = code_of((envelope.*value)(i), scale, bits);
    }
    append_planes(codes, bits, planes);
  }
  return deflated(planes);
}

// Returns nothing as soon as it takes more than `most` bytes as base64.
std::optional<Pyramids> try_pyramids(const Envelopes& envelopes, CodeBits bits, std::size_t most) {
  Pyramids out;
  out.bits = bits;
  for (const auto& envelope : envelopes.by_channel()) {
    if (!envelope.moved()) {
      out.places.emplace_back();
      continue;
    }
    const std::string blob = pyramid_of(envelope, envelopes.buckets(), bits);
    out.places.emplace_back(Place{out.blobs.size(), blob.size()});
    out.blobs += blob;
    if (text::base64_length(out.blobs.size()) > most) return std::nullopt;
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

std::string raw_span_blob(const std::vector<double>& samples, const Scale& scale) {
  std::vector<std::uint16_t> codes(samples.size());
  std::transform(samples.begin(), samples.end(), codes.begin(),
                 [&](double sample) { return code_of(sample, scale, CodeBits::k16); });
  std::string planes;
  append_planes(codes, CodeBits::k16, planes);
  return deflated(planes);
}

}  // namespace

Pyramids encode_pyramids(Envelopes& envelopes, std::size_t most) {
  if (auto fine = try_pyramids(envelopes, CodeBits::k16, most)) return std::move(*fine);
  for (;;) {
    const bool can_halve = (envelopes.buckets() + 1) / 2 >= kFewestBuckets;
    const std::size_t limit = can_halve ? most : std::numeric_limits<std::size_t>::max();
    if (auto coarse = try_pyramids(envelopes, CodeBits::k8, limit)) return std::move(*coarse);
    envelopes.halve();
  }
}

std::vector<EncodedSpan> append_raw_spans(const RawSpans& raw_spans, std::size_t most,
                                          std::string& blobs) {
  std::vector<EncodedSpan> out;
  const std::size_t begin = blobs.size();
  for (const auto& raw_span : raw_spans.raw_spans()) {
    const Scale scale = scale_of(raw_span.samples);
    const std::string blob = raw_span_blob(raw_span.samples, scale);
    if (text::base64_length(blobs.size() - begin + blob.size()) > most) break;
    out.push_back({&raw_span, scale, {blobs.size(), blob.size()}});
    blobs += blob;
  }
  return out;
}

}  // namespace reveal::page

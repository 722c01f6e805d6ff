#include "exchange/sample_rows.h"

#include <array>
#include <bit>
#include <optional>

namespace reveal::exchange {
namespace {

// By Validity.
constexpr std::array<std::string_view, 4> kWords{"missing", "fresh", "stale", "reset"};

}  // namespace

std::string_view validity_word(model::Validity validity) {
  return kWords[static_cast<std::size_t>(validity)];
}

std::optional<model::Validity> validity_of_word(std::string_view word) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i] == word) return static_cast<model::Validity>(i);
  }
  return std::nullopt;
}

double in_unit(const model::MetricDescriptor& metric, std::uint64_t bits) {
  const double raw =
      metric.repr == model::Repr::kU64 ? static_cast<double>(bits) : std::bit_cast<double>(bits);
  return raw * metric.scale;
}

base::Result<void> SampleRows::fill(duck::RowChunk& chunk) {
  while (chunk.room() > 0 && !at_end_) {
    if (frame_ != nullptr && next_ < frame_->bits.size()) {
      add(chunk, model::ChannelId(next_++));
      continue;
    }
    const auto frame = frames_->next();
    if (!frame) return base::pass(frame);
    frame_ = *frame;
    next_ = 0;
    at_end_ = frame_ == nullptr;
  }
  return {};
}

void SampleRows::add(duck::RowChunk& chunk, model::ChannelId id) const {
  const auto& channels = frames_->channels();
  const auto& metric = channels.metric(id);
  const auto validity = frame_->validity[id.index()];
  const std::uint64_t bits = frame_->bits[id.index()];
  std::optional<double> value;
  std::optional<std::uint64_t> raw;
  if (validity != model::Validity::kMissing) {
    value = in_unit(metric, bits);
    if (metric.repr == model::Repr::kU64) raw = bits;
  }
  chunk.add(origin_.recording, origin_.host, frame_->sequence, duck::Time{frame_->wall_ns},
            frame_->wall_ns, frame_->mono_ns, frame_->read_ns_of(channels.source(id)),
            std::uint64_t{id.value()}, metric.name, channels.channel(id).instance, value, raw,
            validity_word(validity));
}

}  // namespace reveal::exchange

#include <bit>
#include <charconv>
#include <cmath>
#include <string>

#include "exchange/parquet.h"
#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

// Equal to another number of other bits, or to none at all: whoever makes a dictionary of values
// may take one for the other.
bool is_ambiguous(double value) {
  return std::isnan(value) || (value == 0 && std::signbit(value));
}

// Reads a number from the begin of `text` and takes it off.
bool take_number(std::string_view& text, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

void append_exact(std::string& out, const model::ChannelTable& channels,
                  const model::Frame& frame) {
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    if (frame.validity[i] == model::Validity::kMissing) continue;
    if (channels.metric(model::ChannelId(i)).repr == model::Repr::kU64) continue;
    if (!is_ambiguous(std::bit_cast<double>(frame.bits[i]))) continue;
    if (!out.empty()) out += ' ';
    text::append_number(out, std::uint64_t{i});
    out += ':';
    text::append_number(out, frame.bits[i]);
  }
}

bool apply_exact(std::string_view text, model::Frame& frame) {
  while (!text.empty()) {
    std::uint64_t channel = 0;
    std::uint64_t bits = 0;
    if (!take_number(text, channel) || !take(text, ':') || !take_number(text, bits)) return false;
    if (channel >= frame.bits.size() || frame.validity[channel] == model::Validity::kMissing) {
      return false;
    }
    frame.bits[channel] = bits;
    if (!text.empty() && !take(text, ' ')) return false;
  }
  return true;
}

}  // namespace reveal::exchange

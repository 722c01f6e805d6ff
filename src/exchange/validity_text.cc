#include "exchange/validity_text.h"

#include <charconv>
#include <cstdint>
#include <optional>

#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using model::Validity;

struct Run {
  std::size_t first;
  std::size_t last;
  Validity validity;
};

bool is_named(Validity validity) {
  return validity == Validity::kStale || validity == Validity::kReset;
}

void append_run(std::string& out, std::size_t begin, const Run& run) {
  if (out.size() > begin) out += ' ';
  text::append_number(out, std::uint64_t{run.first});
  if (run.last > run.first) {
    out += '-';
    text::append_number(out, std::uint64_t{run.last});
  }
  out += run.validity == Validity::kStale ? 's' : 'r';
}

// Takes the first word of `text` away.
std::string_view next_word(std::string_view& text) {
  const auto end = text.find(' ');
  const auto word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return word;
}

std::optional<Run> parse_run(std::string_view word) {
  if (word.size() < 2) return std::nullopt;
  const char letter = word.back();
  if (letter != 's' && letter != 'r') return std::nullopt;
  word.remove_suffix(1);
  const auto dash = word.find('-');
  const auto first = text::parse_u64(word.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : text::parse_u64(word.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return Run{*first, *last, letter == 's' ? Validity::kStale : Validity::kReset};
}

// Differences wrap, so that any two times have one.
std::int64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace

void append_validity(std::string& out, std::span<const Validity> validity) {
  const std::size_t begin = out.size();
  for (std::size_t i = 0; i < validity.size();) {
    Run run{i, i, validity[i]};
    while (run.last + 1 < validity.size() && validity[run.last + 1] == run.validity) ++run.last;
    if (is_named(run.validity)) append_run(out, begin, run);
    i = run.last + 1;
  }
}

bool apply_validity(std::string_view text, std::span<Validity> validity) {
  while (!text.empty()) {
    const auto run = parse_run(next_word(text));
    if (!run || run->last >= validity.size()) return false;
    for (std::size_t i = run->first; i <= run->last; ++i) {
      if (validity[i] == Validity::kMissing) return false;
      validity[i] = run->validity;
    }
  }
  return true;
}

void append_read_times(std::string& out, const model::Frame& frame) {
  for (std::size_t i = 0; i < frame.read_ns.size(); ++i) {
    if (i > 0) out += ' ';
    text::append_number(out, difference(frame.read_ns[i], frame.mono_ns));
  }
}

bool apply_read_times(std::string_view text, model::Frame& frame) {
  frame.read_ns.clear();
  while (!text.empty()) {
    const auto offset = text::parse_i64(next_word(text));
    if (!offset) return false;
    frame.read_ns.push_back(sum(frame.mono_ns, *offset));
  }
  return true;
}

}  // namespace reveal::exchange

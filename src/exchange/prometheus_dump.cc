#include "exchange/prometheus_dump.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "exchange/channel_name.h"
#include "exchange/prometheus_names.h"
#include "text/character.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;

// As strconv.Quote writes them.
constexpr std::string_view kEscapes = "abfnrtv";
constexpr std::string_view kEscaped = "\a\b\f\n\r\t\v";

void append_utf8(std::uint32_t point, std::string& out) {
  const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
  const auto low = [&](std::uint32_t bits) { return byte(0x80 | (bits & 0x3F)); };
  if (point < 0x80) {
    out += byte(point);
  } else if (point < 0x800) {
    out.append({byte(0xC0 | point >> 6), low(point)});
  } else if (point < 0x10000) {
    out.append({byte(0xE0 | point >> 12), low(point >> 6), low(point)});
  } else {
    out.append({byte(0xF0 | point >> 18), low(point >> 12), low(point >> 6), low(point)});
  }
}

// Reads a line from its begin. What is not there as expected is nothing, or false.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::string_view rest() const { return text_; }

  bool take(std::string_view expected) {
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(expected.size());
    return true;
  }

  // Returns what stands before that character.
  std::string_view until(char end) {
    const auto out = text_.substr(0, text_.find(end));
    text_.remove_prefix(out.size());
    return out;
  }

  std::optional<std::string> quoted() {
    if (!take("\"")) return std::nullopt;
    std::string out;
    while (!take("\"")) {
      if (text_.empty()) return std::nullopt;
      if (text_.front() != '\\') {
        out += text_.front();
        text_.remove_prefix(1);
      } else if (!take_escape(out)) {
        return std::nullopt;
      }
    }
    return out;
  }

 private:
  bool take_escape(std::string& out) {
    if (text_.size() < 2) return false;
    const char kind = text_[1];
    text_.remove_prefix(2);
    if (kind == '"' || kind == '\\') {
      out += kind;
      return true;
    }
    if (const auto at = kEscapes.find(kind); at != std::string_view::npos) {
      out += kEscaped[at];
      return true;
    }
    const auto point = hex(kind == 'x' ? 2U : kind == 'u' ? 4U : kind == 'U' ? 8U : 0U);
    if (!point || *point > 0x10FFFF) return false;
    if (kind == 'x') {
      out += static_cast<char>(*point);  // a byte that is not UTF-8
    } else {
      append_utf8(*point, out);
    }
    return true;
  }

  std::optional<std::uint32_t> hex(std::size_t digits) {
    if (digits == 0 || text_.size() < digits) return std::nullopt;
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const auto digit = text::hex_digit(text_[i]);
      if (!digit) return std::nullopt;
      out = out << 4 | *digit;
    }
    text_.remove_prefix(digits);
    return out;
  }

  std::string_view text_;
};

std::optional<Labels> labels_of(Cursor& at) {
  if (!at.take("{")) return std::nullopt;
  Labels out;
  while (!at.take("}")) {
    if (!out.empty() && !at.take(", ")) return std::nullopt;
    const bool is_quoted = at.rest().starts_with('"');
    auto name = is_quoted ? at.quoted() : std::string(at.until('='));
    if (!name || name->empty() || !at.take("=")) return std::nullopt;
    auto value = at.quoted();
    if (!value) return std::nullopt;
    out.emplace_back(std::move(*name), std::move(*value));
  }
  return out;
}

struct Sample {
  std::string_view labels;  // as they stand there, to know the series again
  Labels named;
  text::Number value;
  std::int64_t time_ns = 0;
};

std::optional<Sample> sample_of(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  Cursor at(line);
  auto labels = labels_of(at);
  if (!labels) return std::nullopt;
  const auto size = line.size() - at.rest().size();
  if (!at.take(" ")) return std::nullopt;
  const auto value = text::parse_number(at.until(' '));
  if (!at.take(" ")) return std::nullopt;
  const auto time = text::parse_decimal_time(at.rest(), text::TimeUnit::kMs);
  if (!value || !time) return std::nullopt;
  return Sample{line.substr(0, size), std::move(*labels), *value, *time};
}

class Dump {
 public:
  Dump(std::string_view stem, const ImportOptions& options, Gathering& out)
      : names_(stem), options_(options), out_(out) {}

  void take(const Sample& sample) {
    if (std::isnan(sample.value.real)) return;
    const auto series = series_of(sample);
    if (series) out_.add(*series, sample.time_ns, sample.value);
  }

 private:
  // Returns nothing if the user leaves it out.
  std::optional<SeriesId> series_of(const Sample& sample) {
    const auto known = known_.find(sample.labels);
    if (known != known_.end()) return known->second;
    const auto labeled = names_.of(sample.named);
    std::optional<SeriesId> out;
    if (!options_.mapping.rule_of(labeled.name).skip.value_or(false)) {
      out = out_.series(labeled.channel, labeled.name, labeled.host);
    }
    known_.emplace(sample.labels, out);
    return out;
  }

  PrometheusNames names_;
  const ImportOptions& options_;
  Gathering& out_;
  std::map<std::string, std::optional<SeriesId>, std::less<>> known_;  // by labels
};

}  // namespace

bool is_prometheus_dump(const std::filesystem::path& path) {
  auto input = TextInput::open(path);
  if (!input) return false;
  TextLines lines(std::move(*input));
  const auto first = lines.next();
  return first && *first && sample_of(**first);
}

Result<void> gather_prometheus_dump_lines(TextLines lines, std::string_view stem,
                                          const ImportOptions& options, Gathering& out) {
  Dump dump(stem, options, out);
  for (;;) {
    const auto line = lines.next();
    if (!line) return base::pass(line);
    if (!*line) return {};
    const auto sample = sample_of(**line);
    if (!sample) {
      return base::fail(ErrorKind::kCorrupt, "is no sample of promtool tsdb dump", lines.where(),
                        "remove the line, or dump the folder again");
    }
    dump.take(*sample);
  }
}

Result<void> gather_prometheus_dump(const std::filesystem::path& path, const ImportOptions& options,
                                    Gathering& out) {
  auto input = TextInput::open(path);
  if (!input) return base::pass(input);
  return gather_prometheus_dump_lines(TextLines(std::move(*input)), path.stem().string(), options,
                                      out);
}

}  // namespace reveal::exchange

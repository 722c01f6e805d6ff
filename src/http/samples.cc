#include "http/samples.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "http/accept.h"
#include "text/utf8.h"

namespace reveal::http {
namespace {

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

// OpenMetrics wants the bounds of buckets to look like floating-point numbers.
std::string bound(double value, Exposition format) {
  auto text = number(value);
  const bool whole = text.find_first_of(".e") == std::string::npos;
  if (format == Exposition::kOpenMetrics && whole) text += ".0";
  return text;
}

void append_escaped(std::string_view value, std::string& out) {
  std::string mended;
  for (const char c : text::as_utf8(value, mended)) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
}

constexpr std::string_view kOpenMetricsType = "application/openmetrics-text";

}  // namespace

std::string_view media_type(Exposition format) {
  return format == Exposition::kOpenMetrics
             ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
             : "text/plain; version=0.0.4; charset=utf-8";
}

Exposition accepted_exposition(std::string_view accept) {
  double open_metrics = 0;
  double text = 0;
  for_each_accepted(accept, [&](const Accepted& one) {
    if (one.type == kOpenMetricsType && (one.version.empty() || one.version == "1.0.0")) {
      open_metrics = std::max(open_metrics, one.quality);
    } else if (one.type == "text/plain" || one.type == "text/*") {
      text = std::max(text, one.quality);
    }
  });
  return open_metrics > 0 && open_metrics >= text ? Exposition::kOpenMetrics : Exposition::kText;
}

void Samples::line(std::string_view suffix, Labels labels, std::string_view value) {
  *out_ += metric_;
  *out_ += suffix;
  char before = '{';
  for (const auto& label : labels) {
    *out_ += before;
    *out_ += label.name;
    *out_ += "=\"";
    append_escaped(label.value, *out_);
    *out_ += '"';
    before = ',';
  }
  if (labels.size() > 0) *out_ += '}';
  *out_ += ' ';
  *out_ += value;
  *out_ += '\n';
}

void Samples::add(std::uint64_t value, Labels labels) {
  line("", labels, std::to_string(value));
}

void Samples::add(double value, Labels labels) {
  line("", labels, number(value));
}

void Samples::add_time(std::optional<std::int64_t> wall_ns, Labels labels) {
  // Milliseconds: a double of a time since the epoch has no exact nanoseconds.
  if (wall_ns) line("", labels, number(std::round(static_cast<double>(*wall_ns) / 1e6) / 1e3));
}

void Samples::add(const Histogram& histogram) {
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < histogram.bounds().size(); ++i) {
    below += histogram.counts()[i];
    line("_bucket", {{"le", bound(histogram.bounds()[i], format_)}}, std::to_string(below));
  }
  below += histogram.counts().back();
  line("_bucket", {{"le", "+Inf"}}, std::to_string(below));
  line("_sum", {}, number(histogram.sum()));
  line("_count", {}, std::to_string(below));
}

}  // namespace reveal::http

// The lines of one metric in the text formats of Prometheus: version 0.0.4, and OpenMetrics 1.0.
//
// Sources: https://prometheus.io/docs/instrumenting/exposition_formats/ and
// https://github.com/OpenObservability/OpenMetrics/blob/main/specification/OpenMetrics.md
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "http/histogram.h"

namespace reveal::http {

enum class Exposition : std::uint8_t { kText, kOpenMetrics };

// Returns the media type that an answer in this format is sent with.
std::string_view media_type(Exposition format);

// Returns the format that an Accept header prefers; text if it names neither. Source: RFC 9110,
// section 12.5.1.
Exposition accepted_exposition(std::string_view accept);

struct Label {
  std::string_view name;
  std::string_view value;
};

// Appends samples of one metric. For one thread.
class Samples {
 public:
  // `out` must outlive this.
  Samples(std::string_view metric, Exposition format, std::string& out)
      : metric_(metric), format_(format), out_(&out) {}

  using Labels = std::initializer_list<Label>;

  // Append one sample; nothing if the value is not known.
  void add(std::uint64_t value, Labels labels = {});
  void add(double value, Labels labels = {});
  void add(const std::optional<std::uint64_t>& value, Labels labels = {}) {
    if (value) add(*value, labels);
  }
  void add(const std::optional<double>& value, Labels labels = {}) {
    if (value) add(*value, labels);
  }
  // Appends a time in ns since the epoch, as seconds.
  void add_time(std::optional<std::int64_t> wall_ns, Labels labels = {});
  // Appends the cumulative buckets, the sum and the count.
  void add(const Histogram& histogram);
  void add(const std::optional<Histogram>& histogram) {
    if (histogram) add(*histogram);
  }

 private:
  void line(std::string_view suffix, Labels labels, std::string_view value);

  std::string_view metric_;
  Exposition format_;
  std::string* out_;
};

}  // namespace reveal::http

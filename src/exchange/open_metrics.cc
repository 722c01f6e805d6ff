#include "exchange/open_metrics.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "exchange/channel_name.h"
#include "exchange/number_text.h"
#include "exchange/spool.h"
#include "exchange/text_output.h"
#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using base::Result;
using model::ChannelId;
using model::Frame;
using model::Kind;
using model::MetricDescriptor;

constexpr std::string_view kTotal = "_total";
constexpr std::int64_t kMsPerS = 1000;
constexpr std::int64_t kNsPerMs = 1'000'000;

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
}

void append_label(std::string& out, std::string_view key, std::string_view value) {
  if (out.size() > 1) out += ',';
  std::string name = metric_of_text(key);
  for (char& c : name) {
    if (c == ':') c = '_';
  }
  if (name.front() >= '0' && name.front() <= '9') name.insert(0, 1, '_');
  out.append(name).append("=\"");
  append_escaped(out, value);
  out += '"';
}

bool is_counter(const MetricDescriptor& metric) {
  return (metric.kind == Kind::kCounter || metric.kind == Kind::kEvent) &&
         metric.name.ends_with(kTotal);
}

std::string_view type_of(const MetricDescriptor& metric) {
  if (is_counter(metric)) return "counter";
  return metric.kind == Kind::kCounter || metric.kind == Kind::kEvent ? "unknown" : "gauge";
}

// A unit may be said only of a family whose name ends in it.
bool ends_in_unit(std::string_view family, std::string_view unit) {
  return !unit.empty() && family.size() > unit.size() && family.ends_with(unit) &&
         family[family.size() - unit.size() - 1] == '_';
}

std::string heading(const MetricDescriptor& metric) {
  std::string_view family = metric.name;
  if (is_counter(metric)) family.remove_suffix(kTotal.size());
  std::string out = fmt::format("# TYPE {} {}\n", family, type_of(metric));
  if (ends_in_unit(family, metric.unit)) {
    out += fmt::format("# UNIT {} {}\n", family, metric.unit);
  }
  const auto help = metric.help.empty() ? metric.label : metric.help;
  if (help.empty()) return out;
  out += fmt::format("# HELP {} ", family);
  append_escaped(out, help);
  return out + '\n';
}

// Of a scale such as 0.01 the inverse is exact and gives 35880.95, not 35880.950000000004.
double scaled(double raw, double scale) {
  const double inverse = 1.0 / scale;
  return inverse > 1.0 && inverse == std::round(inverse) ? raw / inverse : raw * scale;
}

void append_value(std::string& out, std::uint64_t bits, const MetricDescriptor& metric) {
  if (metric.repr == model::Repr::kU64 && metric.scale == 1.0)
    return text::append_number(out, bits);
  const double raw =
      metric.repr == model::Repr::kF64 ? std::bit_cast<double>(bits) : static_cast<double>(bits);
  const double value = scaled(raw, metric.scale);
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value > 0 ? "+Inf" : "-Inf";
  } else {
    append_sample(out, std::bit_cast<std::uint64_t>(value), model::Repr::kF64);
  }
}

// Seconds to the millisecond, which is what such databases keep. Rounds down, also before 1970.
std::string time_text(std::int64_t wall_ns) {
  std::int64_t ms = wall_ns / kNsPerMs;
  if (wall_ns % kNsPerMs < 0) --ms;
  if (ms < 0) return fmt::format("-{}.{:03}", -ms / kMsPerS, -ms % kMsPerS);
  return fmt::format("{}.{:03}", ms / kMsPerS, ms % kMsPerS);
}

// Where a text of unknown size may wait: beside the file that will be as large.
std::filesystem::path spool_directory(const std::filesystem::path& path) {
  if (path != kStandardOutput) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  }
  const char* chosen = std::getenv("TMPDIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/var/tmp";
}

// The format wants all samples of a metric together, and of a channel within it; frames come by
// time. So each channel's lines are spooled.
class OpenMetricsWriter : public model::FrameSink {
 public:
  OpenMetricsWriter(const model::ChannelTable& channels, TextOutput output, Spool spool)
      : channels_(channels), output_(std::move(output)), spool_(std::move(spool)) {}

  Result<void> begin(const model::RunFacts& facts) override {
    for (std::size_t i = 0; i < channels_.channel_count(); ++i) {
      const ChannelId id(i);
      names_.push_back(std::string(channels_.metric(id).name) +
                       open_metrics_labels(facts.host, channels_.channel(id).instance) + ' ');
    }
    return {};
  }

  // A clock that was set back would give a channel two samples of one time: the second is left out.
  Result<void> write(const model::ChannelTable&, const Frame& frame) override {
    if (began_ && frame.wall_ns / kNsPerMs <= last_ms_) return {};
    began_ = true;
    last_ms_ = frame.wall_ns / kNsPerMs;
    const std::string time = time_text(frame.wall_ns);
    for (std::size_t i = 0; i < frame.bits.size(); ++i) {
      if (!frame.was_read(ChannelId(i))) continue;
      line_ = names_[i];
      append_value(line_, frame.bits[i], channels_.metric(ChannelId(i)));
      line_.append(" ").append(time) += '\n';
      if (auto done = spool_.append(i, line_); !done) return done;
    }
    return {};
  }

  Result<void> finish() override {
    std::vector<std::vector<std::size_t>> by_metric(channels_.metric_count());
    for (std::size_t i = 0; i < channels_.channel_count(); ++i) {
      by_metric[channels_.channel(ChannelId(i)).metric.index()].push_back(i);
    }
    for (std::size_t m = 0; m < by_metric.size(); ++m) {
      if (auto done = output_.append(heading(channels_.metric(model::MetricId(m)))); !done) {
        return done;
      }
      for (const std::size_t channel : by_metric[m]) {
        if (is_total(channel, by_metric[m].size())) continue;
        if (auto done = spool_.copy(channel, output_); !done) return done;
      }
    }
    if (auto done = output_.append("# EOF\n"); !done) return done;
    return output_.finish();
  }

 private:
  // A host's total beside its parts would be counted twice by sum().
  bool is_total(std::size_t channel, std::size_t of_metric) const {
    return of_metric > 1 && channels_.channel(ChannelId(channel)).instance.empty();
  }

  const model::ChannelTable& channels_;
  TextOutput output_;
  Spool spool_;
  std::vector<std::string> names_;  // by ChannelId, with labels
  std::string line_;
  bool began_ = false;
  std::int64_t last_ms_ = 0;
};

}  // namespace

std::string open_metrics_labels(std::string_view host, std::string_view instance) {
  std::string out = "{";
  append_label(out, "host", host);
  while (!instance.empty()) {
    const auto part = instance.substr(0, instance.find(','));
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) {
      append_label(out, "part", part);
    } else {
      append_label(out, part.substr(0, equals), part.substr(equals + 1));
    }
    instance.remove_prefix(std::min(part.size() + 1, instance.size()));
  }
  return out + '}';
}

Result<std::unique_ptr<model::FrameSink>> make_open_metrics_writer(const WriterOptions& options) {
  auto output = TextOutput::create(options.path, options.path.extension() == ".gz");
  if (!output) return base::pass(output);
  auto spool = Spool::create(spool_directory(options.path), options.channels->channel_count());
  if (!spool) return base::pass(spool);
  return std::make_unique<OpenMetricsWriter>(*options.channels, std::move(*output),
                                             std::move(*spool));
}

}  // namespace reveal::exchange

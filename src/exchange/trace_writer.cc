#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exchange/json_text.h"
#include "exchange/number_text.h"
#include "exchange/text_output.h"
#include "exchange/timeline.h"
#include "exchange/trace.h"
#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using base::Result;
using model::ChannelId;
using model::Frame;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t kNsPerUs = 1000;
constexpr std::string_view kPlainUnit = "value";

// Linux numbers processes below 2^22. Traces of several hosts, and of their jobs, can be joined:
// the numbers of hosts, and of the threads that follow each, are their own.
constexpr std::uint32_t kFirstHost = std::uint32_t{1} << 22;
constexpr std::uint32_t kHosts = std::uint32_t{1} << 20;
constexpr std::uint32_t kThreadsPerHost = 256;

std::uint32_t process_of_host(std::string_view host) {
  std::uint32_t hash = 2'166'136'261;  // FNV-1a
  for (const char c : host) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619;
  return kFirstHost + hash % kHosts * kThreadsPerHost;
}

// The format counts in microseconds.
void append_us(std::string& out, std::int64_t ns) {
  const auto bits = static_cast<std::uint64_t>(ns);
  const std::uint64_t size = ns < 0 ? 0 - bits : bits;
  if (ns < 0) out += '-';
  text::append_number(out, size / kNsPerUs);
  out += fmt::format(".{:03}", size % kNsPerUs);
}

double value_of(const model::MetricDescriptor& metric, std::uint64_t bits) {
  const bool whole = metric.repr == model::Repr::kU64;
  return metric.scale * (whole ? static_cast<double>(bits) : std::bit_cast<double>(bits));
}

// What the events of one channel have in common, and what was last said of it.
struct Track {
  std::string rest;          // of an event, after its time and before its value
  bool begun = false;        // whether there was a sample
  double value = 0;          // of the latest
  std::int64_t seen_ns = 0;  // when that was
  std::int64_t told_ns = 0;  // time of the latest event
};

class TraceWriter : public model::FrameSink {
 public:
  TraceWriter(const WriterOptions& options, TextOutput output)
      : channels_(*options.channels),
        timeline_(options.timeline),
        clock_converter_(timeline_),
        output_(std::move(output)) {}

  Result<void> begin(const model::RunFacts& facts) override {
    facts_ = facts;
    process_ = process_of_host(facts.host);
    for (std::size_t i = 0; i < channels_.channel_count(); ++i) add_track(ChannelId(i));
    return {};
  }

  Result<void> write(const model::ChannelTable&, const Frame& frame) override {
    now_ns_ = frame_time(frame, timeline_.clock);
    clock_converter_.step(frame);
    if (!headed_) put_head(frame.wall_ns - now_ns_);
    for (std::size_t i = 0; i < frame.bits.size(); ++i) {
      if (frame.validity[i] == model::Validity::kMissing) continue;
      take(tracks_[i], value_of(channels_.metric(ChannelId(i)), frame.bits[i]));
    }
    return flush();
  }

  Result<void> finish() override {
    if (!headed_) put_head(0);
    for (Track& track : tracks_) {
      if (track.seen_ns != track.told_ns) put_value(track, track.seen_ns);
      if (auto done = flush(); !done) return done;
    }
    put_slices();
    text_.append("\n],\"otherData\":").append(other_data()).append("}\n");
    if (auto done = flush(); !done) return done;
    return output_.finish();
  }

 private:
  Result<void> flush() {
    auto done = output_.append(text_);
    text_.clear();
    return done;
  }

  void add_track(ChannelId id) {
    const auto& metric = channels_.metric(id);
    const auto subsystem = model::to_string(metric.subsystem);
    Track track;
    track.rest = fmt::format(R"(,"pid":{},"cat":"{}","name":{},"args":{{{}:)", process_, subsystem,
                             json_text(fmt::format("{}: {}", subsystem, channels_.name(id))),
                             json_text(metric.unit.empty() ? kPlainUnit : metric.unit));
    tracks_.push_back(std::move(track));
  }

  void take(Track& track, double value) {
    if (!std::isfinite(value)) return;
    const bool changed = !track.begun || value != track.value;
    track.begun = true;
    track.value = value;
    track.seen_ns = now_ns_;
    if (changed) put_value(track, now_ns_);
  }

  // `epoch_ns`: wall time at 0 of the clock, which programs that join traces ask for.
  void put_head(std::int64_t epoch_ns) {
    headed_ = true;
    text_ += fmt::format(R"({{"displayTimeUnit":"ms","baseTimeNanoseconds":{},"traceEvents":[)",
                         epoch_ns);
    put_metadata("process_name", 0, Json{{"name", facts_.host}});
    put_metadata("process_labels", 0, Json{{"labels", "Reveal"}});
    put_metadata("process_sort_index", 0, Json{{"sort_index", -1}});
  }

  void open_event(std::string_view phase) {
    if (any_event_) text_ += ',';
    any_event_ = true;
    text_ += fmt::format("\n{{\"ph\":\"{}\"", phase);
  }

  // `thread` 0: of the process.
  void put_metadata(std::string_view name, std::uint32_t thread, const Json& args) {
    open_event("M");
    text_ += fmt::format(R"(,"pid":{},"tid":{},"name":"{}","args":{}}})", process_,
                         process_ + thread, name, args.dump(-1, ' ', false, kReplace));
  }

  void put_value(Track& track, std::int64_t ns) {
    track.told_ns = ns;
    open_event("C");
    text_ += ",\"ts\":";
    append_us(text_, ns);
    text_ += track.rest;
    append_json_sample(text_, std::bit_cast<std::uint64_t>(track.value), model::Repr::kF64);
    text_ += "}}";
  }

  void put_slices() {
    std::vector<std::string> rows;
    for (const Slice& slice : timeline_.slices) {
      if (rows.empty() || rows.back() != slice.row) {
        rows.push_back(slice.row);
        const auto thread = static_cast<std::uint32_t>(rows.size());
        put_metadata("thread_name", thread, Json{{"name", slice.row}});
        put_metadata("thread_sort_index", thread, Json{{"sort_index", thread}});
      }
      put_slice(slice, static_cast<std::uint32_t>(rows.size()));
    }
  }

  // A clock that stepped within the slice must not make it end before it begins.
  void put_slice(const Slice& slice, std::uint32_t thread) {
    const std::int64_t begin_ns = clock_converter_.of(slice.begin_ns);
    open_event("X");
    text_ += ",\"ts\":";
    append_us(text_, begin_ns);
    text_ += ",\"dur\":";
    append_us(text_, std::max<std::int64_t>(clock_converter_.of(slice.end_ns) - begin_ns, 0));
    text_ += fmt::format(R"(,"pid":{},"tid":{},"cat":"reveal","name":{},"args":{}}})", process_,
                         process_ + thread, json_text(slice.name), slice.args);
  }

  std::string other_data() const {
    const Json data = {{"recorded_by", "reveal " + facts_.reveal_version},
                       {"host", facts_.host},
                       {"kernel", facts_.kernel},
                       {"boot_id", facts_.boot_id},
                       {"command", facts_.command},
                       {"interval_ns", facts_.interval_ns},
                       {"clock", timeline_.clock == Clock::kWall ? "wall" : "monotonic"}};
    return data.dump(-1, ' ', false, kReplace);
  }

  static constexpr auto kReplace = Json::error_handler_t::replace;

  const model::ChannelTable& channels_;
  const Timeline timeline_;
  ClockConverter clock_converter_;
  TextOutput output_;
  model::RunFacts facts_;
  std::uint32_t process_ = 0;
  std::vector<Track> tracks_;  // by ChannelId
  std::int64_t now_ns_ = 0;
  bool headed_ = false;
  bool any_event_ = false;
  std::string text_;
};

Result<std::unique_ptr<model::FrameSink>> make(const WriterOptions& options, bool gzip) {
  auto output = TextOutput::create(options.path, gzip);
  if (!output) return base::pass(output);
  return std::make_unique<TraceWriter>(options, std::move(*output));
}

}  // namespace

Result<std::unique_ptr<model::FrameSink>> make_trace_writer(const WriterOptions& options) {
  return make(options, options.path.extension() == ".gz");
}

Result<std::unique_ptr<model::FrameSink>> make_trace_gz_writer(const WriterOptions& options) {
  return make(options, true);
}

}  // namespace reveal::exchange

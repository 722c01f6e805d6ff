// Feeds any text to the readers of other programs' telemetry; the first byte chooses one of them:
// CSV and the layouts of single programs, Prometheus' answers, sysstat's and OpenTelemetry's JSON,
// mappings, metadata, names and times.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "exchange/channel_name.h"
#include "exchange/foreign_csv.h"
#include "exchange/gathered_source.h"
#include "exchange/mapping.h"
#include "exchange/metadata.h"
#include "exchange/number_text.h"
#include "exchange/otlp_json.h"
#include "exchange/prometheus_json.h"
#include "exchange/sysstat_json.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace {

using namespace reveal::exchange;

void check(bool holds) {
  if (!holds) std::abort();
}

// Reads all frames. Their ticks must come in order and their numbers be those of the channels.
void check_frames(Gathering gathering) {
  auto source = GatheredSource::make(std::move(gathering), {});
  if (!source) return;
  check(source->facts().interval_ns > 0);
  bool began = false;
  std::uint64_t last = 0;
  for (;;) {
    const auto frame = source->next();
    check(frame.has_value());
    if (*frame == nullptr) return;
    check((*frame)->bits.size() == source->channels().channel_count());
    check(!began || (*frame)->sequence > last);
    began = true;
    last = (*frame)->sequence;
  }
}

void read_csv(const std::string& text) {
  Gathering out;
  if (gather_csv_records(CsvRecords(TextInput::from_memory(text, "f"), 0), {}, out)) {
    check_frames(std::move(out));
  }
}

void read_prometheus(const std::string& text) {
  Gathering out;
  if (gather_prometheus_text(TextInput::from_memory(text, "f"), "stem", {}, out)) {
    check_frames(std::move(out));
  }
}

void read_sysstat(const std::string& text) {
  Gathering out;
  if (gather_sysstat_json(TextInput::from_memory(text, "f"), {}, out)) check_frames(std::move(out));
}

void read_otlp(const std::string& text) {
  Gathering out;
  if (gather_otlp_text(text, "f", {}, out)) check_frames(std::move(out));
}

// What is read as metadata is written, and read again, the same.
void read_metadata(const std::string& text) {
  const auto first = metadata_from_json(text, "f");
  if (!first) return;
  const auto json = to_json(first->layout, first->facts, first->channels, first->notes);
  const auto second = metadata_from_json(json, "f");
  check(second.has_value());
  check(to_json(second->layout, second->facts, second->channels, second->notes) == json);
}

void read_words(const std::string& text) {
  check(!channel_of_name(text).metric.empty());
  static_cast<void>(reveal::text::parse_number(text));
  static_cast<void>(reveal::text::parse_date(text));
  static_cast<void>(reveal::text::parse_decimal_time(text, reveal::text::TimeUnit::kS));
  const auto bits = parse_sample(text, reveal::model::Repr::kF64);
  if (!bits) return;
  std::string again;
  append_sample(again, *bits, reveal::model::Repr::kF64);
  check(parse_sample(again, reveal::model::Repr::kF64) == bits);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  switch (bytes[0]) {
    case 'c':
      read_csv(text);
      break;
    case 'p':
      read_prometheus(text);
      break;
    case 's':
      read_sysstat(text);
      break;
    case 'o':
      read_otlp(text);
      break;
    case 'm':
      read_metadata(text);
      break;
    case 't':
      static_cast<void>(parse_mapping(text, "f"));
      break;
    default:
      read_words(text);
      break;
  }
  return 0;
}

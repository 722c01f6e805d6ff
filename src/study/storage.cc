// What recordings take on the disk (paper, section 5.3, "Storage Requirements"): by recording, by
// source and by metric, beside 8 bytes a sample, and these compressed by gzip.
//
// Bytes are those of `reveal info`: of all files, and in blocks by channel.
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "replay/recording_survey.h"
#include "store/segment_reader.h"
#include "study/gzip_size.h"
#include "study/study.h"

namespace reveal::study {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPaper = 42'000;  // bytes a second, of some 700 channels every 100 ms

// What is stored of channels that have something in common.
struct Stored {
  std::string name;
  double channels = 0;
  double samples = 0;
  double bytes = 0;
};

using Groups = std::map<std::string, Stored>;

struct Contents {
  replay::RecordingSurvey survey;
  Groups by_source;
  Groups by_metric;
  double raw_bytes = 0;
  double gzip_bytes = 0;
  double seconds() const { return static_cast<double>(survey.span_ns) / 1e9; }
};

void group_channels(const model::ChannelTable& channels, const std::vector<double>& samples,
                    Contents& out) {
  const auto& bytes = out.survey.usage.channel_bytes;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const model::ChannelId id(i);
    const std::string source(channels.source_name(channels.source(id)));
    const std::string name(channels.metric(id).name);
    for (auto* group : {&out.by_source.try_emplace(source, Stored{.name = source}).first->second,
                        &out.by_metric.try_emplace(name, Stored{.name = name}).first->second}) {
      group->channels += 1;
      group->samples += samples[i];
      group->bytes += i < bytes.size() ? bytes[i] : 0;  // the rest is in journals alone
    }
  }
}

// Reads all frames once more, for what they would take raw.
base::Result<void> add_raw(const std::string& directory, Contents& out) {
  auto reader = store::SegmentReader::open(directory);
  if (!reader) return base::pass(reader);
  auto gzip = GzipSize::start();
  if (!gzip) return base::pass(gzip);
  std::vector<double> samples;  // by channel
  for (;;) {
    const auto next = reader->next();
    if (!next) return base::pass(next);
    if (*next == nullptr) break;
    const auto& bits = (*next)->bits;
    samples.resize(std::max(samples.size(), bits.size()), 0);
    for (std::size_t i = 0; i < bits.size(); ++i) ++samples[i];
    const std::string_view bytes(reinterpret_cast<const char*>(bits.data()),
                                 bits.size() * sizeof(bits[0]));
    gzip->add(bytes);
    out.raw_bytes += static_cast<double>(bytes.size());
  }
  out.gzip_bytes = static_cast<double>(gzip->finish());
  group_channels(reader->channels(), samples, out);
  return {};
}

base::Result<Contents> contents_of(const std::string& directory) {
  auto survey = replay::survey(directory);
  if (!survey) return base::pass(survey);
  if (survey->span_ns <= 0) {
    return base::fail(base::ErrorKind::kTooLittle, "has fewer than two frames", directory,
                      "record longer");
  }
  Contents out;
  out.survey = std::move(*survey);
  if (auto done = add_raw(directory, out); !done) return base::pass(done);
  return out;
}

Table recordings_table() {
  return {.name = "recordings",
          .title = "Recordings",
          .columns = {{"recording", "recording", ""},
                      {"seconds", "length", "seconds"},
                      {"channels", "channels", ""},
                      {"samples", "samples", ""},
                      {"bytes", "stored", "bytes"},
                      {"bytes_per_second", "stored a second", "bytes/s"},
                      {"bytes_per_sample", "bytes a sample", ""},
                      {"bytes_per_channel_second", "of a channel", "bytes/s"},
                      {"of_raw", "of raw", "ratio"},
                      {"of_gzip", "of gzip", "ratio"},
                      {"of_paper", "of the paper's", "ratio"}},
          .rows = {}};
}

std::vector<Cell> recording_row(const std::string& directory, const Contents& it) {
  const auto bytes = static_cast<double>(it.survey.bytes());
  const auto channels = static_cast<double>(it.survey.channels);
  const auto samples = static_cast<double>(it.survey.samples);
  const double rate = bytes / it.seconds();
  return {directory,
          it.seconds(),
          channels,
          samples,
          bytes,
          rate,
          bytes / samples,
          rate / channels,
          bytes / it.raw_bytes,
          bytes / it.gzip_bytes,
          rate / kPaper};
}

// What each way to keep the samples takes.
Table ways_table() {
  return {.name = "ways",
          .title = "Bytes by how samples are kept",
          .columns = {{"recording", "recording", ""},
                      {"way", "kept as", ""},
                      {"bytes", "bytes", "bytes"},
                      {"bytes_per_second", "a second", "bytes/s"},
                      {"bytes_per_sample", "a sample", ""}},
          .rows = {}};
}

void add_ways(const std::string& directory, const Contents& it, Table& out) {
  const auto samples = static_cast<double>(it.survey.samples);
  for (const auto& [way, bytes] :
       {std::pair{"8 bytes a sample", it.raw_bytes}, std::pair{"these by gzip", it.gzip_bytes},
        std::pair{"a recording of Reveal", static_cast<double>(it.survey.bytes())}}) {
    out.rows.push_back({directory, way, bytes, bytes / it.seconds(), bytes / samples});
  }
}

// All recordings together.
struct Total {
  Groups by_source;
  Groups by_metric;
  Groups besides;
  double bytes = 0;
  double seconds = 0;
};

void add(const Groups& groups, Groups& out) {
  for (const auto& [name, group] : groups) {
    auto& sum = out.try_emplace(name, Stored{.name = name}).first->second;
    sum.channels = std::max(sum.channels, group.channels);
    sum.samples += group.samples;
    sum.bytes += group.bytes;
  }
}

// Returns what the files have besides the samples of channels in blocks.
Groups besides(const Contents& it) {
  const auto& survey = it.survey;
  double channels = 0;
  for (const auto& [name, group] : it.by_source) channels += group.bytes;
  const auto blocks = static_cast<double>(survey.usage.block_bytes);
  Groups out;
  for (const auto& [name, bytes] :
       {std::pair{"(times, validity, notes)", blocks - channels},
        std::pair{"(names of metrics and channels, run facts)",
                  static_cast<double>(survey.segment_bytes) - blocks},
        std::pair{"(journals)", static_cast<double>(survey.journal_bytes)}}) {
    out[name] = {.name = name, .bytes = bytes};
  }
  return out;
}

void add(const Contents& it, Total& out) {
  add(it.by_source, out.by_source);
  add(it.by_metric, out.by_metric);
  add(besides(it), out.besides);
  out.bytes += static_cast<double>(it.survey.bytes());
  out.seconds += it.seconds();
}

// Those with the most bytes first.
Table groups_table(std::string_view name, std::string_view title, Column of, const Groups& groups,
                   const Total& total) {
  constexpr std::size_t kShown = 15;
  constexpr std::size_t kBytes = 2;
  Table out{.name = name,
            .title = title,
            .columns = {of,
                        {"channels", "channels", ""},
                        {"bytes", "stored", "bytes"},
                        {"share", "share", "ratio"},
                        {"bytes_per_second", "a second", "bytes/s"},
                        {"bytes_per_sample", "bytes a sample", ""}},
            .rows = {},
            .shown = kShown};
  for (const auto& [key, group] : groups) {
    const bool is_besides = group.samples == 0;
    out.rows.push_back({group.name, is_besides ? kNan : group.channels, group.bytes,
                        group.bytes / total.bytes, group.bytes / total.seconds,
                        is_besides ? kNan : group.bytes / group.samples});
  }
  std::ranges::stable_sort(out.rows, std::ranges::greater(), [](const std::vector<Cell>& row) {
    return std::get<double>(row[kBytes]);
  });
  return out;
}

void add_plots(Result& out) {
  out.plots.push_back({.kind = Plot::Kind::kBars,
                       .title = "Bytes a second",
                       .table = "ways",
                       .labels = {"recording", "way"},
                       .values = {"bytes_per_second"}});
  out.plots.push_back({.kind = Plot::Kind::kBars,
                       .title = "Bytes a second by source",
                       .table = "sources",
                       .labels = {"source"},
                       .values = {"bytes_per_second"}});
}

}  // namespace

base::Result<Result> study_storage(const Request& request) {
  Result out;
  auto recordings = recordings_table();
  auto ways = ways_table();
  Total total;
  for (const auto& directory : request.directories) {
    auto found = contents_of(directory);
    if (!found && found.error().where.empty()) found.error().where = directory;
    if (!found) return base::pass(found);
    const auto& survey = found->survey;
    out.runs.push_back({directory, survey.facts.host, survey.begin_ns, survey.end_ns});
    out.damage.insert(out.damage.end(), survey.damage.begin(), survey.damage.end());
    recordings.rows.push_back(recording_row(directory, *found));
    add_ways(directory, *found, ways);
    add(*found, total);
  }
  add(total.besides, total.by_source);
  out.tables = {
      std::move(recordings), std::move(ways),
      groups_table("sources", "Bytes by source", {"source", "source", ""}, total.by_source, total),
      groups_table("metrics", "Bytes by metric", {"metric", "metric", ""}, total.by_metric, total)};
  add_plots(out);
  out.notes.emplace_back(
      "The paper: 42 KB/s of some 700 channels every 100 ms, that is 6 bytes a sample and 60 "
      "bytes/s of a channel.");
  return out;
}

}  // namespace reveal::study

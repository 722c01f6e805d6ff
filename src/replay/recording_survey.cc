#include "replay/recording_survey.h"

#include <algorithm>
#include <map>
#include <utility>

#include "store/recording_dir.h"
#include "store/segment_reader.h"

namespace reveal::replay {
namespace {

namespace fs = std::filesystem;
using base::Result;

void add_frame(RecordingSurvey& out, const model::Frame& frame, std::int64_t& begin_mono_ns,
               std::uint64_t& expected) {
  if (out.frames++ == 0) {
    out.begin_ns = frame.wall_ns;
    out.first_sequence = frame.sequence;
    begin_mono_ns = frame.mono_ns;
    expected = frame.sequence;
  }
  out.end_ns = frame.wall_ns;
  out.span_ns = frame.mono_ns - begin_mono_ns;
  out.samples += frame.bits.size();
  if (frame.sequence > expected) {
    out.missing.push_back({out.span_ns, frame.sequence - expected, frame.gap});
  }
  expected = frame.sequence + 1;
}

void add_sizes(const fs::path& dir, const std::vector<std::uint32_t>& numbers,
               std::string (*name)(std::uint32_t), std::size_t& count, std::uint64_t& bytes) {
  for (const std::uint32_t number : numbers) {
    std::error_code gone;
    const auto size = fs::file_size(dir / name(number), gone);
    if (gone) continue;
    ++count;
    bytes += size;
  }
}

std::vector<Share> most_first(std::vector<Share> shares) {
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.bytes > b.bytes; });
  return shares;
}

void add_shares(RecordingSurvey& out, const model::ChannelTable& channels) {
  std::map<std::string_view, double> by_source;
  for (std::size_t i = 0; i < out.usage.channel_bytes.size(); ++i) {
    const model::ChannelId id(i);
    const double bytes = out.usage.channel_bytes[i];
    out.by_channel.push_back({channels.name(id), bytes});
    by_source[channels.source_name(channels.source(id))] += bytes;
  }
  out.by_channel = most_first(std::move(out.by_channel));
  for (const auto& [name, bytes] : by_source) out.by_source.push_back({std::string(name), bytes});
  out.by_source = most_first(std::move(out.by_source));
}

}  // namespace

Result<RecordingSurvey> survey(const fs::path& dir) {
  auto reader = store::SegmentReader::open(dir);
  if (!reader) return base::pass(reader);
  RecordingSurvey out;
  const auto segments = store::list_segments(dir);
  const auto journals = store::list_journals(dir);
  if (segments) add_sizes(dir, *segments, store::segment_name, out.segments, out.segment_bytes);
  if (journals) add_sizes(dir, *journals, store::journal_name, out.journals, out.journal_bytes);
  std::int64_t begin_mono_ns = 0;
  std::uint64_t expected = 0;
  for (;;) {
    const auto frame = reader->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) break;
    add_frame(out, **frame, begin_mono_ns, expected);
  }
  out.facts = reader->facts();
  out.damage = reader->damage();
  out.lost_at_end = reader->lost_at_end();
  out.usage = reader->usage();
  out.metrics = reader->channels().metric_count();
  out.channels = reader->channels().channel_count();
  add_shares(out, reader->channels());
  const bool growing = store::is_being_written(dir);
  out.state = reader->clean_close() ? RecordingSurvey::State::kClosed
              : growing             ? RecordingSurvey::State::kGrowing
                                    : RecordingSurvey::State::kAbandoned;
  return out;
}

}  // namespace reveal::replay

// Writes all that Reveal's own reader gets out of a recording, in the lines of
// `tools/read_recording.py --dump`, whose opening says what they are. second_reader_test.py
// compares the two texts.
#include <bit>
#include <cstdio>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "store/segment_reader.h"

namespace reveal {
namespace {

using model::Frame;
using model::Note;

bool is_plain(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./=").find(c) != std::string_view::npos;
}

std::string word(std::string_view text) {
  if (text.empty()) return "%";
  std::string out;
  for (const char c : text) {
    if (is_plain(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string note_word(const Note& note) {
  return fmt::format("{}:{}:{}:{}", note.kind == Note::Kind::kFact ? "fact" : "event",
                     word(note.source), word(note.subject), word(note.text));
}

std::string frame_line(const Frame& frame) {
  std::string line = fmt::format("frame {} {} {} {} {} {}", frame.sequence, frame.wall_ns,
                                 frame.mono_ns, frame.cost_ns, frame.gap, frame.bits.size());
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    line += fmt::format(" {}:{:x}", static_cast<int>(frame.validity[i]), frame.bits[i]);
  }
  line += fmt::format(" {}", frame.read_ns.size());
  for (const std::int64_t time : frame.read_ns) line += fmt::format(" {}", time);
  line += fmt::format(" {}", frame.notes.size());
  for (const Note& note : frame.notes) line += " " + note_word(note);
  return line;
}

void print_metric(std::size_t number, const model::MetricDescriptor& m) {
  fmt::print("metric {} {} {} {} {} {} {} {:016x} {} {} {} {} {} {} {} {}\n", number, word(m.name),
             model::to_string(m.kind), model::to_string(m.repr), model::to_string(m.subsystem),
             model::to_string(m.scope), m.counter_bits, std::bit_cast<std::uint64_t>(m.scale),
             m.rank, word(m.label), word(m.unit), word(m.source), word(m.alias), word(m.doc_url),
             word(m.help), word(m.collector));
}

void print_channels(const model::ChannelTable& table) {
  for (std::size_t i = 0; i < table.metric_count(); ++i) {
    print_metric(i, table.metric(model::MetricId(i)));
  }
  for (std::size_t i = 0; i < table.channel_count(); ++i) {
    const model::Channel& channel = table.channel(model::ChannelId(i));
    fmt::print("channel {} {} {}\n", i, channel.metric.index(), word(channel.instance));
  }
}

void print_run(const model::RunFacts& facts) {
  fmt::print("run {} {} {} {} {} {} {} {} {}", word(facts.host), word(facts.kernel),
             word(facts.machine), word(facts.boot_id), word(facts.reveal_version),
             facts.interval_ns, facts.start_wall_ns, facts.cpus_online, facts.command.size());
  for (const std::string& argument : facts.command) fmt::print(" {}", word(argument));
  fmt::print("\n");
  for (const model::Unseen& unseen : facts.unseen) {
    fmt::print("unseen {} {} {} {}\n", word(unseen.source), word(unseen.reason),
               word(unseen.remedy), unseen.metrics);
  }
}

int dump(const char* dir) {
  auto reader = store::SegmentReader::open(dir);
  if (!reader) {
    fmt::print(stderr, "dump_recording: {}\n", reader.error().message());
    return 2;
  }
  for (;;) {
    const auto frame = reader->next();
    if (!frame) {
      fmt::print(stderr, "dump_recording: {}\n", frame.error().message());
      return 2;
    }
    if (*frame == nullptr) break;
    fmt::print("{}\n", frame_line(**frame));
  }
  print_channels(reader->channels());
  print_run(reader->facts());
  fmt::print("clean {}\n", reader->clean_close() ? "yes" : "no");
  return reader->damage().empty() ? 0 : 1;
}

}  // namespace
}  // namespace reveal

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: dump_recording DIR\n");
    return 2;
  }
  return reveal::dump(argv[1]);
}

#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "retention/recording_end.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"
#include "text/streams.h"
#include "text/words.h"

namespace reveal::cli {
namespace {

struct RepairArguments {
  std::string directory;
  std::string output;
};

struct RepairResult {
  std::uint64_t frames = 0;
  std::size_t damaged_places = 0;
};

base::Result<RepairResult> copy_sound(store::SegmentReader& reader, store::SegmentWriter& writer) {
  RepairResult out;
  if (auto begun = writer.begin(reader.facts()); !begun) return base::pass(begun);
  for (;;) {
    const auto frame = reader.next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) break;
    ++out.frames;
    // Unlike a recorder, which has to go on, this can be done again.
    if (auto written = retention::write_or_fail(writer, reader.channels(), **frame); !written) {
      return base::pass(written);
    }
  }
  out.damaged_places = reader.damage().size();
  if (auto finished = writer.finish(); !finished) return base::pass(finished);
  return out;
}

int repair(const RepairArguments& options) {
  auto reader = store::SegmentReader::open(options.directory);
  if (!reader) return complain(reader.error());
  auto writer = store::SegmentWriter::create(options.output);
  if (!writer) return complain(writer.error());
  const auto repaired = copy_sound(*reader, *writer);
  if (!repaired) return complain(repaired.error());
  for (const auto& place : reader->damage()) {
    text::tell(fmt::format("{}: {} bytes from offset {} are unreadable: {}", place.file,
                           place.bytes, place.offset, place.what));
  }
  text::tell(fmt::format(
      "{} copied to {}; {} unreadable; {} is unchanged",
      text::plural(repaired->frames, "frame") + (repaired->frames == 1 ? " is" : " are"),
      options.output,
      text::plural(repaired->damaged_places, "place") +
          (repaired->damaged_places == 1 ? " was" : " were"),
      options.directory));
  return kDone;
}

}  // namespace

Action declare_repair(OptionSet& set) {
  auto options = std::make_shared<RepairArguments>();
  set.value("DIR", options->directory, "directory of the recording; it is not changed").required();
  set.value("-o,--output", options->output, "directory for the readable part, new or empty")
      .placeholder("DIR")
      .required();
  return [options](const Invocation&) { return repair(*options); };
}

}  // namespace reveal::cli

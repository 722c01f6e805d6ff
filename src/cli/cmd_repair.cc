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

int repair(const RepairArguments& options) {
  auto reader = store::SegmentReader::open(options.directory);
  if (!reader) return complain(reader.error());
  auto writer = store::SegmentWriter::create(options.output);
  if (!writer) return complain(writer.error());
  // Unlike a recorder, which has to go on, this can be done again.
  const auto frames = retention::copy_or_fail(*reader, *writer);
  if (!frames) return complain(frames.error());
  const auto damaged = reader->damage().size();
  for (const auto& place : reader->damage()) {
    text::tell(fmt::format("{}: {} bytes from offset {} are unreadable: {}", place.file,
                           place.bytes, place.offset, place.what));
  }
  text::tell(fmt::format(
      "{} copied to {}; {} unreadable; {} is unchanged",
      text::plural(*frames, "frame") + (*frames == 1 ? " is" : " are"), options.output,
      text::plural(damaged, "place") + (damaged == 1 ? " was" : " were"), options.directory));
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

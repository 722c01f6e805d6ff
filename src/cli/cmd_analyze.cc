#include <filesystem>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/streams.h"
#include "pipeline/pipeline.h"
#include "store/segment_reader.h"

namespace reveal::cli {
namespace {

struct Options {
  std::string directory;
  std::string output;
  bool json = false;
  AnalysisOptions analysis;
};

base::Result<void> replay(store::SegmentReader& reader, pipeline::Pipeline& pipeline) {
  if (auto begun = pipeline.begin(reader.facts()); !begun) return begun;
  for (;;) {
    const auto frame = reader.next();
    if (!frame) return tl::make_unexpected(frame.error());
    if (*frame == nullptr) return {};
    if (auto taken = pipeline.write(reader.channels(), **frame); !taken) return taken;
  }
}

void tell_damage(const store::SegmentReader& reader) {
  constexpr std::size_t kMost = 5;
  const auto& damage = reader.damage();
  for (std::size_t i = 0; i < damage.size() && i < kMost; ++i) {
    tell(fmt::format("{}: {} bytes from offset {} are unreadable: {}", damage[i].file,
                     damage[i].bytes, damage[i].offset, damage[i].what));
  }
  if (damage.size() > kMost) {
    tell(fmt::format("and {} more damaged places", damage.size() - kMost));
  }
}

int analyze(const Options& options, const Invocation& invocation) {
  auto config = options.analysis.config();
  if (!config) return complain(config.error());
  auto reader = store::SegmentReader::open(options.directory);
  if (!reader) return complain(reader.error());
  options.analysis.fit(reader->facts().interval_ns, *config);
  pipeline::Pipeline pipeline(std::move(*config));
  if (auto replayed = replay(*reader, pipeline); !replayed) return complain(replayed.error());
  tell_damage(*reader);
  auto result = pipeline.analyse();
  if (!result) return complain(result.error());
  result->cost = cost_since(invocation.started);
  const auto& output = options.output.empty() ? options.directory : options.output;
  const auto done = publish(*result, pipeline.plan(), output,
                            options.json ? Format::kJson : Format::kText, STDOUT_FILENO);
  return done ? kDone : complain(done.error());
}

}  // namespace

Action declare_analyze(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("DIR", options->directory, "directory of the recording")->required();
  app.add_option("-o,--output", options->output,
                 "existing directory for report.json and selection.json (default: DIR)");
  app.add_flag("--json", options->json, "print report.json instead of the text");
  options->analysis.declare(app);
  return [options](const Invocation& invocation) { return analyze(*options, invocation); };
}

}  // namespace reveal::cli

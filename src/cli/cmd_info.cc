#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "replay/recording_survey.h"
#include "tables/survey_text.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct InfoArguments {
  std::string directory;
  std::size_t top = 10;
  bool json = false;
};

constexpr std::size_t kMaxListed = 1'000'000;

int info(const InfoArguments& options) {
  const auto found = replay::survey(options.directory);
  if (!found) return complain(found.error());
  const auto printed =
      options.json
          ? text::print_data(tables::to_json(*found))
          : text::print(text::SafeText(tables::to_text(*found, options.directory, options.top)));
  return printed ? kDone : complain(printed.error());
}

}  // namespace

Action declare_info(OptionSet& set) {
  auto options = std::make_shared<InfoArguments>();
  set.value("DIR", options->directory, "directory of the recording").required();
  set.number("--top", options->top, 0, kMaxListed,
             "number of sources and channels to list, the largest first");
  set.flag("--json", options->json, "print JSON, with all channels");
  return [options](const Invocation&) { return info(*options); };
}

}  // namespace reveal::cli

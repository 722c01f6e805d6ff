// reveal demo: a fault of known times, found by this program on this host.
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "demo/demo.h"
#include "demo/job.h"
#include "record/directory_name.h"
#include "report/saved_report.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

constexpr std::chrono::seconds kJob{75};

struct DemoArguments {
  std::string disturbance{demo::disturbances().front().name};
  std::string directory;
};

// So that the command line that is shown can be typed.
std::string own_path() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "/proc/self/exe" : path.string();
}

int show(const DemoArguments& options) {
  const auto folder =
      options.directory.empty() ? record::default_directory().string() : options.directory;
  const demo::Plan plan{.disturbance = demo::find_disturbance(options.disturbance),
                        .run = {"reveal", "run", "-o", folder, "--", own_path(), "demo-job",
                                std::to_string(kJob.count())},
                        .directory = folder};
  const auto done = demo::run(plan);
  if (!done) return complain(done.error());
  if (done->status != 0) return done->status;
  if (!done->disturbed) {
    return complain({base::ErrorKind::kTooLittle,
                     "the job ended before anything disturbed it",
                     {},
                     "run it again, and let it end by itself"});
  }
  const auto report = report::load_report(plan.directory / "report.json");
  if (!report) return complain(report.error());
  bool found = false;
  const auto told = demo::held_against(*report, *plan.disturbance, *done, found);
  if (auto printed = text::print(text::SafeText("\n" + told + "\n")); !printed) {
    return complain(printed.error());
  }
  return found ? kDone : kFailed;
}

}  // namespace

Action declare_demo(OptionSet& set) {
  auto options = std::make_shared<DemoArguments>();
  std::vector<std::string> names;
  for (const auto& row : demo::disturbances()) names.emplace_back(row.name);
  set.value("DISTURBANCE", options->disturbance, "what disturbs the job")
      .choices(std::move(names))
      .shows(options->disturbance);
  set.value("-o,--output", options->directory,
            "directory for the recording, new or empty (default: reveal-HOST-DATE-TIME-PID here)")
      .placeholder("DIR");
  return [options](const Invocation&) { return show(*options); };
}

Action declare_demo_job(OptionSet& set) {
  struct Job {
    int seconds = 0;
    std::string group;
  };
  auto job = std::make_shared<Job>();
  set.number("SECONDS", job->seconds, 1, 3600, "how long").required();
  set.value("GROUP", job->group, "folder of the control group to run in");
  return [job](const Invocation&) {
    const auto done = demo::run_job(std::chrono::seconds(job->seconds), job->group);
    return done ? kDone : complain(done.error());
  };
}

}  // namespace reveal::cli

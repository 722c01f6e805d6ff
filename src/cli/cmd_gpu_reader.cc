// The process that calls the GPU driver's library for a recorder (gpu/reader.h). Recorders start
// it; it is of no use to people, and help does not list it.
#include <chrono>
#include <cstdint>
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "gpu/reader.h"

namespace reveal::cli {
namespace {

struct GpuReaderArguments {
  gpu::ReaderOptions reader;
  std::int64_t interval_ns = 100'000'000;
};

}  // namespace

Action declare_gpu_reader(CLI::App& app) {
  auto options = std::make_shared<GpuReaderArguments>();
  app.add_option("--shared-fd", options->reader.shared_fd, "memory to write to")->required();
  app.add_option("--parent-fd", options->reader.parent_fd, "closes with the recorder")->required();
  app.add_option("--interval-ns", options->interval_ns, "between sweeps")
      ->check(CLI::Range(std::int64_t{1'000'000}, std::int64_t{60'000'000'000}));
  app.add_option("--only", options->reader.only, "number of the one GPU to read");
  app.add_option("--except", options->reader.except, "numbers of GPUs to leave alone")
      ->delimiter(',');
  return [options](const Invocation&) {
    options->reader.interval = std::chrono::nanoseconds(options->interval_ns);
    return gpu::run_reader(options->reader);
  };
}

}  // namespace reveal::cli

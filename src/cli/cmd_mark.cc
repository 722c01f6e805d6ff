// reveal mark: notes an event in the recording of this host's agent. For prologs and deploys, which
// must neither wait nor fail because of it.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "serve/agent_order.h"
#include "serve/routes.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

struct MarkArguments {
  AgentSocketOptions agent;
  std::vector<std::string> words;
  bool quiet = false;
};

base::Result<std::string> send_mark(const MarkArguments& options) {
  const auto text = fmt::format("{}", fmt::join(options.words, " "));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return base::fail(base::ErrorKind::kUsage, "there is nothing to note", {},
                      "reveal mark 'deployed v2', or reveal mark job-start ID");
  }
  if (text.size() > serve::kMostMarkBytes) {
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("a mark has at most {} bytes", serve::kMostMarkBytes));
  }
  return serve::order_over_socket(options.agent.socket, {.target = "/-/mark", .body = text},
                                  options.agent.patience);
}

int mark(const MarkArguments& options) {
  const auto told = send_mark(options);
  if (options.quiet) return kDone;
  if (!told) return complain(told.error());
  text::tell(*told);
  return kDone;
}

}  // namespace

Action declare_mark(OptionSet& set) {
  auto options = std::make_shared<MarkArguments>();
  set.value("TEXT", options->words,
            "what to note, such as 'v2 is deployed'; or job-start ID, or job-end ID");
  options->agent.declare(set);
  set.flag("-q,--quiet", options->quiet,
           "say nothing, and end with 0 also if nothing could be noted");
  return [options](const Invocation&) { return mark(*options); };
}

}  // namespace reveal::cli

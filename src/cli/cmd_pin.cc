// reveal pin: has this host's agent keep a stretch of its recording, which retention leaves alone.
#include <chrono>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/output.h"
#include "serve/agent_order.h"
#include "text/duration.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

// Somebody waits for the answer, but no job does.
constexpr std::chrono::seconds kPinPatience{5};

struct PinArguments {
  AgentSocketOptions agent{.patience = kPinPatience};
  std::string last = "15m";
};

int order_pin(const PinArguments& options) {
  const auto told = serve::order_over_socket(
      options.agent.socket, {.target = "/-/pin", .body = options.last}, options.agent.patience);
  if (!told) return complain(told.error());
  text::tell(*told);
  return kDone;
}

}  // namespace

Action declare_pin(OptionSet& set) {
  auto options = std::make_shared<PinArguments>();
  set.parsed(
         "--last",
         [options](const std::string& text) -> base::Result<void> {
           if (auto sound = text::parse_duration(text); !sound) return base::pass(sound);
           options->last = text;
           return {};
         },
         "how much before now is kept; all that is recorded if that is less")
      .placeholder("TIME")
      .shows(options->last);
  options->agent.declare(set);
  return [options](const Invocation&) { return order_pin(*options); };
}

}  // namespace reveal::cli

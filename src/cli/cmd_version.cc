// reveal version: which Reveal this is, how it was built, and which optional parts are here.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/build_facts.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/exit_status.h"
#include "cli/optional_parts.h"
#include "cli/output.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

std::string to_text(const std::vector<OptionalPart>& parts) {
  const auto& built = build_facts();
  const auto documents = installed_documents();
  const auto row = [](std::string_view name, const std::string& text) {
    return fmt::format("  {:<10} {}\n", name, text);
  };
  std::string out = "reveal " REVEAL_VERSION "\n";
  out += row("commit", built.commit_date.empty()
                           ? std::string(built.commit)
                           : fmt::format("{} ({})", built.commit, built.commit_date));
  out += row("compiler", compiler());
  out += row("build", fmt::format("{}{}{}", built.build_type, built.sanitizers.empty() ? "" : ", ",
                                  built.sanitizers));
  out += row("documents", documents.empty() ? "not installed" : documents.string());
  for (const auto& part : parts) {
    const auto version = part.version.empty() ? "" : " " + part.version;
    out += row(part.name, fmt::format("{}{}: {}", part.state, version, part.note()));
  }
  return out;
}

std::string to_json(const std::vector<OptionalPart>& parts) {
  const auto& built = build_facts();
  nlohmann::ordered_json out{{"version", REVEAL_VERSION},
                             {"commit", built.commit},
                             {"commit_date", built.commit_date},
                             {"compiler", compiler()},
                             {"build_type", built.build_type},
                             {"sanitizers", built.sanitizers},
                             {"documents", installed_documents().string()}};
  auto& all = out["parts"] = nlohmann::ordered_json::object();
  for (const auto& part : parts) {
    all[part.key] = {{"state", part.state}, {"version", part.version}, {"note", part.note()}};
  }
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int print_version(bool json) {
  const auto parts = optional_parts();
  const auto printed =
      json ? text::print_data(to_json(parts)) : text::print(text::SafeText(to_text(parts)));
  return printed ? kDone : complain(printed.error());
}

}  // namespace

Action declare_version(OptionSet& set) {
  auto json = std::make_shared<bool>(false);
  set.flag("--json", *json, "print JSON; what is not known is an empty text there");
  return [json](const Invocation&) { return print_version(*json); };
}

}  // namespace reveal::cli

#include <memory>

#include <fmt/format.h>

#include "catalog/catalog.h"
#include "catalog/catalog_json.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "cli/optional_parts.h"
#include "cli/options.h"
#include "cli/output.h"
#include "record/from_settings.h"
#include "text/streams.h"

namespace reveal::cli {
namespace {

constexpr std::size_t kNamesShown = 4;

std::string names(const catalog::Remedy& remedy) {
  std::string out;
  for (std::size_t i = 0; i < remedy.rows.size() && i < kNamesShown; ++i) {
    out += fmt::format("{}{}", i == 0 ? "" : ", ", remedy.rows[i]->metric.name);
  }
  if (remedy.rows.size() > kNamesShown) {
    out += fmt::format(" and {} more", remedy.rows.size() - kNamesShown);
  }
  return out;
}

std::string text_of(const catalog::Remedy& remedy) {
  std::string out =
      remedy.change.empty()
          ? fmt::format("\n{} metrics that this host's kernel or hardware does not have:\n",
                        remedy.rows.size())
          : fmt::format("\n{} metrics are missing without this change:\n    {}\n",
                        remedy.rows.size(), remedy.change);
  for (const auto& reason : remedy.reasons) out += fmt::format("  why: {}\n", reason);
  return out + fmt::format("  metrics: {}\n", names(remedy));
}

std::string missing_parts() {
  std::string out;
  for (const auto& part : optional_parts()) {
    if (!part.missing()) continue;
    out += fmt::format("\n{} is not here, for {}:\n  why: {}\n", part.name, part.purpose,
                       part.trouble);
  }
  return out;
}

struct DoctorArguments {
  bool json = false;
  HostOptions host;
  SettingOptions settings;
};

int doctor(const DoctorArguments& options) {
  const auto settings = options.settings.settings();
  if (!settings) return complain(settings.error());
  const auto known = catalog::rows_of(options.host.root(), record::poll_plan_of(settings->collect));
  if (!known) return complain(known.error());
  const auto& rows = *known;
  if (options.json) {
    const auto printed = text::print_data(catalog::remedies_json(rows));
    return printed ? kDone : complain(printed.error());
  }
  std::size_t available = 0;
  for (const auto& row : rows)
    if (row.available()) ++available;
  std::string out =
      fmt::format("{} of {} metrics are available on this host.\n", available, rows.size());
  for (const auto& remedy : catalog::remedies(rows)) out += text_of(remedy);
  out += missing_parts();
  if (available == rows.size()) out += "Nothing is missing.\n";
  const auto printed = text::print(text::SafeText(out));
  return printed ? kDone : complain(printed.error());
}

}  // namespace

Action declare_doctor(OptionSet& set) {
  auto options = std::make_shared<DoctorArguments>();
  set.flag("--json", options->json, "print JSON");
  options->host.declare(set);
  options->settings.declare(set);
  return [options](const Invocation&) { return doctor(*options); };
}

}  // namespace reveal::cli

#include "study/command.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/new_file.h"
#include "replay/damage.h"
#include "study/result_json.h"
#include "study/result_page.h"
#include "study/result_text.h"
#include "study/study.h"
#include "text/safe_text.h"
#include "text/streams.h"

namespace reveal::study {
namespace {

namespace fs = std::filesystem;

base::Result<void> save(const Result& result, const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    return base::fail(base::ErrorKind::kIo, "cannot create: " + error.message(),
                      directory.string());
  }
  const std::string name(result.study);
  if (auto done = base::write_new_file(directory / (name + ".json"), to_json(result)); !done) {
    return done;
  }
  return base::write_new_file(directory / (name + ".html"), to_page(result));
}

// Fails if there is no such study (nullptr), or if it does not take what is asked for.
base::Result<void> check_order(const Study* study, const Order& order) {
  if (study == nullptr) {
    return base::fail(base::ErrorKind::kUsage, "there is no such study", order.name);
  }
  if (!study->compares && !order.after.empty()) {
    return base::fail(base::ErrorKind::kUsage, "compares no two sides", "study " + order.name,
                      "leave --after out");
  }
  if (!study->chooses && !order.channels.empty()) {
    return base::fail(base::ErrorKind::kUsage, "takes all channels", "study " + order.name,
                      "leave --channels out");
  }
  return {};
}

}  // namespace

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& study : studies()) out.emplace_back(study.name);
  return out;
}

std::string help() {
  std::string out;
  for (const auto& study : studies()) {
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", study.name, study.help);
  }
  return out;
}

base::Result<void> execute(const Order& order, const pipeline::PipelineConfig& config) {
  const Study* study = find(order.name);
  if (auto sound = check_order(study, order); !sound) return sound;
  auto result = study->run({order.directories, config, order.after, order.channels});
  if (!result) return base::pass(result);
  result->study = study->name;
  for (const auto& line : replay::damage_lines(result->damage)) text::tell(line);
  if (!order.output.empty()) {
    if (auto saved = save(*result, order.output); !saved) return saved;
  }
  return order.json ? text::print_data(to_json(*result))
                    : text::print(text::SafeText(to_text(*result)));
}

}  // namespace reveal::study

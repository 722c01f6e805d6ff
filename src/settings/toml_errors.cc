#include "settings/toml_errors.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/nearest.h"

namespace reveal::settings {

using base::ErrorKind;

std::string place(const std::string& where, const toml::source_region& source) {
  return fmt::format("{}, line {}", where, source.begin.line);
}

base::Unexpected at(std::string what, const std::string& where, const toml::node& node) {
  return base::fail(ErrorKind::kUsage, std::move(what), place(where, node.source()));
}

base::Unexpected unknown(const toml::key& key, const std::string& where,
                         const std::vector<std::string>& known) {
  const std::string name(key.str());
  return base::fail(ErrorKind::kUsage,
                    fmt::format("{} is not a key here{}", name, text::did_you_mean(name, known)),
                    place(where, key.source()),
                    fmt::format("there are {}", fmt::join(known, ", ")));
}

}  // namespace reveal::settings

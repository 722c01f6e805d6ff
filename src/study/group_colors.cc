#include "study/group_colors.h"

#include <algorithm>

#include <fmt/format.h>

#include "text/html.h"

namespace reveal::study {
namespace {

constexpr std::size_t kColors = 8;

}  // namespace

std::size_t index_in(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

std::string color_class(std::size_t group) {
  return fmt::format("p{}", group % kColors);
}

bool is_second_turn(std::size_t group) {
  return group / kColors % 2 == 1;
}

std::string legend_entry(std::string_view shape, std::string_view style, std::string_view name) {
  return fmt::format("<span class=\"{} {}\"></span>&nbsp;{} ", shape, style, text::html(name));
}

std::string legend_entry(std::size_t group, std::string_view name) {
  return legend_entry(is_second_turn(group) ? "square" : "dot", color_class(group), name);
}

}  // namespace reveal::study

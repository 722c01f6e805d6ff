#include "settings/value_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace reveal::settings {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t size;
};

constexpr std::array<Unit, 7> kTimes{{{"d", 86'400'000'000'000},
                                      {"h", 3'600'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"s", 1'000'000'000},
                                      {"ms", 1'000'000},
                                      {"us", 1'000},
                                      {"ns", 1}}};

constexpr std::array<Unit, 5> kSizes{{{"TiB", std::uint64_t{1} << 40},
                                      {"GiB", std::uint64_t{1} << 30},
                                      {"MiB", std::uint64_t{1} << 20},
                                      {"KiB", std::uint64_t{1} << 10},
                                      {"B", 1}}};

// In the largest unit of which it is a whole number.
template <std::size_t kCount>
std::string in_units(std::uint64_t value, const std::array<Unit, kCount>& units) {
  const auto* const unit = std::find_if(units.begin(), units.end(),
                                        [&](const Unit& one) { return value % one.size == 0; });
  return fmt::format("{}{}", value / unit->size, unit->name);
}

}  // namespace

std::string time_text(std::int64_t ns) {
  return in_units(static_cast<std::uint64_t>(ns), kTimes);
}

std::string size_text(std::uint64_t bytes) {
  return in_units(bytes, kSizes);
}

std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    out.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

}  // namespace reveal::settings

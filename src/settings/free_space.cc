#include "settings/free_space.h"

#include <fmt/format.h>

#include "settings/value_text.h"
#include "text/bounded_number.h"
#include "text/byte_count.h"

namespace reveal::settings {
namespace {

using base::Result;

constexpr std::uint64_t kMostMib = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostPercent = 99;
constexpr const char* kUsualWord = "auto";

bool is_whole_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Result<FreeSpace> parse_free_space(std::string_view text) {
  if (text == kUsualWord) return FreeSpace{};
  if (text.ends_with('%')) {
    return text::count_within(text.substr(0, text.size() - 1), 0, kMostPercent)
        .map([](std::uint64_t percent) {
          return FreeSpace{FreeSpace::Kind::kPercent, percent};
        });
  }
  if (is_whole_number(text)) {
    return text::count_within(text, 0, kMostMib).map([](std::uint64_t mib) {
      return FreeSpace{FreeSpace::Kind::kBytes, mib << 20};
    });
  }
  const auto bytes = text::parse_byte_count(text);
  if (bytes) return FreeSpace{FreeSpace::Kind::kBytes, *bytes};
  return base::fail(base::ErrorKind::kUsage,
                    "must be a size, such as 2GiB, a share of the disk, such as 10%, or auto",
                    std::string(text));
}

std::string to_string(const FreeSpace& space) {
  switch (space.kind) {
    case FreeSpace::Kind::kPercent:
      return fmt::format("{}%", space.amount);
    case FreeSpace::Kind::kBytes:
      return space.amount == 0 ? "0" : size_text(space.amount);
    case FreeSpace::Kind::kUsual:
    case FreeSpace::Kind::kUsualOfService:
      return kUsualWord;
  }
  return kUsualWord;
}

}  // namespace reveal::settings

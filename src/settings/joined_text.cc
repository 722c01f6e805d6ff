#include "settings/joined_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace reveal::settings {
namespace {

constexpr char kSeparator = '\0';

// Takes what stands before the next separator, and that.
std::string_view take_part(std::string_view& rest) {
  const auto end = std::min(rest.find(kSeparator), rest.size());
  const auto out = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return out;
}

}  // namespace

std::string joined_text(const std::vector<FileText>& files) {
  std::string out;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i > 0) out += kSeparator + files[i].name + kSeparator;
    out += files[i].text;
  }
  return out;
}

std::vector<FileText> parted_text(std::string_view joined, const std::string& first_name) {
  std::vector<FileText> out{{first_name, std::string(take_part(joined))}};
  while (!joined.empty()) {
    std::string name(take_part(joined));
    out.push_back({std::move(name), std::string(take_part(joined))});
  }
  return out;
}

}  // namespace reveal::settings

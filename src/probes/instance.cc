#include "probes/instance.h"

#include <algorithm>

#include "text/utf8.h"

namespace reveal::probes {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // of bytes that are not UTF-8

bool stands_for_something(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7f ||
         std::string_view(",={}\"").find(c) != std::string_view::npos;
}

std::string plain(std::string_view value) {
  std::string mended;
  std::string out(text::as_utf8(value, mended));
  for (auto at = out.find(kReplacement); at != std::string::npos; at = out.find(kReplacement, at)) {
    out.replace(at, kReplacement.size(), "_");
  }
  std::replace_if(out.begin(), out.end(), stands_for_something, '_');
  return out;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}

}  // namespace

std::optional<std::string> instance_of(Labels labels) {
  if (labels.size() > kMostLabels) return std::nullopt;
  std::sort(labels.begin(), labels.end());
  std::string out;
  for (const auto& [key, value] : labels) {
    if (value.empty()) continue;
    if (!out.empty()) out += ',';
    out.append(plain(key)).append("=").append(plain(value));
    if (out.size() > kLongestInstance) return std::nullopt;
  }
  return out;
}

bool is_metric_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace reveal::probes

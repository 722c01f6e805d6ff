#include "exchange/foreign_json.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "exchange/otlp_json.h"
#include "exchange/prometheus_json.h"
#include "exchange/sysstat_json.h"
#include "exchange/text_input.h"
#include "exchange/victoriametrics.h"

namespace reveal::exchange {
namespace {

using base::Result;

// Returns the name of the first member of the object that a file begins with; empty if it begins
// with another thing.
Result<std::string> first_member(const std::filesystem::path& path) {
  constexpr std::string_view kSpace = " \t\r\n";
  auto input = TextInput::open(path);
  if (!input) return base::pass(input);
  const auto piece = input->read();
  if (!piece) return base::pass(piece);
  std::string_view text = *piece;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (const char expected : {'{', '"'}) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    if (!text.starts_with(expected)) return std::string();
    text.remove_prefix(1);
  }
  return std::string(text.substr(0, text.find('"')));
}

}  // namespace

Result<void> gather_json(const std::filesystem::path& path, const ImportOptions& options,
                         Gathering& out) {
  const auto member = first_member(path);
  if (!member) return base::pass(member);
  if (*member == "resourceMetrics") return gather_otlp(path, options, out);
  if (*member != "sysstat") return gather_prometheus(path, options, out);
  auto input = TextInput::open(path);
  if (!input) return base::pass(input);
  return gather_sysstat_json(std::move(*input), options, out);
}

Result<void> gather_json_lines(const std::filesystem::path& path, const ImportOptions& options,
                               Gathering& out) {
  const auto member = first_member(path);
  if (!member) return base::pass(member);
  if (*member == "resourceMetrics") return gather_otlp(path, options, out);
  return gather_victoriametrics(path, options, out);
}

}  // namespace reveal::exchange

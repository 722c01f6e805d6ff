#include "replay/recording_part.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "replay/time_point.h"
#include "store/segment_reader.h"
#include "text/time_text.h"

namespace reveal::replay {
namespace {

using base::ErrorKind;

constexpr const char* kRemedy =
    "write DIR@FROM..TO, such as runs/today@14:03:00..14:13:00 or runs/today@+30s..-1m";

struct Words {
  std::string directory;
  std::string from;
  std::string to;
};

base::Result<Words> words_of(const std::string& text) {
  std::error_code unknown;
  const auto at = text.rfind('@');
  if (at == std::string::npos || std::filesystem::exists(text, unknown)) return Words{text, {}, {}};
  const std::string interval = text.substr(at + 1);
  const auto dots = interval.find("..");
  if (dots == std::string::npos || interval.find("..", dots + 1) != std::string::npos) {
    return base::fail(ErrorKind::kUsage, "is not FROM..TO", interval, kRemedy);
  }
  return Words{text.substr(0, at), interval.substr(0, dots), interval.substr(dots + 2)};
}

}  // namespace

base::Result<RecordingPart> parse_recording_part(const std::string& text) {
  const auto words = words_of(text);
  if (!words) return base::pass(words);
  const auto span = store::wall_span(words->directory);
  if (!span) return base::pass(span);
  RecordingPart out{words->directory, span->begin_ns, span->end_ns, false};
  for (const auto& [word, ns] :
       {std::pair{&words->from, &out.begin_ns}, {&words->to, &out.end_ns}}) {
    if (word->empty()) continue;
    const auto time_point = parse_time_point(*word, span->begin_ns, span->end_ns);
    if (!time_point) return base::pass(time_point);
    *ns = *time_point;
  }
  const bool is_part = !words->from.empty() || !words->to.empty();
  if (is_part && out.begin_ns >= out.end_ns) {
    return base::fail(ErrorKind::kUsage,
                      fmt::format("is empty: it begins at {} and ends at {}",
                                  text::iso_time(out.begin_ns), text::iso_time(out.end_ns)),
                      text, kRemedy);
  }
  const bool has_nothing = out.begin_ns > span->end_ns || out.end_ns < span->begin_ns;
  if (has_nothing) {
    return base::fail(ErrorKind::kUsage,
                      fmt::format("has nothing of the recording, which is of {} to {}",
                                  text::iso_time(span->begin_ns), text::iso_time(span->end_ns)),
                      text, kRemedy);
  }
  out.is_cut = out.end_ns <= span->end_ns && !words->to.empty();
  out.begin_ns = std::max(out.begin_ns, span->begin_ns);
  out.end_ns = std::min(out.end_ns, span->end_ns);
  return out;
}

}  // namespace reveal::replay

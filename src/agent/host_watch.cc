#include "agent/host_watch.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "agent/evidence.h"
#include "base/new_file.h"
#include "base/whole_file.h"
#include "text/bounded_number.h"

namespace reveal::agent {
namespace {

// Another window joins a finding if at most a window's length lies between them
// (attribute/merge.h): it ends two lengths later, and its verdict comes a little after that.
constexpr std::int64_t kSlack_ns = 2'000'000'000;

FindingLogOptions log_options(const Paths& paths, const pipeline::PipelineConfig& config) {
  FindingLogOptions out;
  out.directory = paths.findings();
  const auto& length = config.windows.length;
  if (length && length->unit == window::Length::Unit::kNanoseconds) {
    out.over_ns = std::max(out.over_ns, 2 * length->amount + kSlack_ns);
  }
  const auto judged = base::read_whole_file(paths.judged(), "state of the judge", 64);
  if (!judged) return out;
  const auto end = std::min(judged->find('\n'), judged->size());
  const auto ns = text::number_within(std::string_view(*judged).substr(0, end), std::int64_t{0},
                                      std::numeric_limits<std::int64_t>::max());
  // Without it, something that is known may be told once more, which is better than silence.
  if (ns) out.judged_ns = *ns;
  return out;
}

}  // namespace

HostWatch::HostWatch(const Paths& paths, const pipeline::PipelineConfig& config,
                     std::int64_t now_ns)
    : paths_(paths),
      recording_(paths.recording(), now_ns - live::kPast_ns),
      judge_(config),
      log_(log_options(paths, config), now_ns) {}

base::Result<std::vector<std::string>> HostWatch::refresh() {
  // Until its first frame is stored, it is not a recording.
  if (!recording_.has_begun() && !recording_.is_growing()) return std::vector<std::string>();
  const auto done = recording_.read_new(judge_);
  // What was there before it was followed has been read.
  if (recording_.has_begun()) judge_.fit_in_background();
  if (!done) return base::pass(done);
  return log_.update(judge_.history());
}

base::Result<void> HostWatch::pin() {
  for (const auto& id : log_.take_final()) {
    const auto* finding = log_.find(id);
    if (finding == nullptr) continue;
    const auto folder = folder_of(paths_.findings(), *finding);
    if (auto kept = pin_evidence(paths_.recording(), folder, *finding); !kept) return kept;
  }
  return {};
}

base::Result<void> HostWatch::save() const {
  const auto& windows = judge_.history().windows;
  if (windows.empty() || !windows.back().judged) return {};
  return base::write_new_file(paths_.judged(), fmt::format("{}\n", windows.back().span.end_ns));
}

}  // namespace reveal::agent

#include "agent/evidence.h"

#include <algorithm>
#include <system_error>

#include "agent/stretch.h"
#include "base/new_file.h"
#include "base/whole_file.h"
#include "retention/wall_spans.h"
#include "text/time_text.h"

namespace reveal::agent {

namespace fs = std::filesystem;
using base::Result;

namespace {

constexpr std::size_t kMostNoteBytes = 64;

fs::path note_in(const fs::path& folder) {
  return folder / "evidence_gone";
}

}  // namespace

Result<void> pin_evidence(const fs::path& recording, const fs::path& folder,
                          const LoggedFinding& finding, const EvidenceLimits& limits) {
  const auto kept = folder / kEvidenceFolder;
  std::error_code ignored;
  if (fs::exists(kept, ignored) || fs::exists(note_in(folder), ignored)) return {};
  Stretch stretch;
  stretch.from_ns = finding.windows_begin_ns - retention::kEvidenceMargin_ns;
  stretch.to_ns = std::min(finding.windows_end_ns + retention::kEvidenceMargin_ns,
                           stretch.from_ns + kLongest_ns);
  stretch.min_free_bytes = limits.min_free_bytes;
  stretch.max_bytes = limits.max_bytes;
  stretch.may_be_cut = true;
  return keep_stretch(recording, kept, stretch).map([](std::uint64_t) {});
}

void note_evidence_gone(const fs::path& folder, std::int64_t now_ns) {
  std::error_code ignored;
  if (fs::exists(note_in(folder), ignored)) return;
  static_cast<void>(base::write_new_file(note_in(folder), text::iso_time(now_ns) + "\n"));
}

std::optional<std::string> evidence_gone_since(const fs::path& folder) {
  auto since = base::read_whole_file(note_in(folder), "note", kMostNoteBytes);
  if (!since) return std::nullopt;
  return since->substr(0, since->find('\n'));
}

}  // namespace reveal::agent

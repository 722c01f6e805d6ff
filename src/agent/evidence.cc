#include "agent/evidence.h"

#include <algorithm>
#include <system_error>

#include "agent/stretch.h"
#include "retention/wall_spans.h"
#include "store/segment_writer.h"

namespace reveal::agent {

namespace fs = std::filesystem;
using base::Result;

Result<void> pin_evidence(const fs::path& recording, const fs::path& folder,
                          const LoggedFinding& finding) {
  const auto kept = folder / "evidence";
  std::error_code ignored;
  if (fs::exists(kept, ignored)) return {};
  Stretch stretch;
  stretch.from_ns = finding.windows_begin_ns - retention::kEvidenceMargin_ns;
  stretch.to_ns = std::min(finding.windows_end_ns + retention::kEvidenceMargin_ns,
                           stretch.from_ns + kLongest_ns);
  stretch.min_free_bytes = store::WriterOptions().min_free_bytes;
  return keep_stretch(recording, kept, stretch).map([](std::uint64_t) {});
}

}  // namespace reveal::agent

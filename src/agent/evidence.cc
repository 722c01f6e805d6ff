#include "agent/evidence.h"

#include <algorithm>
#include <system_error>

#include "retention/recording_end.h"
#include "retention/wall_spans.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal::agent {

namespace fs = std::filesystem;
using base::Result;

Result<void> pin_evidence(const fs::path& recording, const fs::path& folder,
                          const LoggedFinding& finding) {
  const auto kept = folder / "evidence";
  std::error_code ignored;
  if (fs::exists(kept, ignored)) return {};
  const auto from_ns = finding.windows_begin_ns - retention::kEvidenceMargin_ns;
  store::ReadOptions span;
  span.from_ns = from_ns;
  span.to_ns =
      std::min(finding.windows_end_ns + retention::kEvidenceMargin_ns, from_ns + kLongest_ns);
  auto reader = store::SegmentReader::open(recording, span);
  if (!reader) return base::pass(reader);
  auto writer = store::SegmentWriter::create(kept);
  if (!writer) return base::pass(writer);
  const auto copied = retention::copy_or_fail(*reader, *writer);
  if (copied) return {};
  fs::remove_all(kept, ignored);
  return base::pass(copied);
}

}  // namespace reveal::agent

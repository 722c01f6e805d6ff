#include "agent/evidence.h"

#include <algorithm>
#include <system_error>

#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using base::Result;

Result<void> copy(store::SegmentReader& reader, store::SegmentWriter& writer) {
  if (auto begun = writer.begin(reader.facts()); !begun) return begun;
  for (;;) {
    const auto frame = reader.next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return writer.finish();
    if (auto written = writer.write(reader.channels(), **frame); !written) return written;
    if (const auto& failed = writer.status().first_failure) return base::Unexpected(*failed);
  }
}

}  // namespace

Result<void> pin_evidence(const fs::path& recording, const fs::path& folder,
                          const LoggedFinding& finding) {
  const auto kept = folder / "evidence";
  std::error_code ignored;
  if (fs::exists(kept, ignored)) return {};
  const auto from_ns = finding.windows_begin_ns - kMargin_ns;
  store::ReadOptions span;
  span.from_ns = from_ns;
  span.to_ns = std::min(finding.windows_end_ns + kMargin_ns, from_ns + kLongest_ns);
  auto reader = store::SegmentReader::open(recording, span);
  if (!reader) return base::pass(reader);
  auto writer = store::SegmentWriter::create(kept);
  if (!writer) return base::pass(writer);
  auto copied = copy(*reader, *writer);
  if (!copied) fs::remove_all(kept, ignored);
  return copied;
}

}  // namespace reveal::agent

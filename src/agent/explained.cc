#include "agent/explained.h"

#include "agent/finding_file.h"
#include "agent/finding_id.h"
#include "agent/kept_finding.h"
#include "replay/channel_samples.h"

namespace reveal::agent {

base::Result<std::string> explained(const std::filesystem::path& folder) {
  const auto kept = load_kept_finding(folder);
  if (!kept) return base::pass(kept);
  if (kept->evidence_gone) return explanation(*kept, {});
  const auto& verdict = kept->verdict;
  const auto samples = replay::channel_samples(kept->evidence().string(), verdict.claim.channel,
                                               verdict.first_sequence, verdict.ticks);
  if (!samples) return base::pass(samples);
  return explanation(*kept, *samples);
}

base::Result<std::string> explained(const std::filesystem::path& findings, const std::string& id) {
  const auto folder = is_finding_id(id) ? folder_of(findings, id) : std::nullopt;
  if (folder) return explained(*folder);
  return base::fail(base::ErrorKind::kAbsent, "this host has no finding with this id (any more)",
                    id);
}

}  // namespace reveal::agent

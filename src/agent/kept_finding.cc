#include "agent/kept_finding.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "agent/evidence.h"
#include "agent/finding_file.h"
#include "agent/finding_id.h"
#include "feature/feature.h"
#include "report/explanation_steps.h"
#include "text/time_text.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using base::Result;
using report::figure;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string source_text(const KeptFinding& kept) {
  if (!kept.evidence_gone) {
    return "From what was kept with it. Steps 1 and 2 are computed from its frames; 3 to 5\n  are "
           "what the judge knew then.";
  }
  return fmt::format(
      "Its frames are not kept since {}: record.max_size leaves\n  room for newer ones. All steps "
      "are what the judge knew then.",
      *kept.evidence_gone);
}

std::string heading(const KeptFinding& kept) {
  const auto& finding = kept.finding;
  return fmt::format("Finding {} of {}: {}, {}, {}\n  {}.\n  {}\n", finding.id, finding.host,
                     model::to_string(finding.subsystem),
                     text::iso_time(finding.windows_begin_ns).substr(0, 10),
                     report::span_of(finding.windows_begin_ns, finding.windows_end_ns),
                     finding.claim, source_text(kept));
}

std::string samples_step(const KeptFinding& kept, const std::vector<double>& samples) {
  const auto& verdict = kept.verdict;
  const auto title = fmt::format(
      "\n1  The samples of {}\n   in window {}, {}, the farthest from the usual; in {}\n",
      verdict.claim.channel, verdict.window, report::span_of(verdict.begin_ns, verdict.end_ns),
      verdict.channel_unit);
  const bool none = std::none_of(samples.begin(), samples.end(),
                                 [](double sample) { return std::isfinite(sample); });
  if (!none) return title + report::samples_text(samples);
  if (kept.evidence_gone) return title + "   are not kept any more\n";
  return title + "   were not kept: of a long finding, its first minutes are\n";
}

std::string usual_step(const FindingVerdict& verdict) {
  const auto& unit = verdict.claim.unit;
  auto where = std::string("in the saved baseline");
  if (verdict.is_earlier_run || !verdict.is_saved_baseline) {
    where = fmt::format("over {} windows {} {} to {}", verdict.baseline_windows,
                        verdict.is_earlier_run ? "of earlier runs, the last from" : "from",
                        text::iso_time(verdict.baseline_begin_ns),
                        text::iso_time(verdict.baseline_end_ns));
  }
  return fmt::format("\n3  The usual value, {}\n   median {}, median absolute deviation {}\n",
                     where, figure(verdict.claim.usual, unit), figure(verdict.mad, unit));
}

std::string detectors_step(const FindingVerdict& verdict) {
  std::vector<report::DetectorWord> words;
  words.reserve(verdict.detectors.size());
  int votes = 0;
  int all = 0;
  for (const auto& one : verdict.detectors) {
    votes += one.flagged ? one.votes : 0;
    all += one.votes;
    words.push_back(
        {.label = one.label,
         .score = one.score,
         .limit = one.limit,
         .usual = one.usual_score,
         .share = one.flagged ? report::share_text(one.share) : std::string("does not flag it")});
  }
  return fmt::format("\n4  The detectors, in window {}\n{}   {} of {} votes; {} make a finding\n",
                     verdict.window, report::detectors_text(words, 1), votes, all,
                     verdict.min_agreement);
}

std::string blame_step(const KeptFinding& kept) {
  const auto& verdict = kept.verdict;
  auto out = fmt::format(
      "\n5  The blame, over the finding's {} windows and the detectors that flag them\n   {}\n"
      "   its largest parts:\n",
      verdict.windows, report::shares_text(verdict.shares));
  for (const auto& pair : verdict.largest) out += report::pair_text(pair);
  out +=
      fmt::format("   the sentence is about {}, the part of {} with the largest relative change:\n",
                  verdict.claim.channel, model::to_string(kept.finding.subsystem));
  return out + report::pair_text(verdict.claim);
}

std::string check_step(const KeptFinding& kept) {
  const auto& verdict = kept.verdict;
  if (kept.evidence_gone) {
    return fmt::format("\nThe figures are in {}.\ndocs/scores.md explains how each is computed.\n",
                       verdict_file(kept.folder).string());
  }
  return fmt::format(
      "\nTo reproduce the figures\n"
      "   1  reveal export {0} --derived --channels '{1}' --from {2} --to {3}\n"
      "   2  reveal features {0} --channels '{1}' --features '{4}' --window {5} --stride {6}\n"
      "   3 to 5 are in {7}.\n"
      "docs/scores.md explains how each is computed.\n",
      kept.evidence().string(), verdict.claim.channel, text::iso_time(verdict.begin_ns),
      text::iso_time(verdict.end_ns), verdict.claim.feature, verdict.ticks, verdict.stride_ticks,
      verdict_file(kept.folder).string());
}

base::Unexpected nothing_to_explain(const KeptFinding& kept) {
  return base::fail(
      base::ErrorKind::kTooLittle, "nothing was kept that explains this finding",
      kept.folder.string(),
      "that is so if no single metric stands out, or if an older Reveal found it; finding.json "
      "lists its evidence");
}

}  // namespace

bool is_finding_folder(const fs::path& folder) {
  return is_there(finding_file(folder));
}

Result<fs::path> find_folder(const fs::path& findings, const std::string& id) {
  const auto folder = folder_of(findings, id);
  if (folder) return *folder;
  return base::fail(base::ErrorKind::kUsage, fmt::format("there is no finding {}", id),
                    findings.string(),
                    "name the agent's folder with --directory, or the finding's own");
}

Result<KeptFinding> load_kept_finding(const fs::path& folder) {
  KeptFinding out;
  // As it was typed, without a slash at its end: the commands that are printed have it.
  out.folder = folder.has_filename() ? folder : folder.parent_path();
  auto finding = load_finding(finding_file(folder));
  if (!finding) return base::pass(finding);
  out.finding = *std::move(finding);
  if (!is_there(verdict_file(folder))) return nothing_to_explain(out);
  auto verdict = load_verdict(verdict_file(folder));
  if (!verdict) return base::pass(verdict);
  out.verdict = *std::move(verdict);
  out.evidence_gone = evidence_gone_since(folder);
  if (out.evidence_gone) return out;
  if (is_there(out.evidence())) return out;
  return base::fail(base::ErrorKind::kTooLittle, "the frames of this finding are not kept yet",
                    out.evidence().string(), "they are half a minute after its end");
}

std::string explanation(const KeptFinding& kept, const std::vector<double>& samples) {
  const auto& verdict = kept.verdict;
  return heading(kept) + samples_step(kept, samples) +
         report::feature_text(*feature::find_feature(verdict.claim.feature), verdict.claim.observed,
                              verdict.claim.unit, samples) +
         usual_step(verdict) + detectors_step(verdict) + blame_step(kept) + check_step(kept);
}

}  // namespace reveal::agent

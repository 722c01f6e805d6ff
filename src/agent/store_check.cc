#include "agent/store_check.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "agent/daily_reports.h"
#include "agent/evidence.h"
#include "agent/finding_file.h"
#include "agent/finding_id.h"
#include "agent/finding_verdict.h"
#include "agent/kept_items.h"
#include "agent/recording_check.h"
#include "agent/stretch.h"
#include "agent/watch_log.h"
#include "alert/board_json.h"
#include "base/whole_file.h"
#include "detect/baseline_file.h"
#include "publish/event_ledger.h"
#include "publish/host_id.h"
#include "publish/owed_seconds.h"
#include "store/recording_dir.h"
#include "text/bounded_number.h"
#include "text/quantity.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

constexpr const char* kRecordingRemedy =
    "nothing need be done: the frames there are lost, all others are read; reveal repair copies "
    "them";
constexpr const char* kCopyRemedy =
    "reveal repair copies what can be read; what cannot be read is lost";

// Returns what is in a folder, by name; none if it is not there.
std::vector<fs::path> in_order(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    out.push_back(it->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Result<void> check_judged(const fs::path& file) {
  const auto text = base::read_whole_file(file, "state of the judge", 64);
  if (!text) return base::pass(text);
  const auto line = std::string_view(*text).substr(0, text->find('\n'));
  if (text::number_within(line, std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
    return {};
  return base::fail(ErrorKind::kCorrupt, "does not say up to when was judged", file.string(),
                    "remove it: what is known of the last minutes may be told once more");
}

Result<void> check_workload(const fs::path& file) {
  auto baseline = detect::load_baseline(file);
  if (baseline) return {};
  auto error = std::move(baseline).error();
  error.remedy = "remove it: what is usual of that workload is learned anew";
  return base::Unexpected(std::move(error));
}

Result<void> check_alerts(const fs::path& file) {
  const auto text = base::read_whole_file(file, "state of alerts");
  if (!text) return base::pass(text);
  const auto episodes = alert::episodes_from(*text);
  if (episodes) return {};
  auto error = episodes.error();
  error.where = file.string();
  error.remedy = "remove it: receivers may be told again of what is open now";
  return base::Unexpected(std::move(error));
}

// What somebody reads who says what is wrong only in a message.
Result<void> said(const std::string& trouble) {
  return trouble.empty() ? Result<void>() : base::fail(ErrorKind::kCorrupt, trouble);
}

class Check {
 public:
  explicit Check(const Paths& paths) : paths_(paths) {}

  StoreCheck run() {
    const auto recording = paths_.recording();
    if (is_there(recording)) recorded(recording, kRecordingRemedy, false);
    for (const char* rollup : {"1s", "1min", "evidence"}) {
      if (is_there(recording / rollup)) recorded(recording / rollup, kRecordingRemedy, true);
    }
    for (const auto& pin : in_order(paths_.pins())) this->pin(pin);
    for (const auto& year : in_order(paths_.findings())) {
      for (const auto& month : in_order(year)) {
        for (const auto& day : in_order(month)) {
          for (const auto& folder : in_order(day)) finding(folder);
        }
      }
    }
    for (const auto& year : in_order(paths_.reports())) {
      for (const auto& month : in_order(year)) {
        for (const auto& file : in_order(month)) {
          if (file.extension() == ".json") take(check_report(file));
        }
      }
    }
    state();
    out_.bytes = bytes_below(paths_.directory);
    return std::move(out_);
  }

 private:
  void take(const Result<void>& checked) {
    ++out_.files;
    if (!checked) out_.damage.push_back(checked.error());
  }

  void recorded(const fs::path& dir, const char* remedy, bool is_whole) {
    auto checked = check_recording(dir, remedy, is_whole);
    ++out_.recordings;
    out_.frames += checked.frames;
    std::move(checked.damage.begin(), checked.damage.end(), std::back_inserter(out_.damage));
  }

  void pin(const fs::path& folder) {
    if (folder.extension() != kUnfinished) return recorded(folder, kCopyRemedy, true);
    out_.remarks.push_back(
        fmt::format("{} is being copied, or an agent was ended while it was", folder.string()));
  }

  void finding(const fs::path& folder) {
    if (!is_finding_id(folder.filename().string())) {
      out_.remarks.push_back(fmt::format("{} is not the agent's", folder.string()));
      return;
    }
    ++out_.findings;
    const auto finding = load_finding(finding_file(folder));
    if (!finding) return damaged(finding.error(), "move its folder elsewhere: it cannot be told");
    if (is_there(verdict_file(folder))) {
      if (const auto verdict = load_verdict(verdict_file(folder)); !verdict) {
        damaged(verdict.error(), "remove it: the finding is told, and not explained");
      }
    }
    const auto evidence = folder / kEvidenceFolder;
    if (evidence_gone_since(folder)) return;
    if (is_there(evidence)) return recorded(evidence, kCopyRemedy, true);
    if (finding->open) return;
    out_.remarks.push_back(
        fmt::format("{} has no frames: they come half a minute after its end, if the agent has not "
                    "ended before",
                    folder.string()));
  }

  void damaged(base::Error error, const char* remedy) {
    error.remedy = remedy;
    out_.damage.push_back(std::move(error));
  }

  void state() {
    if (is_there(paths_.judged())) take(check_judged(paths_.judged()));
    if (is_there(paths_.alerts())) take(check_alerts(paths_.alerts()));
    for (const auto& file : in_order(paths_.watched())) {
      if (file.extension() == ".json") take(check_watched(file));
    }
    for (const auto& file : in_order(paths_.workloads())) {
      if (file.extension() == ".baseline") take(check_workload(file));
    }
    // The id is made if it is not there, which is not for this to do.
    if (is_there(paths_.identity())) {
      take(publish::host_id(paths_.identity()).map([](const std::string&) {}));
    }
    if (is_there(paths_.fleet_events())) {
      take(said(publish::EventLedger(paths_.fleet_events()).take_trouble()));
    }
    if (is_there(paths_.fleet_owed())) {
      take(said(publish::OwedSeconds(paths_.fleet_owed()).take_trouble()));
    }
  }

  const Paths& paths_;
  StoreCheck out_;
};

}  // namespace

Result<StoreCheck> check_store(const Paths& paths) {
  std::error_code failed;
  const bool is_one = fs::is_directory(paths.state(), failed);
  if (is_one) return Check(paths).run();
  if (failed && failed != std::errc::no_such_file_or_directory) {
    return base::fail_errno(failed.value(), "cannot look into the agent's folder",
                            paths.directory.string());
  }
  return base::fail(ErrorKind::kAbsent, "is not the folder of an agent", paths.directory.string(),
                    "--directory names another");
}

std::string summary_of(const StoreCheck& check) {
  const auto places = check.damage.size();
  return fmt::format(
      "{} recordings with {} frames, {} findings, {} files of reports and state, {} in all: {}",
      check.recordings, check.frames, check.findings, check.files,
      text::format_quantity(static_cast<double>(check.bytes), "bytes"),
      places == 0 ? std::string("sound") : fmt::format("{} damaged", places));
}

}  // namespace reveal::agent

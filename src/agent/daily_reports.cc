#include "agent/daily_reports.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "agent/checked_json.h"
#include "agent/look_back.h"
#include "base/new_file.h"
#include "base/thread.h"
#include "base/whole_file.h"
#include "digest/digest_text.h"
#include "text/local_day.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::int64_t kTryAgain_ns = 600'000'000'000;
constexpr const char* kText = ".txt";
constexpr const char* kJson = ".json";
constexpr const char* kSchema = "reveal.digest";
constexpr const char* kTextChecksum = "text_crc32";  // of the file with the text, in that of JSON

bool knows_anything(const digest::Digest& digest) {
  return digest.findings > 0 || digest.judged_ns + digest.learning_ns + digest.degraded_ns > 0;
}

// The JSON is the last: where it is, both are.
Result<void> write(const Paths& paths, const digest::Digest& digest) {
  const auto file = report_file(paths, digest.from_ns, kJson);
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) {
    return base::fail_errno(failed.value(), "cannot make the folder", file.parent_path().string());
  }
  const auto text = digest::to_text(digest);
  auto written = base::write_new_file(report_file(paths, digest.from_ns, kText), text);
  if (!written) return written;
  const auto json = with_member(digest::to_json(digest), kTextChecksum, crc32_text(text));
  return base::write_new_file(file, with_checksum(json));
}

// Paths are in the order of their days.
void remove_oldest(const Paths& paths) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(paths.reports(), failed), end; !failed && it != end;
       it.increment(failed)) {
    if (it->path().extension() == kJson) found.push_back(it->path());
  }
  if (found.size() <= kMostReports) return;
  std::sort(found.begin(), found.end());
  found.resize(found.size() - kMostReports);
  for (auto file : found) {
    std::error_code ignored;
    fs::remove(file, ignored);
    fs::remove(file.replace_extension(kText), ignored);
    fs::remove(file.parent_path(), ignored);  // if that was its last
  }
}

// No exception leaves the thread that makes a report: that would end the judge.
Result<bool> made_report(const Paths& paths, std::int64_t now_ns) {
  try {
    return write_report_of_yesterday(paths, now_ns);
  } catch (const std::exception& error) {
    return base::fail(base::ErrorKind::kIo, error.what());
  }
}

}  // namespace

fs::path report_file(const Paths& paths, std::int64_t wall_ns, const char* ending) {
  const auto date = text::local_date(wall_ns);
  return paths.reports() / date.substr(0, 4) / date.substr(5, 2) / (date.substr(8) + ending);
}

Result<void> check_report(const fs::path& file) {
  constexpr const char* kRemedy =
      "remove it: reveal report --since makes it again from the findings";
  auto whole = base::read_whole_file(file, "report of a day");
  if (!whole) return base::pass(whole);
  const auto checked = without_checksum(*std::move(whole), file);
  const auto json = nlohmann::json::parse(checked ? *checked : std::string(), nullptr, false);
  if (!json.is_object() || json.value("schema", nlohmann::json()) != kSchema) {
    return base::fail(base::ErrorKind::kCorrupt,
                      checked ? "is not the report of a day" : checked.error().what, file.string(),
                      kRemedy);
  }
  const auto beside = fs::path(file).replace_extension(kText);
  const auto text = base::read_whole_file(beside, "report of a day");
  if (!text && text.error().kind != base::ErrorKind::kAbsent) return base::pass(text);
  if (!text || !json.contains(kTextChecksum)) return {};
  if (json[kTextChecksum] == crc32_text(*text)) return {};
  return base::fail(base::ErrorKind::kCorrupt, "has another checksum than its JSON says",
                    beside.string(), kRemedy);
}

Result<bool> write_report_of_yesterday(const Paths& paths, std::int64_t now_ns) {
  const auto from_ns = text::local_day(now_ns, -1);
  std::error_code ignored;
  if (fs::exists(report_file(paths, from_ns, kJson), ignored)) return false;
  const auto digest =
      look_back(paths, {.from_ns = from_ns, .to_ns = text::local_day(now_ns), .now_ns = now_ns});
  if (!digest) return base::pass(digest);
  if (!knows_anything(*digest)) return false;
  if (auto written = write(paths, *digest); !written) return base::pass(written);
  remove_oldest(paths);
  return true;
}

DailyReports::~DailyReports() {
  if (thread_.joinable()) thread_.join();
}

std::string DailyReports::update(std::int64_t now_ns) {
  if (!wanted_) return {};
  if (now_ns < begun_ns_) due_ns_ = 0;  // the clock was set back
  if (making_) return end(now_ns);
  if (now_ns >= due_ns_) begin(now_ns);
  return {};
}

void DailyReports::begin(std::int64_t now_ns) {
  const auto settled_ns = text::local_day(now_ns) + kReportAfter_ns;
  if (now_ns < settled_ns) {
    due_ns_ = settled_ns;
    return;
  }
  const auto make = [this, now_ns] {
    auto made = made_report(paths_, now_ns);
    const std::lock_guard lock(mutex_);
    outcome_ = std::move(made);
  };
  making_ = true;
  begun_ns_ = now_ns;
  auto thread = base::start_thread("the report of a day", make);
  if (thread) {
    thread_ = std::move(*thread);
  } else {
    outcome_ = base::pass(thread);
  }
}

std::string DailyReports::end(std::int64_t now_ns) {
  std::optional<Result<bool>> made;
  {
    const std::lock_guard lock(mutex_);
    made = std::exchange(outcome_, std::nullopt);
  }
  if (!made) return {};
  if (thread_.joinable()) thread_.join();
  making_ = false;
  due_ns_ = *made ? text::local_day(begun_ns_, 1) + kReportAfter_ns : now_ns + kTryAgain_ns;
  return *made ? std::string() : "the report of the day: " + made->error().message();
}

}  // namespace reveal::agent

#include "exchange/iostat_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "exchange/line_words.h"
#include "exchange/sysstat_samples.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kProcessors = "avg-cpu:";
constexpr std::string_view kDevice = "Device";
constexpr std::string_view kRemedy = "write the file with iostat -xt 1";

bool is_device_head(std::string_view word) {
  return word == kDevice || word == "Device:";  // until sysstat 11
}

bool is_head(const Words& words) {
  return !words.empty() && (words[0] == kProcessors || is_device_head(words[0]));
}

class IostatReports {
 public:
  IostatReports(const AheadRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), samples_(options, out), out_(out) {}

  Result<void> take(const std::string& line) {
    const auto words = words_of(line);
    if (words.empty()) return {};
    if (words[0] == "Linux") return take_host(line);
    if (is_head(words)) return read_head(words);
    day_first_ = day_first_ || says_day_first(words[0]);
    if (const auto time = parse_local_time(line, day_first_)) return begin_report(line, *time);
    if (words.back() == kDevice) {
      return base::fail(ErrorKind::kUsage, "has the values of iostat --human", records_.where(),
                        std::string(kRemedy));
    }
    return take_values(words);
  }

  void end() {
    out_.remark(
        "iostat's first report is left out: it is the mean since the boot, unless iostat "
        "was given -y");
    if (local_) {
      out_.remark("iostat's times are local ones without their zone, and are taken for UTC");
    }
    if (slashes_ && !day_first_) {
      out_.remark(
          "dates with slashes are read with the month first; iostat with S_TIME_FORMAT=ISO "
          "writes plain ones");
    }
  }

 private:
  // "Linux 6.1.0 (node7) 11/28/26 _x86_64_ (2 CPU)"
  Result<void> take_host(std::string_view line) {
    const auto opening = line.find('(');
    const auto closing = line.find(')', std::min(opening, line.size()));
    if (closing == std::string_view::npos) return {};
    host_ = line.substr(opening + 1, closing - opening - 1);
    for (const auto word : words_of(line)) day_first_ = day_first_ || says_day_first(word);
    reports_ = 0;
    return {};
  }

  Result<void> begin_report(std::string_view line, std::int64_t time) {
    ++reports_;
    time_ = time;
    const bool plain = text::parse_date(line).has_value();
    slashes_ = slashes_ || (!plain && line.find('/') != std::string_view::npos);
    local_ = local_ || !plain || line.find('T') == std::string_view::npos;
    report_ = nullptr;
    return {};
  }

  Result<void> read_head(const Words& words) {
    const bool device = is_device_head(words[0]);
    report_ = device ? report_of_heads(kDevice, "") : report_of_heads("", "%user");
    heads_.assign(words.begin() + 1, words.end());
    if (time_) return {};
    return base::fail(ErrorKind::kUsage, "has no times", records_.where(), std::string(kRemedy));
  }

  Result<void> take_values(const Words& words) {
    const bool device = report_ != nullptr && !report_->label.empty();
    const std::size_t first = device ? 1 : 0;
    if (report_ == nullptr || words.size() != heads_.size() + first) {
      return base::fail(ErrorKind::kCorrupt,
                        fmt::format("has {} words, but its header asks for {}", words.size(),
                                    heads_.size() + first),
                        records_.where(), "remove the line, or " + std::string(kRemedy));
    }
    if (reports_ == 1) return {};
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      const auto number = number_of(words[i + first]);
      if (!number) {
        return base::fail(
            ErrorKind::kCorrupt,
            fmt::format("column {}: \"{}\" is not a number", heads_[i], words[i + first]),
            records_.where(), "remove the line, or " + std::string(kRemedy));
      }
      samples_.add(*report_, device ? words[0] : std::string_view(), heads_[i], host_, *time_,
                   *number);
    }
    return {};
  }

  // Some locales have a decimal comma.
  static std::optional<text::Number> number_of(std::string_view word) {
    std::string plain(word);
    std::ranges::replace(plain, ',', '.');
    return text::parse_number(plain);
  }

  const AheadRecords& records_;
  SysstatSamples samples_;
  Gathering& out_;
  std::string host_;
  std::uint64_t reports_ = 0;
  std::optional<std::int64_t> time_;
  const SysstatReport* report_ = nullptr;
  std::vector<std::string> heads_;
  bool day_first_ = false;
  bool slashes_ = false;
  bool local_ = false;
};

}  // namespace

bool is_iostat(const std::vector<AheadRecords::Row>& rows) {
  constexpr std::size_t kLookedAt = 4;
  if (rows.empty() || !line_of(rows[0]).starts_with("Linux ")) return false;
  for (std::size_t i = 1; i < std::min(kLookedAt, rows.size()); ++i) {
    if (is_head(words_of(line_of(rows[i])))) return true;
  }
  return false;
}

Result<void> gather_iostat(AheadRecords& records, const ImportOptions& options, Gathering& out) {
  IostatReports reports(records, options, out);
  for (;;) {
    const auto cells = records.next();
    if (!cells) return base::pass(cells);
    if (*cells == nullptr) break;
    if (auto done = reports.take(line_of(**cells)); !done) return done;
  }
  reports.end();
  return {};
}

}  // namespace reveal::exchange

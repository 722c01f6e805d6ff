#include "exchange/sysstat_json.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exchange/json_characters.h"
#include "exchange/sysstat_samples.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using nlohmann::json;

constexpr const char* kRemedy =
    "write the file with sadf -j FILE -- REPORTS, or iostat -xt -o JSON";

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

class Statistics {
 public:
  Statistics(std::string where, const ImportOptions& options, Gathering& out)
      : where_(std::move(where)), samples_(options, out), out_(out) {}

  // What the host's object says before its statistics.
  void take_host(std::string name) {
    host_ = std::move(name);
    began_ = false;
  }
  void take_zone(std::string name) { zone_ = std::move(name); }
  void take_restart() { ++restarts_; }

  Result<void> take(const json& one) {
    ++count_;
    const auto time = time_of(one);
    if (!time) return base::pass(time);
    const bool since_boot = iostat_ && !std::exchange(began_, true);
    if (since_boot) return {};
    for (const auto& [section, value] : one.items()) {
      if (section == "timestamp") continue;
      if (auto done = take_section(section, value, *time); !done) return done;
    }
    return {};
  }

  bool any() const { return count_ > 0; }

  Result<void> end() {
    if (count_ == 0) {
      return base::fail(ErrorKind::kTooLittle, "has no statistics", where_, kRemedy);
    }
    if (iostat_) {
      out_.remark(
          "iostat's first report is left out: it is the mean since the boot, unless iostat "
          "was given -y");
    }
    if (local_) {
      out_.remark(fmt::format("the times are local ones{}, and are taken for UTC",
                              zone_.empty() ? "" : " of the zone " + zone_));
    }
    if (month_first_) {
      out_.remark(
          "dates with slashes are read with the month first; iostat with S_TIME_FORMAT=ISO "
          "writes plain ones");
    }
    if (restarts_ > 0) out_.remark(fmt::format("the host was started again {} times", restarts_));
    if (!unknown_.empty()) {
      out_.remark(
          fmt::format("reports that are not known are left out: {}", fmt::join(unknown_, ", ")));
    }
    return {};
  }

 private:
  base::Unexpected broken(std::string what) const {
    return base::fail(ErrorKind::kCorrupt, std::move(what),
                      fmt::format("{}, statistics {}", where_, count_), kRemedy);
  }

  // sadf's is an object, iostat's a text.
  Result<std::int64_t> time_of(const json& one) {
    const auto found = one.find("timestamp");
    if (found == one.end()) return broken("has no time");
    std::optional<std::int64_t> time;
    if (found->is_string()) {
      iostat_ = true;
      const auto text = found->get<std::string>();
      day_first_ = day_first_ || says_day_first(text);
      const bool plain = text::parse_date(text).has_value();
      month_first_ = month_first_ || (!plain && !day_first_);
      local_ = local_ || !plain || text.find('T') == std::string::npos;
      time = parse_local_time(text, day_first_);
    } else if (found->is_object()) {
      const auto date = found->value("date", json());
      const auto clock = found->value("time", json());
      const auto utc = found->value("utc", json());
      local_ = local_ || !utc.is_number() || utc != 1;
      time = text::parse_date(fmt::format("{} {}", text_of(date), text_of(clock)));
    }
    if (time) return *time;
    return broken(fmt::format("{} is not a time", found->dump()));
  }

  // Some sections are groups of sections: network, power-management, psi.
  Result<void> take_section(const std::string& section, const json& value, std::int64_t time) {
    if (value.is_array()) {
      for (const json& row : value) {
        if (auto done = take_row(section, row, time); !done) return done;
      }
      return {};
    }
    if (report_of(section, value) != nullptr) return take_row(section, value, time);
    if (!value.is_object()) return broken(fmt::format("{} is no report", section));
    for (const auto& [part, inner] : value.items()) {
      if (!inner.is_structured()) {
        unknown_.insert(section);
        return {};
      }
      if (auto done = take_section(part, inner, time); !done) return done;
    }
    return {};
  }

  static const SysstatReport* report_of(std::string_view section, const json& row) {
    for (const auto& report : sysstat_reports()) {
      const bool has_key = report.json_key.empty() || row.contains(report.json_key);
      if (report.section == section && row.is_object() && has_key) return &report;
    }
    return nullptr;
  }

  Result<void> take_row(const std::string& section, const json& row, std::int64_t time) {
    const auto* report = report_of(section, row);
    if (report == nullptr) {
      unknown_.insert(section);
      return {};
    }
    const std::string key = report->json_key.empty() ? "" : text_of(*row.find(report->json_key));
    if (report->section == "interrupts") return take_interrupts(*report, key, row, time);
    return take_members(*report, key, row, time);
  }

  // Newer versions of sadf have those of each processor as well, which sadf -d does not name.
  Result<void> take_interrupts(const SysstatReport& report, const std::string& key, const json& row,
                               std::int64_t time) {
    auto found = row.find("all");
    if (found == row.end()) found = row.find("value");
    if (found == row.end()) return {};
    return take_value(report, key, "CPU*", *found, time);
  }

  Result<void> take_members(const SysstatReport& report, const std::string& key, const json& row,
                            std::int64_t time) {
    for (const auto& [name, value] : row.items()) {
      if (name == report.json_key || is_said_twice(name, row)) continue;
      if (value.is_object()) {  // io-reads of io
        if (auto done = take_members(report, key, value, time); !done) return done;
      } else if (!(value.is_string() && name == "device")) {
        auto done = take_value(report, key, head_of_json(report, name), value, time);
        if (!done) return done;
      }
    }
    return {};
  }

  // Disks have the same in sectors, under older names.
  static bool is_said_twice(std::string_view name, const json& row) {
    static constexpr std::pair<std::string_view, std::string_view> kTwice[] = {
        {"rd_sec", "rkB"},
        {"wr_sec", "wkB"},
        {"dc_sec", "dkB"},
        {"avgrq-sz", "areq-sz"},
        {"avgqu-sz", "aqu-sz"}};
    return std::ranges::any_of(
        kTwice, [&](const auto& pair) { return pair.first == name && row.contains(pair.second); });
  }

  Result<void> take_value(const SysstatReport& report, const std::string& key,
                          std::string_view head, const json& value, std::int64_t time) {
    if (value.is_null()) return {};
    const auto number = text::parse_number(text_of(value));
    if (!number) return broken(fmt::format("{}: {} is not a number", head, value.dump()));
    samples_.add(report, key, head, host_, time, *number);
    return {};
  }

  std::string where_;
  SysstatSamples samples_;
  Gathering& out_;
  std::string host_;
  std::string zone_;
  std::uint64_t count_ = 0;
  std::uint64_t restarts_ = 0;
  std::set<std::string> unknown_;
  bool iostat_ = false;
  bool began_ = false;  // this host's statistics
  bool local_ = false;
  bool day_first_ = false;
  bool month_first_ = false;
};

// Gives the parts of the document to the statistics while they are parsed. Returns whether the
// parser is to keep a value: those that were taken it need not.
class Parts {
 public:
  explicit Parts(Statistics& to) : to_(to) {}
  const std::optional<base::Error>& failure() const { return failure_; }

  bool take(int depth, json::parse_event_t event, json& parsed) {
    if (failure_) return false;
    if (event == json::parse_event_t::key && depth <= kOfHost) {
      key_ = parsed.get<std::string>();
    } else if (event == json::parse_event_t::value && depth == kOfHost && parsed.is_string()) {
      if (key_ == "nodename") to_.take_host(parsed.get<std::string>());
      if (key_ == "timezone") to_.take_zone(parsed.get<std::string>());
    } else if (event == json::parse_event_t::object_end && depth == kOfHost + 1) {
      return take_object(parsed);
    }
    return true;
  }

 private:
  static constexpr int kOfHost = 4;  // members of an object in the array "hosts"

  bool take_object(const json& parsed) {
    if (key_ == "restarts") to_.take_restart();
    if (key_ != "statistics") return true;
    if (auto done = to_.take(parsed); !done) failure_ = done.error();
    return false;
  }

  Statistics& to_;
  std::string key_;
  std::optional<base::Error> failure_;
};

}  // namespace

Result<void> gather_sysstat_json(TextInput input, const ImportOptions& options, Gathering& out) {
  Statistics statistics(input.where(), options, out);
  Parts parts(statistics);
  Characters characters(input);
  const auto parsed = json::parse(
      CharacterIterator(characters), CharacterIterator(),
      [&](int depth, json::parse_event_t event, json& value) {
        return parts.take(depth, event, value);
      },
      false);
  if (characters.failure()) return base::Unexpected(*characters.failure());
  if (parts.failure()) return base::Unexpected(*parts.failure());
  // Who kills the writer has a file that is cut off, and wants to know what came before.
  if (parsed.is_discarded() && characters.at_end() && statistics.any()) {
    out.remark("the file is cut off; what came before is there");
  } else if (parsed.is_discarded()) {
    return base::fail(ErrorKind::kCorrupt, "is no whole JSON",
                      fmt::format("{}, byte {}", input.where(), characters.passed()), kRemedy);
  }
  return statistics.end();
}

}  // namespace reveal::exchange

#include "agent/configuration.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/fleet_options.h"
#include "agent/paths.h"
#include "agent/size_shares.h"
#include "agent/web_options.h"
#include "alert/options.h"
#include "pipeline/configure.h"
#include "probes/sources.h"
#include "record/from_settings.h"
#include "service/broker.h"
#include "service/placed_error.h"
#include "service/receivers.h"
#include "settings/changed_keys.h"
#include "settings/file.h"
#include "settings/setting.h"
#include "settings/value_text.h"

namespace reveal::agent {
namespace {

using base::Result;

// What only the recorder and the first process use. They go on over a reload.
bool needs_restart(std::string_view key) {
  return key == "agent.directory" || key.starts_with("record.") || key.starts_with("collect.") ||
         key.starts_with("probes.");
}

// A service that keeps everything fills the disk.
constexpr std::uint64_t kUsualMost = std::uint64_t{10} << 30;

settings::Settings of_a_service(const settings::Given& given) {
  auto out = pipeline::settled(given);
  auto& record = out.record;
  if (record.keep_ns == 0 && record.max_bytes == 0) record.max_bytes = kUsualMost;
  if (record.min_free == settings::FreeSpace()) {
    record.min_free.kind = settings::FreeSpace::Kind::kUsualOfService;
  }
  return out;
}

// The analysis names its flags, or a file: here they are keys, with a line.
base::Unexpected placed_in_analysis(const settings::Given& given, base::Error error) {
  const auto all = pipeline::settled(given);
  for (const auto& row : settings::settings_of("analysis")) {
    const auto flag = fmt::format("{} ", row.flag);
    if (!row.flag.empty() && error.where.starts_with(flag)) {
      error.where.erase(0, flag.size());
    } else if (error.where.empty() || settings::text_of(row, all) != error.where) {
      continue;
    }
    return service::placed(given, row.section, row.key, std::move(error));
  }
  return base::Unexpected(std::move(error));
}

// What the recorder removes before it is downsampled is in no rollup.
Result<void> check_downsampling(const settings::Given& given, const settings::Settings& all) {
  if (!all.agent.downsample) return {};
  const auto fail = [&](const char* section, const char* key, const char* what) {
    return service::placed(given, section, key, {base::ErrorKind::kUsage, what, "", ""});
  };
  const auto& ages = all.retention;
  if (ages.full_ns >= ages.second_ns) {
    return fail("retention", "second", "must be longer than full");
  }
  if (ages.second_ns >= ages.minute_ns) {
    return fail("retention", "minute", "must be longer than second");
  }
  if (all.record.keep_ns > 0 && all.record.keep_ns <= ages.full_ns) {
    return fail("record", "keep", "must be longer than full of [retention], if downsample is on");
  }
  return {};
}

// Of less, the share of what is kept beside the frames has no room for one finding's evidence.
Result<void> check_size(const settings::Given& given, const settings::Settings& all) {
  if (all.record.max_bytes == 0 || all.record.max_bytes >= kLeastSize) return {};
  return service::placed(
      given, "record", "max_size",
      {base::ErrorKind::kUsage,
       fmt::format("must be at least {} for an agent", settings::size_text(kLeastSize)), "", ""});
}

Result<settings::Settings> settings_in(std::string_view text, const std::string& name,
                                       settings::Given given) {
  if (auto read = settings::read_settings(text, name, given); !read) return base::pass(read);
  return of_a_service(given);
}

void note(const Result<void>& done, std::vector<base::Error>& mistakes) {
  if (!done) mistakes.push_back(done.error());
}

// Returns what is wrong with settings that are sound one by one.
std::vector<base::Error> mistakes_of_use(const settings::Given& given) {
  std::vector<base::Error> out;
  const auto all = of_a_service(given);
  note(alert::check(service::alert_options(all, Paths{all.agent.directory}.alerts())), out);
  note(probes::check(record::probes_of(all.probes)), out);
  note(check_size(given, all), out);
  note(check_downsampling(given, all), out);
  return out;
}

std::string in_words(const std::vector<std::string>& now, const std::vector<std::string>& later) {
  if (now.empty() && later.empty()) return "no setting has changed";
  std::string out;
  if (!now.empty()) out = fmt::format("changed: {}", fmt::join(now, ", "));
  if (later.empty()) return out;
  if (!out.empty()) out += "; ";
  return out + fmt::format("after a restart only: {}", fmt::join(later, ", "));
}

}  // namespace

Result<Configuration> configuration_of(std::string text, const std::string& name,
                                       settings::Given given) {
  if (auto read = settings::read_settings(text, name, given); !read) return base::pass(read);
  auto analysis = pipeline::configure(given);
  if (!analysis) return placed_in_analysis(given, analysis.error());
  auto mistakes = mistakes_of_use(given);
  if (!mistakes.empty()) return base::Unexpected(std::move(mistakes.front()));
  auto all = of_a_service(given);
  return Configuration{.text = std::move(text),
                       .given = std::move(given),
                       .settings = std::move(all),
                       .analysis = std::move(*analysis)};
}

std::vector<base::Error> mistakes_in(const std::filesystem::path& file, settings::Given given) {
  const auto text = settings::text_of_file(file);
  if (!text) return {text.error()};
  auto out = settings::read_all_settings(*text, settings::name_of(file), given);
  if (!out.empty()) return out;
  out = mistakes_of_use(given);
  if (auto analysis = pipeline::configure(given); !analysis) {
    out.push_back(placed_in_analysis(given, analysis.error()).value());
  }
  note(check_web(given), out);
  note(check_fleet(given), out);
  if (out.empty()) note(service::check_broker_files(given, of_a_service(given).fleet), out);
  return out;
}

Result<Configuration> read_configuration(const std::filesystem::path& file, settings::Given given) {
  auto text = settings::text_of_file(file);
  if (!text) return base::pass(text);
  return configuration_of(std::move(*text), settings::name_of(file), std::move(given));
}

Result<Configuration> held_configuration(int fd, const std::filesystem::path& file,
                                         settings::Given given) {
  auto text = text_behind(fd);
  if (!text) return base::pass(text);
  return configuration_of(std::move(*text), settings::name_of(file), std::move(given));
}

Result<settings::Settings> held_settings(int fd, const std::filesystem::path& file,
                                         settings::Given given) {
  const auto text = text_behind(fd);
  if (!text) return base::pass(text);
  return settings_in(*text, settings::name_of(file), std::move(given));
}

Result<void> check_ways(const settings::Given& given) {
  if (auto sound = check_web(given); !sound) return sound;
  return check_fleet(given);
}

Result<Configuration> sound_file(const std::filesystem::path& file) {
  auto out = read_configuration(file, {});
  if (!out) return out;
  if (auto sound = check_ways(out->given); !sound) return base::pass(sound);
  return out;
}

Result<base::UniqueFd> text_in_memory(std::string_view text) {
  base::UniqueFd out(::memfd_create("reveal-configuration", MFD_CLOEXEC));
  if (!out.valid()) return base::fail_errno(errno, "cannot create shared memory");
  while (!text.empty()) {
    const auto written = ::write(out.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return base::fail_errno(errno, "cannot keep the configuration in memory");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return out;
}

Result<std::string> text_behind(int fd) {
  // What this process starts, such as commands, has no business with it.
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  std::string out;
  std::array<char, 4096> bytes{};
  for (;;) {
    // Others read it, too: its place is everybody's.
    const auto got = ::pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(out.size()));
    if (got == 0) return out;
    if (got > 0) {
      out.append(bytes.data(), static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      return base::fail_errno(errno, "cannot read the configuration in memory");
    }
  }
}

Result<HeldConfiguration> HeldConfiguration::begin(const std::string& text,
                                                   const std::string& name) {
  HeldConfiguration out;
  auto alone = settings_in(text, name, {});
  if (!alone) return base::pass(alone);
  for (auto* fd : {&out.start_fd_, &out.held_fd_}) {
    auto kept = text_in_memory(text);
    if (!kept) return base::pass(kept);
    *fd = std::move(*kept);
  }
  out.held_ = out.at_start_ = std::move(*alone);
  return out;
}

Result<std::string> HeldConfiguration::reload(const std::filesystem::path& file) {
  auto next = sound_file(file);
  if (!next) return base::pass(next);
  auto kept = text_in_memory(next->text);
  if (!kept) return base::pass(kept);
  auto now = settings::changed_keys(held_, next->settings);
  now.erase(std::remove_if(now.begin(), now.end(), needs_restart), now.end());
  auto later = settings::changed_keys(at_start_, next->settings);
  later.erase(std::remove_if(later.begin(), later.end(),
                             [](const std::string& key) { return !needs_restart(key); }),
              later.end());
  not_in_force_ = std::move(later);
  held_ = std::move(next->settings);
  held_fd_ = std::move(*kept);
  return in_words(now, not_in_force_);
}

}  // namespace reveal::agent

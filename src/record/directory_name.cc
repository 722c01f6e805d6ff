#include "record/directory_name.h"

#include <array>
#include <cstdlib>
#include <ctime>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace reveal::record {
namespace {

// Returns the letters of `text` that suit the name of a folder.
std::string name_part(std::string_view text) {
  constexpr std::size_t kMax = 64;
  std::string out;
  for (const char c : text.substr(0, kMax)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out.push_back(plain || c == '.' || c == '_' ? c : '-');
  }
  return out.empty() ? "host" : out;
}

// Returns the value of the first of these environment variables that is set.
std::optional<std::string> first_of(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return std::nullopt;
}

}  // namespace

std::filesystem::path default_directory() {
  const auto now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  std::string name = fmt::format("reveal-{}-{:04}{:02}{:02}-{:02}{:02}{:02}-{}",
                                 name_part(host.data()), utc.tm_year + 1900, utc.tm_mon + 1,
                                 utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, ::getpid());
  if (const auto job = first_of({"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"})) {
    name += "-job" + name_part(*job);
  }
  if (const auto rank = first_of({"SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                  "MV2_COMM_WORLD_RANK"})) {
    name += "-rank" + name_part(*rank);
  }
  return name;
}

}  // namespace reveal::record

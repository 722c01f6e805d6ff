#include "publish/host_id.h"

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "base/fnv.h"
#include "base/new_file.h"
#include "base/whole_file.h"
#include "wire/subject.h"

namespace reveal::publish {
namespace {

using base::Result;

constexpr std::size_t kMostBytes = 256;
constexpr std::string_view kMachine = "machine ";
constexpr const char* kRemedy =
    "remove it, and reload the agent: this host gets an id of its own then";

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

// Returns what stands for this machine; empty if it has no id, as in most containers. The id itself
// is nobody's business.
std::string machine_of(const std::filesystem::path& machine_id) {
  const auto text = base::read_whole_file(machine_id, "machine's id", kMostBytes);
  const auto id = text ? first_line(*text) : std::string_view();
  // Of an image that was not started yet.
  if (id.empty() || id == "uninitialized") return {};
  return fmt::format("{:016x}", base::fnv1a(id, base::fnv1a("reveal")));
}

Result<std::string> new_id(const std::filesystem::path& file, const std::string& machine) {
  auto id = wire::new_host_id();
  if (!id) return id;
  const auto text =
      machine.empty() ? *id + "\n" : fmt::format("{}\n{}{}\n", *id, kMachine, machine);
  if (auto kept = base::write_new_file(file, text); !kept) return base::pass(kept);
  return id;
}

}  // namespace

Result<std::string> host_id(const std::filesystem::path& file,
                            const std::filesystem::path& machine_id) {
  const auto machine = machine_of(machine_id);
  const auto text = base::read_whole_file(file, "id of this host", kMostBytes);
  if (!text && text.error().kind == base::ErrorKind::kAbsent) return new_id(file, machine);
  if (!text) return base::pass(text);
  const auto id = first_line(*text);
  auto rest = std::string_view(*text).substr(id.size());
  if (!rest.empty()) rest = first_line(rest.substr(1));
  if (!wire::is_host_id(id) || !(rest.empty() || rest.starts_with(kMachine))) {
    return base::fail(base::ErrorKind::kCorrupt, "does not hold the id of a host", file.string(),
                      kRemedy);
  }
  const auto made_on = rest.empty() ? rest : rest.substr(kMachine.size());
  if (!made_on.empty() && !machine.empty() && made_on != machine) {
    return base::fail(base::ErrorKind::kCorrupt,
                      "was made on another machine, and that may still use this id", file.string(),
                      kRemedy);
  }
  return std::string(id);
}

}  // namespace reveal::publish

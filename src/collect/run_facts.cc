#include "collect/run_facts.h"

#include <string>

#include <sys/utsname.h>

#include "procfs/cpu_list.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

std::string first_line(const std::string& path) {
  procfs::TextFile file(path);
  const auto text = file.read();
  if (!text) return {};
  return std::string(text->substr(0, text->find('\n')));
}

void fill_from_uname(model::RunFacts& facts) {
  struct utsname name {};
  if (::uname(&name) != 0) return;
  if (facts.host.empty()) facts.host = name.nodename;
  if (facts.kernel.empty()) facts.kernel = name.release;
  facts.machine = name.machine;
}

}  // namespace

model::RunFacts facts_of_host(const procfs::HostRoot& root) {
  model::RunFacts facts;
  facts.host = first_line(root.proc_path("sys/kernel/hostname"));
  facts.kernel = first_line(root.proc_path("sys/kernel/osrelease"));
  facts.boot_id = first_line(root.proc_path("sys/kernel/random/boot_id"));
  facts.reveal_version = REVEAL_VERSION;
  const auto online = first_line(root.sys_path("devices/system/cpu/online"));
  facts.cpus_online = static_cast<std::uint32_t>(procfs::parse_cpu_list(online).size());
  if (root.is_live()) fill_from_uname(facts);
  return facts;
}

}  // namespace reveal::collect

#include "collect/pci/pci_functions.h"

#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "procfs/attribute_file.h"
#include "procfs/directory.h"

namespace reveal::collect {
namespace {

struct ClassKind {
  std::string_view prefix;  // of the class code, 0xBBSSPP: base class, subclass, interface
  PciKind kind;
};
constexpr ClassKind kClasses[] = {
    {"0x03", PciKind::kGpu},        // display controllers, 3D controllers among them
    {"0x1200", PciKind::kGpu},      // processing accelerators
    {"0x02", PciKind::kNetwork},    // Ethernet and, as 0x0207, InfiniBand
    {"0x0108", PciKind::kStorage},  // non-volatile memory
};

std::optional<PciKind> kind_of(const std::string& folder) {
  const std::string code = procfs::read_line(folder + "/class");
  for (const auto& known : kClasses) {
    if (code.starts_with(known.prefix)) return known.kind;
  }
  return std::nullopt;
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string parent_of(const std::string& folder) {
  return folder.substr(0, folder.rfind('/'));
}

// Returns whether the folder is of a PCI function rather than of a bus, "pci0000:16".
bool is_function(std::string_view folder) {
  constexpr std::size_t kAddress = std::string_view("0000:17:00.0").size();
  const auto name = last_part(folder);
  return name.size() >= kAddress && name.find('.') != std::string_view::npos &&
         !name.starts_with("pci");
}

// Returns the folder of the root port above the function, empty if it has none.
std::string root_port_of(const std::string& folder) {
  std::string port;
  for (auto above = parent_of(folder); is_function(above); above = parent_of(above)) port = above;
  return port;
}

std::string partner_of(const std::string& folder) {
  std::string above = parent_of(folder);
  return is_function(above) ? above : std::string();
}

}  // namespace

std::vector<PciFunction> find_pci_functions(const procfs::HostRoot& root) {
  std::vector<PciFunction> out;
  std::map<std::string, PciKind> ports;
  const std::string devices = root.sys_path(kPciDevices);
  for (const auto& address : procfs::names_in(devices)) {
    const std::string folder = procfs::resolved(fmt::format("{}/{}", devices, address));
    const auto kind = kind_of(folder);
    if (!kind || out.size() >= kMaxPciFunctions / 2) continue;
    if (::access((folder + "/physfn").c_str(), F_OK) == 0) continue;  // a virtual function
    if (auto port = root_port_of(folder); !port.empty()) {
      // A port above several kinds is the first kind's in the order of PciKind.
      const auto [at, is_new] = ports.emplace(std::move(port), *kind);
      if (!is_new && *kind < at->second) at->second = *kind;
    }
    out.push_back({*kind, address, folder, partner_of(folder)});
  }
  for (const auto& [folder, kind] : ports) {
    out.push_back({kind, std::string(last_part(folder)), folder, ""});
  }
  return out;
}

}  // namespace reveal::collect

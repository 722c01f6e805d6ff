#include "collect/infiniband/port_interface.h"

#include <fmt/format.h>

#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

constexpr std::size_t kMaxInterfaces = 256;

}  // namespace

PortInterface::PortInterface(const std::string& adapter, std::string_view port)
    : of_first_address_(fmt::format("{}/ports/{}/gid_attrs/ndevs/0", adapter, port)),
      interfaces_(adapter + "/device/net") {
  const auto number = procfs::parse_u64(port);
  if (number && *number > 0) number_ = std::to_string(*number - 1);
}

std::optional<std::string_view> PortInterface::read(procfs::AttributeReader& reader) {
  if (const auto name = reader.read(of_first_address_); name && !name->empty()) return name;
  if (!procfs::list_folder(interfaces_, names_, kMaxInterfaces)) return std::nullopt;
  for (const std::string& name : names_) {
    path_.assign(interfaces_).append("/").append(name).append("/dev_port");
    if (reader.read(path_) != number_) continue;
    name_ = name;
    return name_;
  }
  return std::nullopt;
}

}  // namespace reveal::collect

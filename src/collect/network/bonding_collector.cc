// Bonds, the interfaces that join several adapters: how many members each has, and how many of them
// have lost their link. A bond with a member down goes on with less bandwidth, and nothing else
// tells so: the bond itself is up.
//
// Members are those that the bond names at each reading. A member whose link goes down or comes
// back is down meanwhile, as the driver does not send through it.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <net/if.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/file_rows.h"
#include "collect/parts/metric_maker.h"
#include "collect/parts/metric_rows.h"
#include "collect/parts/scanned_collector.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using procfs::Value;

constexpr std::string_view kFolder = "class/net";
constexpr std::size_t kMaxInterfaces = 4096;
constexpr std::size_t kMaxBonds = 32;
constexpr std::size_t kMaxMembers = 64;  // of one bond

constexpr MetricOrigin kOrigin = {.subsystem = model::Subsystem::kNetwork,
                                  .scope = model::Scope::kNic,
                                  .doc_url = "https://docs.kernel.org/networking/bonding.html"};

// Returns whether the link of a bond or a member is up, by one of the driver's four words.
Value link_up(std::string_view text) {
  const auto line = procfs::first_line(text);
  if (line == "up") return 1;
  if (line == "down" || line == "going down" || line == "going back") return 0;
  return std::nullopt;
}

Value is_active(std::string_view text) {
  const auto line = procfs::first_line(text);
  if (line == "active") return 1;
  if (line == "backup") return 0;
  return std::nullopt;
}

constexpr FileRow kBondRows[] = {
    {describe(kOrigin, {.name = "network_bond_up_flag",
                        .label = "Bond is up",
                        .unit = "flag",
                        .source = "/sys/class/net/*/bonding/mii_status",
                        .alias = "MII Status",
                        .help = "1 while the bond has a member to send through.",
                        .rank = 40}),
     link_up},
};
constexpr FileRow kMemberRows[] = {
    {describe(kOrigin, {.name = "network_bond_member_up_flag",
                        .label = "Bond member's link is up",
                        .unit = "flag",
                        .source = "/sys/class/net/*/bonding_slave/mii_status",
                        .alias = "slave MII Status",
                        .help = "1 while the member's link is up as the bond sees it.",
                        .rank = 50}),
     link_up},
    {describe(kOrigin, {.name = "network_bond_member_active_flag",
                        .label = "Bond member is in use",
                        .unit = "flag",
                        .source = "/sys/class/net/*/bonding_slave/state",
                        .alias = "slave state",
                        .help = "1 while the bond sends through the member, 0 while it stands by.",
                        .rank = 50}),
     is_active},
    {describe(kOrigin, {.name = "network_bond_member_link_failures_total",
                        .label = "Link failures of a bond member",
                        .unit = "failures",
                        .kind = Kind::kEvent,
                        .counter_bits = 32,
                        .source = "/sys/class/net/*/bonding_slave/link_failure_count",
                        .alias = "Link Failure Count",
                        .help = "Times that the bond lost the member's link.",
                        .rank = 30})},
};
constexpr MetricDescriptor kCounts[] = {
    describe(kOrigin, {.name = "network_bond_members",
                       .label = "Members of a bond",
                       .unit = "interfaces",
                       .source = "/sys/class/net/*/bonding/slaves members",
                       .alias = "node_bonding_slaves",
                       .help = "Interfaces that the bond joins.",
                       .rank = 60}),
    describe(kOrigin, {.name = "network_bond_down_members",
                       .label = "Bond members that are down",
                       .unit = "interfaces",
                       .source = "/sys/class/net/*/bonding/slaves down",
                       .alias = "node_bonding_slaves - node_bonding_active",
                       .help = "Members whose link is not up, so that the bond does without them.",
                       .rank = 20}),
};
constexpr std::size_t kFirstMemberRow = std::size(kBondRows);
constexpr std::size_t kMembers = kFirstMemberRow + std::size(kMemberRows);
constexpr std::size_t kDown = kMembers + 1;

class Bond {
 public:
  Bond(const std::string& folder, const std::string& name,
       std::span<const MetricDescriptor> metrics)
      : folder_(folder),
        metrics_(metrics),
        files_(metrics, instance_of(name)),
        counts_(metrics, instance_of(name)),
        names_(fmt::format("{}/{}/bonding/slaves", folder, name)) {
    add_file_rows(kBondRows, 0, fmt::format("{}/{}", folder, name), files_);
  }

  void read(FrameWriter& writer) {
    files_.read(writer);
    procfs::AttributeBuffer buffer;
    const auto text = names_.read(buffer);
    const auto line = text ? procfs::first_line(*text) : std::nullopt;
    if (!line) return;
    std::uint64_t members = 0;
    std::uint64_t up = 0;
    bool all_known = true;
    procfs::WordCursor words(*line);
    for (std::string_view name; words.next(name) && members < kMaxMembers; ++members) {
      if (!is_name(name)) return;
      Member& member = find_or_add(name);
      member.files.read(writer);
      procfs::AttributeBuffer status;
      const auto link = member.link.read(status);
      if (!link) return;  // the text is no list of members
      const Value is_up = link_up(*link);
      all_known = all_known && is_up.has_value();
      up += is_up.value_or(0);
    }
    counts_.set(writer, kMembers, Value(members));
    if (all_known) counts_.set(writer, kDown, Value(members - up));
  }

  std::optional<base::Error> error_of(std::size_t row) const {
    if (auto error = files_.error_of(row)) return error;
    for (const Member& member : members_) {
      if (auto error = member.files.error_of(row)) return error;
    }
    if (row < kMembers || names_.error() == 0) return std::nullopt;
    return base::fail_errno(names_.error(), "cannot be read", names_.path()).value();
  }

 private:
  struct Member {
    std::string name;
    DeviceFiles files;
    procfs::AttributeFile link;
  };

  // Returns whether it can be an interface's name, and thus no path that leads elsewhere.
  static bool is_name(std::string_view word) {
    return word.size() < IF_NAMESIZE && word.find('/') == std::string_view::npos && word != "..";
  }
  static std::string instance_of(std::string_view name) { return fmt::format("dev={}", name); }

  // A member that was there stays, so that it finds its channels again.
  Member& find_or_add(std::string_view name) {
    const auto at = std::find_if(members_.begin(), members_.end(),
                                 [&](const Member& member) { return member.name == name; });
    if (at != members_.end()) return *at;
    if (members_.size() >= 2 * kMaxMembers) members_.clear();
    const std::string folder = fmt::format("{}/{}", folder_, name);
    members_.push_back({std::string(name), DeviceFiles(metrics_, instance_of(instance_text(name))),
                        procfs::AttributeFile(folder + "/bonding_slave/mii_status")});
    add_file_rows(kMemberRows, kFirstMemberRow, folder, members_.back().files);
    return members_.back();
  }

  std::string folder_;
  std::span<const MetricDescriptor> metrics_;
  DeviceFiles files_;
  InstanceChannels counts_;
  procfs::AttributeFile names_;
  std::vector<Member> members_;
};

std::vector<Bond> scan(const procfs::HostRoot& root, std::span<const MetricDescriptor> metrics) {
  const std::string folder = root.sys_path(kFolder);
  std::vector<Bond> out;
  for (const auto& name : procfs::names_in(folder, kMaxInterfaces)) {
    if (out.size() == kMaxBonds) break;
    if (procfs::resolved(fmt::format("{}/{}/bonding/slaves", folder, name)).empty()) continue;
    out.emplace_back(folder, name, metrics);
  }
  return out;
}

std::vector<MetricDescriptor> bonding_metrics() {
  auto out = metrics_of({kBondRows, kMemberRows});
  out.insert(out.end(), std::begin(kCounts), std::end(kCounts));
  return out;
}

std::unique_ptr<Collector> make_bonding() {
  return std::make_unique<ScannedCollector<Bond>>(
      bonding_metrics(),
      ScannedSource<Bond>{
          .scan = scan, .watched = {kFolder}, .none = "no interface is a bond", .remedy = ""});
}

}  // namespace

extern const CollectorDescriptor kBondingCollector = {
    .name = "bonding",
    .help = "members of bonds, and which of them are down",
    .make = make_bonding,
    .metrics = bonding_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

}  // namespace reveal::collect

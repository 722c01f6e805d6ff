// What the user knows better than the guesses about channels of foreign files, as TOML:
//
//   [[channel]]
//   match = "node_cpu_*"      # shell pattern of names as the file has them, METRIC{INSTANCE}
//   kind = "counter"          # counter, gauge, event or static
//   unit = "seconds"          # base unit of value * scale
//   scale = 1.0
//   subsystem = "cpu"         # cpu, gpu, memory, network, storage or unknown
//   scope = "core"            # host, core, node, gpu, nic, disk, cgroup or device
//   metric = "cpu_seconds_total"
//   instance = "cpu=0"
//   label = "CPU time"
//   skip = false              # true leaves the channel out
//
// All members but `match` may be left out. All tables that match apply, the later over the earlier.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/metric.h"

namespace reveal::exchange {

struct MappingRule {
  std::string match;
  std::optional<model::Kind> kind;
  std::optional<model::Subsystem> subsystem;
  std::optional<model::Scope> scope;
  std::optional<double> scale;
  std::optional<bool> skip;
  std::optional<std::string> unit;
  std::optional<std::string> metric;
  std::optional<std::string> instance;
  std::optional<std::string> label;

  // Takes over what it leaves open of metric, kind, unit with scale, subsystem, scope and label.
  void complete(const MappingRule& by);
};

class Mapping {
 public:
  void add(MappingRule rule) { rules_.push_back(std::move(rule)); }
  // Returns what all rules together say of a channel by the name that its file gives it.
  MappingRule rule_of(const std::string& channel) const;

 private:
  std::vector<MappingRule> rules_;
};

// Fails with kUsage, naming line and key, for text that is not a mapping. Errors say `where`.
base::Result<Mapping> parse_mapping(std::string_view text, const std::string& where);
base::Result<Mapping> load_mapping(const std::filesystem::path& path);

// Returns whether a shell pattern (* ? [abc]) matches all of `name`.
bool matches(const std::string& pattern, const std::string& name);

}  // namespace reveal::exchange

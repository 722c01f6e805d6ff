#include "probes/sources.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "collect/registry.h"
#include "derive/derived_metrics.h"
#include "probes/command_collector.h"
#include "probes/declared_metrics.h"
#include "probes/statsd_collector.h"
#include "probes/textfile_collector.h"

namespace reveal::probes {
namespace {

using collect::PollClass;
using collect::SourceSpec;

base::Unexpected wrong(std::string what, const std::string& where) {
  return base::fail(base::ErrorKind::kUsage, std::move(what), where,
                    "change [probes] of reveal.toml");
}

bool is_own(std::string_view name) {
  for (const auto& collector : collect::registry()) {
    for (const auto& metric : collector.metrics()) {
      if (metric.name == name) return true;
    }
  }
  return std::ranges::any_of(derive::derived_metrics(),
                             [&](const auto& derived) { return derived.descriptor.name == name; });
}

base::Result<void> check_names(const std::vector<Metric>& metrics) {
  std::set<std::string_view> names;
  for (const Metric& metric : metrics) {
    if (!names.insert(metric.name).second) return wrong("is declared twice", metric.name);
    if (is_own(metric.name)) return wrong("is a metric that Reveal itself reads", metric.name);
  }
  return {};
}

SourceSpec spec(std::string name, PollClass poll_class, std::unique_ptr<collect::Collector> made,
                const Options& options) {
  SourceSpec out;
  out.name = std::move(name);
  out.collector = std::move(made);
  out.poll_class = poll_class;
  out.metrics = static_cast<std::uint32_t>(options.metrics.size());
  return out;
}

}  // namespace

base::Result<void> check(const Options& options) {
  if (auto sound = check_names(options.metrics); !sound) return sound;
  if (options.statsd.empty()) return {};
  const auto address = loopback_address(options.statsd);
  return address ? base::Result<void>() : wrong(address.error().what, options.statsd);
}

base::Result<std::vector<SourceSpec>> sources(const Options& options) {
  if (auto sound = check(options); !sound) return base::pass(sound);
  const auto metrics = std::make_shared<const DeclaredMetrics>(options.metrics);
  std::vector<SourceSpec> out;
  if (!options.textfile.empty()) {
    auto made = std::make_unique<TextfileCollector>(options.textfile, metrics);
    out.push_back(spec("textfile", PollClass::kQuick, std::move(made), options));
    out.back().may_block = true;  // the folder may be of a network file system
  }
  if (!options.commands.empty()) {
    auto made = std::make_unique<CommandCollector>(options.commands, metrics);
    out.push_back(spec("command", PollClass::kMedium, std::move(made), options));
    out.back().may_block = true;  // while a program is started
  }
  if (!options.statsd.empty()) {
    auto made = std::make_unique<StatsdCollector>(*loopback_address(options.statsd), metrics);
    out.push_back(spec("statsd", PollClass::kFast, std::move(made), options));
    out.back().may_block = true;  // a flood of datagrams keeps no tick waiting
  }
  return out;
}

}  // namespace reveal::probes

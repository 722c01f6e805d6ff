// The registry of metrics as text: the answer to a scrape, and its reference page. A metric without
// samples is not mentioned.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/samples.h"
#include "serve/metrics.h"

namespace reveal::serve {

// Returns the groups of a scrape: `collected`, or else the default ones without `excluded`. Fails
// with kUsage if one is unknown, or if both are given.
base::Result<std::vector<std::string_view>> chosen_groups(std::span<const std::string> collected,
                                                          std::span<const std::string> excluded);

// Returns the answer to a scrape of these groups, with what is recorded.
std::string metrics_text(const Scrape& scrape, std::span<const std::string_view> groups,
                         http::Exposition format, std::string_view recorded = {});

// Returns docs/reference/agent_metrics.md.
std::string agent_metrics_page();

}  // namespace reveal::serve

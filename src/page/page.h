// The report as one HTML file that needs nothing else: no other file, no network.
#pragma once

#include <span>
#include <string>

#include "page/host_part.h"

namespace reveal::page {

// Returns the page of these hosts, in their order. REQUIRES: at least one host.
std::string page_text(std::span<const HostPart> hosts);

}  // namespace reveal::page

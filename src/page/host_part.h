// One host's data inside a page: its report, the index of its channels, and their envelopes.
// docs/page_format.md is the description that the page's script follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/channel_table.h"
#include "model/metric.h"
#include "page/envelopes.h"
#include "page/raw_spans.h"
#include "page/report_text.h"

namespace reveal::page {

// How long a host's part may be, in bytes of the page.
struct Budget {
  std::size_t whole = 0;
  std::size_t pyramids = 0;   // as base64, of the whole
  std::size_t raw_spans = 0;  // likewise
};

// Returns the budget of one of `hosts` in a page of 10 MB (10^7 bytes).
Budget budget_of_each(std::size_t hosts);

struct HostPart {
  std::string host;
  std::string report;  // JSON, safe inside a script element
  std::string index;   // likewise
  std::string blobs;   // as the index says
};

// What was replayed of a host's recording.
struct HostReplay {
  Envelopes envelopes;
  RawSpans raw_spans;
  // Of the frames that both took; null if nothing was replayed.
  const model::ChannelTable* channels = nullptr;
  // By ChannelId: as the recording has it; nothing for a derived metric.
  std::vector<std::optional<model::Kind>> kinds;
};

// Returns the data within the budget: with 16 bits a code, or 8, or fewer and longer buckets, which
// makes the envelopes coarser; raw spans as long as there is room. At least 150 buckets of 8 bits
// remain, whatever they take.
HostPart host_part(const ReportText& report, HostReplay& replayed, const Budget& budget);

}  // namespace reveal::page

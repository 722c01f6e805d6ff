// A timeline as JSON in the Trace Event Format, which the Perfetto UI and chrome://tracing open and
// in which profilers of jobs write theirs. Source: "Trace Event Format", the document that
// Chromium's catapult names as its definition.
//
//   {"displayTimeUnit":"ms","baseTimeNanoseconds":0,"traceEvents":[
//   {"ph":"M", ...},   names of the process, which is the host, and of its threads
//   {"ph":"C", ...},   a value of a channel, which holds until the channel's next
//   {"ph":"X", ...}    a slice, on the thread of its row
//   ],"otherData":{...}}
//
// A channel's value is written when it changes and where its samples end: viewers draw steps.
// Samples that are missing or not finite are left out. Each event begins with ph, ts and pid:
// readers that look for these alone stop before what is hard to read.
#pragma once

#include <memory>

#include "base/result.h"
#include "exchange/format.h"
#include "model/frame.h"

namespace reveal::exchange {

// Rows of Format. The first compresses if the file's name ends in .gz, the second always.
base::Result<std::unique_ptr<model::FrameSink>> make_trace_writer(const WriterOptions& options);
base::Result<std::unique_ptr<model::FrameSink>> make_trace_gz_writer(const WriterOptions& options);

}  // namespace reveal::exchange

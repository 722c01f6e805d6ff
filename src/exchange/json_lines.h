// Samples as JSON lines: the metadata (metadata.h) on the first line, then one line a tick.
//
//   {"time_ns":0,"mono_ns":0,"sequence":0,"cost_ns":0,"gap":0,
//    "fresh":{"CHANNEL":1},"stale":{},"reset":{},"read_ns":{"COLLECTOR":0},
//    "notes":[{"kind":"event","source":"","subject":"","text":""}]}
//
// A missing sample is in none of the three; what is empty or the same as mono_ns is left out.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "exchange/format.h"
#include "model/frame.h"

namespace reveal::exchange {

// Rows of Format.
base::Result<std::unique_ptr<model::FrameSink>> make_json_lines_writer(
    const WriterOptions& options);
base::Result<std::unique_ptr<model::FrameSource>> open_own_json_lines(
    const std::filesystem::path& path);

}  // namespace reveal::exchange

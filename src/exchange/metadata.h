// What a table of samples cannot say about itself, as JSON: the run, its metrics, its channels in
// the order of the columns, and what was said at which tick. It stands beside a CSV file as
// FILE.meta.json, and is the first line of JSON lines.
//
//   {"schema": "reveal.samples", "version": 1, "layout": "wide", "derived": false,
//    "run": {...}, "metrics": [{...}], "channels": [["METRIC", "INSTANCE"]],
//    "notes": [{"sequence": 0, "kind": "fact", "source": "", "subject": "", "text": ""}]}
//
// Members that this version does not know are ignored; a higher version is refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/frame.h"

namespace reveal::exchange {

inline constexpr int kMetadataVersion = 1;

using NotesBySequence = std::map<std::uint64_t, std::vector<model::Note>>;

struct Metadata {
  std::string layout;  // "wide" or "long"; empty in JSON lines
  model::RunFacts facts;
  model::ChannelTable channels;
  NotesBySequence notes;  // not in JSON lines, where each frame has its own
};

// Returns the JSON on one line without its end.
std::string to_json(std::string_view layout, const model::RunFacts& facts,
                    const model::ChannelTable& channels, const NotesBySequence& notes);

// Fails with kCorrupt, naming the member, for text that is no such JSON. Errors say `where`.
base::Result<Metadata> metadata_from_json(std::string_view text, const std::string& where);

// Returns whether the text is the beginning of such JSON.
bool looks_like_metadata(std::string_view text);

// Returns the path of the metadata of a file: FILE.meta.json.
std::filesystem::path metadata_path(const std::filesystem::path& file);

}  // namespace reveal::exchange

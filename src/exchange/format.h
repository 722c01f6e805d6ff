// The formats of samples: one row says how files of that format are written and read.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"
#include "exchange/row_sink.h"
#include "exchange/timeline.h"
#include "model/frame.h"

namespace reveal::exchange {

enum class Layout {
  kWide,  // a row is a tick, a column is a channel
  kLong,  // a row is a sample
};

struct WriterOptions {
  std::filesystem::path path;  // "-": standard output
  Layout layout = Layout::kWide;
  // All channels that the frames will have, in their order. REQUIRES: outlives the writer.
  const model::ChannelTable* channels = nullptr;
  Timeline timeline{};  // where the format is one
};

struct Format {
  std::string_view name;
  std::string_view extensions;  // of its files, each after a space: " .csv .csv.gz"
  std::string_view summary;     // a noun phrase
  bool has_layouts;             // of which WriterOptions::layout chooses

  // Returns what writes frames to a file of this format. Null if it is only read.
  base::Result<std::unique_ptr<model::FrameSink>> (*make_writer)(const WriterOptions&);

  // Opens a file that make_writer wrote, to give its frames back bit for bit; returns a null
  // pointer if another program wrote it. Null if the format does not keep everything.
  base::Result<std::unique_ptr<model::FrameSource>> (*open_own)(const std::filesystem::path&);

  // Adds the samples of anybody's file to `out`. Null if it is only written.
  base::Result<void> (*gather)(const std::filesystem::path&, const ImportOptions&, Gathering& out);

  // Returns what writes the rows of any other table. Null if the format is of samples alone.
  base::Result<std::unique_ptr<RowSink>> (*make_rows)(const std::filesystem::path&) = nullptr;

  // Whether it is a timeline for people: of signals in base units, with what was found beside them.
  bool is_timeline = false;

  // Returns whether a file of such a name is really of this format, where many others have such
  // names as well; null if the name is enough. A directory's other files are left out.
  bool (*recognizes)(const std::filesystem::path&) = nullptr;
};

// Returns all formats.
std::span<const Format> formats();

// Returns the format of that name, or nullptr.
const Format* find_format(std::string_view name);

// Returns the format of that name that takes rows. Fails with kUsage if there is none.
base::Result<const Format*> row_format(const std::string& name);

// Returns the format whose files have such a name, or nullptr.
const Format* format_of_file(const std::filesystem::path& path);

// Return the names of the formats that are written, read, or take rows, for messages: "csv, jsonl".
std::string written_formats();
std::string read_formats();
std::string row_formats();

}  // namespace reveal::exchange

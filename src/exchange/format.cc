#include "exchange/format.h"

#include <array>

#include "exchange/csv_samples.h"
#include "exchange/json_lines.h"

namespace reveal::exchange {
namespace {

constexpr std::array<Format, 3> kFormats{{
    {"csv", " .csv .tsv", "comma-separated values", true, make_csv_writer, open_own_csv, nullptr},
    {"csv.gz", " .csv.gz .tsv.gz", "the same, compressed", true, make_csv_gz_writer, open_own_csv,
     nullptr},
    {"jsonl", " .jsonl .jsonl.gz .ndjson", "JSON, one line a tick", false, make_json_lines_writer,
     open_own_json_lines, nullptr},
}};

template <typename Chosen>
std::string names(Chosen chosen) {
  std::string out;
  for (const auto& format : kFormats) {
    if (chosen(format)) out.append(out.empty() ? "" : ", ").append(format.name);
  }
  return out;
}

// Returns whether one of the extensions ends `name`.
bool has_extension(std::string_view extensions, std::string_view name) {
  while (!extensions.empty()) {
    extensions.remove_prefix(1);
    const auto one = extensions.substr(0, extensions.find(' '));
    if (name.size() > one.size() && name.ends_with(one)) return true;
    extensions.remove_prefix(one.size());
  }
  return false;
}

bool is_read(const Format& format) {
  return format.open_own != nullptr || format.gather != nullptr;
}

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

const Format* find_format(std::string_view name) {
  for (const auto& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

const Format* format_of_file(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  for (const auto& format : kFormats) {
    if (is_read(format) && has_extension(format.extensions, name)) return &format;
  }
  return nullptr;
}

std::string written_formats() {
  return names([](const Format& format) { return format.make_writer != nullptr; });
}

std::string read_formats() {
  return names(is_read);
}

}  // namespace reveal::exchange

// A folder of text files, as node_exporter's textfile collector reads it: each file *.prom in it
// has samples in Prometheus' text format. A file counts as read when it has changed; until then its
// values stand, so the rate of a counter is that between two writings.
//
// Whoever can write into the folder decides what is in it. So only regular files of at most 1 MiB
// are read, 200 of them, and no pipe or device can stop the reader.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "collect/collector.h"
#include "probes/exposition.h"
#include "probes/series_channels.h"

namespace reveal::probes {

class TextfileCollector final : public collect::Collector {
 public:
  static constexpr std::size_t kMostFiles = 200;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;

  TextfileCollector(std::filesystem::path folder, std::shared_ptr<const DeclaredMetrics> metrics)
      : folder_(std::move(folder)), channels_(std::move(metrics), "textfile") {}

  // Fails if the folder cannot be listed. Adds no channels; the first reading does.
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override;
  void collect(collect::FrameWriter& writer) override;

 private:
  // What tells that a file is another one, or has been written.
  struct Stamp {
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t written_ns = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  struct File {
    Stamp stamp;
    std::vector<Sample> samples;
    bool is_new = true;   // read in this reading
    bool is_here = true;  // in the folder
  };

  base::Result<std::vector<std::string>> names();
  void look_at(const std::string& name, collect::FrameWriter& writer);
  void read(const std::string& name, File& file, collect::FrameWriter& writer);
  void set_values(const File& file, collect::FrameWriter& writer);

  std::filesystem::path folder_;
  std::map<std::string, File> files_;  // by name
  SeriesChannels channels_;
};

}  // namespace reveal::probes

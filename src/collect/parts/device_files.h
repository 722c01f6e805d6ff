// The channels of one device whose every value is a file of its own, as in the kernel's device
// model: which file holds which metric, and how its text is read.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/parts/instance_channels.h"
#include "procfs/attribute_file.h"

namespace reveal::collect {

using AttributeText = std::string_view;
using ReadWhole = procfs::Value (*)(AttributeText);
using ReadReal = std::optional<double> (*)(AttributeText);

class DeviceFiles {
 public:
  using Keep = procfs::AttributeFile::Keep;

  // REQUIRES: `metrics` outlives this.
  DeviceFiles(std::span<const model::MetricDescriptor> metrics, std::string instance,
              Keep keep = Keep::kClosed)
      : channels_(metrics, std::move(instance)), metrics_(metrics), keep_(keep) {}

  // Says which file holds the metric of that row. Its whole text is the number. A row may have
  // several files, one behind the other: its value is the largest of theirs.
  void add(std::size_t row, std::string path);
  // The number is what `parse` finds in the text.
  void add(std::size_t row, std::string path, ReadWhole parse);
  void add(std::size_t row, std::string path, ReadReal parse);

  // Says that the file added last holds no value while the number in `path` is not 0, which is how
  // a sensor reports its own fault.
  void unless(std::string path) { attributes_.back().fault.emplace(std::move(path)); }

  // Reads every file; what cannot be read, or is not a number, stays missing.
  void read(FrameWriter& writer);

  // Returns why the row has no value, nothing if the latest reading gave one or no file has it.
  std::optional<base::Error> error_of(std::size_t row) const;

  bool empty() const { return attributes_.empty(); }

 private:
  struct Attribute {
    std::size_t row;
    procfs::AttributeFile file;
    ReadWhole whole = nullptr;
    ReadReal real = nullptr;
    std::optional<procfs::AttributeFile> fault{};
  };

  template <typename Value, typename Read>
  void set_largest(FrameWriter& writer, std::size_t& at, Read Attribute::*read);
  std::optional<AttributeText> text_of(Attribute& attribute, procfs::AttributeBuffer& buffer);

  InstanceChannels channels_;
  std::span<const model::MetricDescriptor> metrics_;
  Keep keep_;
  std::vector<Attribute> attributes_;
};

// Returns the text as part of an instance: what would read as its punctuation, or is not a plain
// letter, becomes '_'; at most 64 bytes.
std::string instance_text(std::string_view text);

// Returns how many of so many files a collector may keep open between readings: all, or its share
// of the descriptors that this process may have.
std::size_t share_of_descriptors(std::size_t files);

// Returns how a collector of `files` files keeps them between readings: open if all of them are a
// small part of the descriptors that this process may have.
DeviceFiles::Keep keep_for(std::size_t files);

}  // namespace reveal::collect

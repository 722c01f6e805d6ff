#include "collect/parts/device_files.h"

#include <algorithm>
#include <cerrno>

#include <sys/resource.h>

namespace reveal::collect {
namespace {

bool is_plain(char c) {
  constexpr std::string_view kPunctuation = " .:;_+-/#()@";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kPunctuation.find(c) != std::string_view::npos;
}

}  // namespace

void DeviceFiles::add(std::size_t row, std::string path) {
  if (metrics_[row].repr == model::Repr::kU64) {
    add(row, std::move(path), procfs::parse_whole);
  } else {
    add(row, std::move(path), procfs::parse_decimal);
  }
}

void DeviceFiles::add(std::size_t row, std::string path, ReadWhole parse) {
  attributes_.push_back({row, procfs::AttributeFile(std::move(path), keep_), parse});
}

void DeviceFiles::add(std::size_t row, std::string path, ReadReal parse) {
  attributes_.push_back({row, procfs::AttributeFile(std::move(path), keep_), nullptr, parse});
}

std::optional<AttributeText> DeviceFiles::text_of(Attribute& attribute,
                                                  procfs::AttributeBuffer& buffer) {
  if (attribute.fault) {
    const auto fault = attribute.fault->read(buffer);
    if (fault && procfs::parse_whole(*fault).value_or(0) != 0) return std::nullopt;
  }
  return attribute.file.read(buffer);
}

// Sets the row of the attribute at `at` from it and those behind it that have the same row.
template <typename Value, typename Read>
void DeviceFiles::set_largest(FrameWriter& writer, std::size_t& at, Read Attribute::*read) {
  procfs::AttributeBuffer buffer;
  const std::size_t row = attributes_[at].row;
  std::optional<Value> largest;
  for (; at < attributes_.size() && attributes_[at].row == row; ++at) {
    const auto text = text_of(attributes_[at], buffer);
    if (!text) continue;
    const auto value = (attributes_[at].*read)(*text);
    if (value && (!largest || *value > *largest)) largest = value;
  }
  channels_.set(writer, row, largest);
}

void DeviceFiles::read(FrameWriter& writer) {
  for (std::size_t at = 0; at < attributes_.size();) {
    if (attributes_[at].whole != nullptr) {
      set_largest<std::uint64_t>(writer, at, &Attribute::whole);
    } else {
      set_largest<double>(writer, at, &Attribute::real);
    }
  }
}

std::optional<base::Error> DeviceFiles::error_of(std::size_t row) const {
  for (const Attribute& attribute : attributes_) {
    if (attribute.row != row || attribute.file.error() == 0) continue;
    return base::fail_errno(attribute.file.error(), "cannot be read", attribute.file.path())
        .value();
  }
  return std::nullopt;
}

std::string instance_text(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  std::string out(text.substr(0, kLongest));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return !is_plain(c); }, '_');
  return out;
}

std::size_t share_of_descriptors(std::size_t files) {
  constexpr rlim_t kShare = 8;  // since all collectors want some
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return std::min<rlim_t>(files, limit.rlim_cur / kShare);
}

DeviceFiles::Keep keep_for(std::size_t files) {
  return share_of_descriptors(files) < files ? DeviceFiles::Keep::kClosed
                                             : DeviceFiles::Keep::kOpen;
}

}  // namespace reveal::collect

#include "collect/cgroup/cgroup_reader.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "procfs/cpu_list.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

constexpr std::size_t kMaxFiles = 64;
constexpr std::size_t kFirstBuffer = 16384;
constexpr std::size_t kLargestText = 1U << 20;
constexpr std::size_t kMaxDisks = 256;

std::size_t list_index(CgroupQuantity quantity) {
  return quantity == CgroupQuantity::kAllowedCores ? 0 : 1;
}

// "259:0"; anything else is rubbish, not a name for a channel.
bool is_device_number(std::string_view word) {
  const auto colon = word.find(':');
  return colon != std::string_view::npos && procfs::parse_u64(word.substr(0, colon)) &&
         procfs::parse_u64(word.substr(colon + 1));
}

bool is_plain_name(std::string_view word) {
  return word.size() <= 64 && std::all_of(word.begin(), word.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '.';
         });
}

bool is_of_kernel(const std::string& point) {
  struct ::statfs fs {};
  return ::statfs(point.c_str(), &fs) == 0 &&
         (fs.f_type == CGROUP_SUPER_MAGIC || fs.f_type == CGROUP2_SUPER_MAGIC);
}

std::string list_subject(std::size_t index, const CgroupGroup& group) {
  return (index == 0 ? "cores of " : "memory nodes of ") + group.channels.instance();
}

}  // namespace

// Takes the values of one group, in one reading, from the folder being read.
class CgroupReader::Sink final : public CgroupSink {
 public:
  Sink(CgroupReader& reader, CgroupGroup& group, FrameWriter& writer, bool say)
      : reader_(reader), group_(group), writer_(writer), say_(say) {}

  void set(CgroupQuantity quantity, std::uint64_t value) override {
    const auto row = reader_.row_of_[static_cast<std::size_t>(quantity)];
    if (row >= 0) group_.channels.set(writer_, static_cast<std::size_t>(row), value, reset);
  }

  void set_part(CgroupQuantity quantity, std::string_view key, std::string_view name,
                std::uint64_t value) override {
    const auto row = reader_.row_of_[static_cast<std::size_t>(quantity)];
    if (row < 0 || !is_plain_name(name)) return;
    group_.channels.set_part(writer_, static_cast<std::size_t>(row), key, name, value, reset);
  }

  void set_device(CgroupQuantity quantity, std::string_view number, std::uint64_t value) override {
    if (!is_device_number(number)) return;
    const auto row = reader_.row_of_[static_cast<std::size_t>(quantity)];
    if (row < 0) return;
    group_.channels.set_part(writer_, static_cast<std::size_t>(row), "dev",
                             reader_.disk_name(number), value, reset);
  }

  void list(CgroupQuantity quantity, std::string_view list) override {
    const auto count = procfs::count_cpu_list(list);
    if (count == 0) return;
    set(quantity, count);
    state(list_index(quantity), list);
  }

  bool reset = false;
  std::uint32_t alternatives = 0;  // bit N: a file of alternative N was found

 private:
  // Says which cores or nodes the group is held to, if these are fewer than all.
  void state(std::size_t index, std::string_view list) {
    const bool all = list == reader_.top_lists_[index];
    std::string& stated = group_.lists[index];
    if (!say_ || (all ? stated.empty() : stated == list)) return;
    stated = all ? std::string_view() : list;
    writer_.note_fact(list_subject(index, group_), stated);
  }

  CgroupReader& reader_;
  CgroupGroup& group_;
  FrameWriter& writer_;
  bool say_;
};

CgroupReader::CgroupReader(std::span<const CgroupRow> rows, std::vector<CgroupFile> files,
                           std::size_t keep)
    : files_(std::move(files)), buffer_(kFirstBuffer), most_kept_(keep) {
  row_of_.fill(-1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    row_of_[static_cast<std::size_t>(rows[i].key)] = static_cast<std::int8_t>(i);
  }
}

void CgroupReader::bind(const procfs::HostRoot& root,
                        const std::vector<CgroupHierarchy>& hierarchies) {
  hierarchies_ = hierarchies;
  block_folder_ = root.sys_path("dev/block/");
  bound_.clear();
  for (std::size_t i = 0; i < hierarchies_.size(); ++i) {
    const bool of_kernel = is_of_kernel(hierarchies_[i].point);
    for (const auto& file : files_) {
      const bool has =
          hierarchies_[i].unified ? file.controller.empty() : hierarchies_[i].has(file.controller);
      if (has && bound_.size() < kMaxFiles) bound_.push_back({i, of_kernel, file});
    }
  }
  learn_tops();
}

bool CgroupReader::has_unified() const {
  return std::any_of(hierarchies_.begin(), hierarchies_.end(),
                     [](const auto& hierarchy) { return hierarchy.unified; });
}

void CgroupReader::end(CgroupGroup& group, FrameWriter& writer) {
  if (group.said) writer.note_fact(group.channels.instance(), "");
  for (std::size_t i = 0; i < group.lists.size(); ++i) {
    if (!group.lists[i].empty()) writer.note_fact(list_subject(i, group), "");
  }
  for (auto& file : group.files) close(file);
  group.channels.release(writer);
}

// Reads the lists of a hierarchy's top, which all groups below it have unless told otherwise.
void CgroupReader::learn_tops() {
  class Tops final : public CgroupSink {
   public:
    explicit Tops(std::array<std::string, 2>& lists) : lists_(lists) {}
    void set(CgroupQuantity, std::uint64_t) override {}
    void set_part(CgroupQuantity, std::string_view, std::string_view, std::uint64_t) override {}
    void set_device(CgroupQuantity, std::string_view, std::uint64_t) override {}
    void list(CgroupQuantity quantity, std::string_view list) override {
      lists_[list_index(quantity)] = list;
    }

   private:
    std::array<std::string, 2>& lists_;
  };
  Tops tops(top_lists_);
  for (const Bound& bound : bound_) {
    const std::string path = hierarchies_[bound.hierarchy].point + "/" + bound.file.name;
    const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd.valid() && read_text(fd.get(), false) && size_ > 0) {
      bound.file.parse({buffer_.data(), size_}, bound.file.part, tops);
    }
  }
}

void CgroupReader::read(CgroupGroup& group, FrameWriter& writer, bool say) {
  group.channels.begin();
  Sink sink(*this, group, writer, say);
  for (std::size_t i = 0; i < hierarchies_.size(); ++i) {
    if ((group.places & (1U << i)) != 0) read_place(i, group, sink);
  }
  group.anew = false;
}

// A folder that turns out to be another one than before is read from the beginning.
void CgroupReader::read_place(std::size_t hierarchy, CgroupGroup& group, Sink& sink) {
  sink.reset = group.anew;
  const auto found_before = sink.alternatives;
  if (!read_files(hierarchy, group, sink)) {
    sink.alternatives = found_before;
    read_files(hierarchy, group, sink);
  }
  folder_.reset();
}

// Returns false if the folder was removed and made anew while files of the one before were open.
bool CgroupReader::read_files(std::size_t hierarchy, CgroupGroup& group, Sink& sink) {
  group.files.resize(bound_.size());
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    if (bound_[i].hierarchy != hierarchy || (group.absent & 1ULL << i) != 0) continue;
    const auto alternative = bound_[i].file.alternative;
    const auto bit = 1U << static_cast<unsigned>(alternative);
    if (alternative != CgroupAlternative::kNone && (sink.alternatives & bit) != 0) continue;
    ++opened_;
    if (read_kept(i, group, sink)) continue;
    if (!folder_.valid()) {
      const ::ino_t before = group.inodes[hierarchy];
      if (!open_folder(hierarchy, group, sink)) return true;
      if (before != 0 && before != group.inodes[hierarchy]) return false;
    }
    read_anew(i, group, sink);
  }
  return true;
}

bool CgroupReader::open_folder(std::size_t hierarchy, CgroupGroup& group, Sink& sink) {
  path_.assign(hierarchies_[hierarchy].point).append(group.path);
  ++opened_;
  folder_.reset(::open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct ::stat status {};
  if (!folder_.valid() || ::fstat(folder_.get(), &status) != 0) return false;
  ::ino_t& known = group.inodes[hierarchy];
  sink.reset = sink.reset || (known != 0 && known != status.st_ino);
  known = status.st_ino;
  return true;
}

// Returns whether the file was open and still is one of this place.
bool CgroupReader::read_kept(std::size_t index, CgroupGroup& group, Sink& sink) {
  auto& kept = group.files[index];
  if (!kept.valid()) return false;
  if (!read_text(kept.get(), true)) {
    close(kept);
    return false;
  }
  parse(bound_[index].file, sink);
  return true;
}

void CgroupReader::parse(const CgroupFile& file, Sink& sink) {
  sink.alternatives |= 1U << static_cast<unsigned>(file.alternative);
  if (size_ > 0) file.parse({buffer_.data(), size_}, file.part, sink);
}

void CgroupReader::read_anew(std::size_t index, CgroupGroup& group, Sink& sink) {
  const Bound& bound = bound_[index];
  const char* name = bound.file.name.c_str();
  base::UniqueFd fd(::openat(folder_.get(), name, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) {
    if (errno == ENOENT) group.absent |= 1ULL << index;
    return;
  }
  const bool has_text = read_text(fd.get(), bound.of_kernel);
  if (!has_text) size_ = 0;
  parse(bound.file, sink);
  if (!has_text || !bound.of_kernel || kept_ >= most_kept_) return;
  group.files[index] = std::move(fd);
  ++kept_;
}

void CgroupReader::close(base::UniqueFd& kept) {
  if (!kept.valid()) return;
  kept.reset();
  --kept_;
}

// Returns whether the file could be read; its text is in buffer_. `at_once`: the kernel makes the
// text in one go, so what does not fill the buffer is the whole of it.
bool CgroupReader::read_text(int fd, bool at_once) {
  size_ = 0;
  for (;;) {
    if (size_ == buffer_.size()) {
      if (size_ >= kLargestText) return false;
      buffer_.resize(size_ * 2);
    }
    const std::size_t room = buffer_.size() - size_;
    const auto got = ::pread(fd, buffer_.data() + size_, room, static_cast<::off_t>(size_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    size_ += static_cast<std::size_t>(got);
    if (got == 0 || (at_once && static_cast<std::size_t>(got) < room)) return true;
  }
}

// Returns "nvme0n1" for "259:0", as sysfs links it, or the number itself.
std::string_view CgroupReader::disk_name(std::string_view number) {
  for (const auto& [known, name] : disks_) {
    if (known == number) return name;
  }
  if (disks_.size() >= kMaxDisks) return number;
  std::array<char, 512> target{};
  const std::string link = block_folder_ + std::string(number);
  const auto size = ::readlink(link.c_str(), target.data(), target.size());
  std::string_view name(target.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  name = name.substr(name.rfind('/') + 1);
  const bool sound = !name.empty() && is_plain_name(name);
  disks_.emplace_back(number, sound ? name : number);
  return disks_.back().second;
}

}  // namespace reveal::collect

#include "agent/kept_items.h"

#include <algorithm>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>

#include <sys/stat.h>

#include "agent/evidence.h"
#include "agent/finding_id.h"
#include "agent/stretch.h"
#include "text/quantity.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBlockBytes = 512;  // of st_blocks, on every file system
constexpr std::size_t kFindingDepth = 4;    // YEAR/MONTH/DAY/ID

std::uint64_t bytes_of(const fs::path& path) {
  struct stat file {};
  if (::lstat(path.c_str(), &file) != 0) return 0;
  const auto blocks = static_cast<std::uint64_t>(file.st_blocks) * kBlockBytes;
  return S_ISREG(file.st_mode) ? std::max(blocks, static_cast<std::uint64_t>(file.st_size))
                               : blocks;
}

// Calls `take` with the path of each file and folder below `top`, relative to it, and its bytes.
template <typename Take>
void walk(const fs::path& top, Take take) {
  std::error_code failed;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator it(top, skip, failed), end; !failed && it != end;
       it.increment(failed)) {
    take(it->path().lexically_relative(top), bytes_of(it->path()));
  }
}

class Gathering {
 public:
  explicit Gathering(const Paths& paths) : paths_(paths) {}

  KeptItems gather() {
    for (const auto& folder :
         {paths_.directory, paths_.findings(), paths_.reports(), paths_.pins(), paths_.state()}) {
      out_.bytes += bytes_of(folder);
    }
    walk(paths_.findings(), [&](const fs::path& at, std::uint64_t bytes) { finding(at, bytes); });
    walk(paths_.reports(), [&](const fs::path& at, std::uint64_t bytes) { report(at, bytes); });
    walk(paths_.pins(), [&](const fs::path& at, std::uint64_t bytes) { pin(at, bytes); });
    walk(paths_.state(), [&](const fs::path&, std::uint64_t bytes) { out_.bytes += bytes; });
    for (auto& [key, item] : found_) out_.items.push_back(std::move(item));
    return std::move(out_);
  }

 private:
  void finding(const fs::path& at, std::uint64_t bytes) {
    out_.bytes += bytes;
    fs::path folder;
    std::size_t depth = 0;
    bool is_evidence = false;
    for (const auto& part : at) {
      if (depth < kFindingDepth) folder /= part;
      if (depth == kFindingDepth) is_evidence = part == kEvidenceFolder;
      ++depth;
    }
    if (depth < kFindingDepth || !is_finding_id(folder.filename().string())) return;
    const auto whole = paths_.findings() / folder;
    if (is_evidence) {
      add(KeptKind::kEvidence, folder.string(), whole / kEvidenceFolder, bytes);
    } else {
      add(KeptKind::kHistory, folder.string(), whole, bytes);
    }
  }

  // A report is two files of one name.
  void report(const fs::path& at, std::uint64_t bytes) {
    out_.bytes += bytes;
    if (!at.has_extension()) return;
    auto day = at;
    add(KeptKind::kHistory, day.replace_extension().string(), paths_.reports() / at, bytes);
  }

  void pin(const fs::path& at, std::uint64_t bytes) {
    out_.bytes += bytes;
    out_.pins_bytes += bytes;
    const auto& name = *at.begin();
    if (name.extension() == kUnfinished) {
      out_.unfinished_pins_bytes += bytes;
      return;
    }
    add(KeptKind::kPin, name.string(), paths_.pins() / name, bytes);
  }

  void add(KeptKind kind, const std::string& order, const fs::path& path, std::uint64_t bytes) {
    auto& item = found_[{kind, order}];
    item.kind = kind;
    item.order = order;
    item.bytes += bytes;
    const bool has = std::find(item.paths.begin(), item.paths.end(), path) != item.paths.end();
    if (!has) item.paths.push_back(path);
  }

  const Paths& paths_;
  KeptItems out_;
  std::map<std::pair<KeptKind, std::string>, KeptItem> found_;
};

}  // namespace

KeptItems kept_items(const Paths& paths) {
  return Gathering(paths).gather();
}

std::uint64_t bytes_below(const fs::path& path) {
  std::uint64_t out = bytes_of(path);
  walk(path, [&](const fs::path&, std::uint64_t bytes) { out += bytes; });
  return out;
}

std::string bytes_text(std::uint64_t bytes) {
  return text::format_quantity(static_cast<double>(bytes), "bytes");
}

void remove_item(const KeptItem& item, std::int64_t now_ns) {
  for (const auto& path : item.paths) {
    std::error_code ignored;
    // The note comes first: whoever is killed between leaves evidence that is gone for good.
    if (item.kind == KeptKind::kEvidence) note_evidence_gone(path.parent_path(), now_ns);
    fs::remove_all(path, ignored);
    if (item.kind != KeptKind::kHistory) continue;
    // The folders of a day, a month and a year go with their last.
    auto folder = path.parent_path();
    for (int i = 0; i < 3 && fs::is_empty(folder, ignored) && !ignored; ++i) {
      fs::remove(folder, ignored);
      folder = folder.parent_path();
    }
  }
}

}  // namespace reveal::agent

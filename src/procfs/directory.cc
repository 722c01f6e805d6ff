#include "procfs/directory.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <dirent.h>

#include "base/fnv.h"

namespace reveal::procfs {
namespace {

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};
using Dir = std::unique_ptr<DIR, CloseDir>;

// Returns the next name that is not hidden, empty at the end.
std::string_view next_name(DIR* dir) {
  while (const dirent* entry = ::readdir(dir)) {
    if (entry->d_name[0] != '.') return entry->d_name;
  }
  return {};
}

bool shorter_first(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

std::vector<std::string> names_in(const std::string& path, std::size_t most) {
  std::vector<std::string> out;
  const Dir dir(::opendir(path.c_str()));
  if (dir == nullptr) return out;
  for (auto name = next_name(dir.get()); !name.empty(); name = next_name(dir.get())) {
    out.emplace_back(name);
  }
  std::sort(out.begin(), out.end(), shorter_first);
  if (out.size() > most) out.resize(most);
  return out;
}

std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real == nullptr ? std::string() : std::string(real.get());
}

std::string target_name(const std::string& link) {
  const std::string target = resolved(link);
  return target.substr(target.rfind('/') + 1);
}

std::uint64_t Watch::fingerprint() {
  const Dir dir(::opendir(file_.path().c_str()));
  if (dir == nullptr) {
    AttributeBuffer buffer;
    return base::fnv1a(file_.read(buffer).value_or(""));
  }
  std::uint64_t sum = 0;  // of all names, since their order means nothing
  for (auto name = next_name(dir.get()); !name.empty(); name = next_name(dir.get())) {
    sum += base::fnv1a(name);
  }
  return sum;
}

bool Watch::changed() {
  const std::uint64_t now = fingerprint();
  const bool differs = now != seen_;
  seen_ = now;
  return differs;
}

}  // namespace reveal::procfs

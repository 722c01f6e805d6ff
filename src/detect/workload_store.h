// The workloads that a host had, each with what is usual of it (workload_baseline.h), in a folder:
// a file of detect/baseline_file.h each. A workload is known by its footprint (footprint.h), and
// only windows of the same length, stride and interval are compared with it.
//
// The folder is bounded in files and bytes; if there are too many, that goes which was not seen for
// longest. A file is written whole or not at all. One that this version cannot use is set aside as
// `NAME.damaged`, of which the latest is kept. In memory there are the footprints alone.
//
// Not thread-safe, and the only one of its folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "detect/footprint.h"

namespace reveal::detect {

struct WorkloadStoreOptions {
  std::filesystem::path folder;
  std::size_t most = 16;
  std::uint64_t most_bytes = std::uint64_t{16} << 20;
};

// A workload of the store, which is known by its file's name.
struct KnownWorkload {
  std::string name;
  std::shared_ptr<const FittedBaseline> baseline;
  std::size_t doubts = 0;  // that were counted so far
};

class WorkloadStore {
 public:
  // Reads what is there.
  explicit WorkloadStore(WorkloadStoreOptions options);

  // Returns the workload with such windows whose footprint is alike, of several the nearest, and
  // notes that it was seen now; nothing if there is none.
  std::optional<KnownWorkload> find(const Footprint& footprint, const window::WindowSpec& windows);

  // Keeps a baseline in the place of the workload of that name or, if the name is empty, as that of
  // a new one. Returns the name. Fails as base::write_new_file(), and with kNoSpace if it alone is
  // more than there may be.
  base::Result<std::string> keep(const std::string& name, const FittedBaseline& baseline);

  // Counts what speaks against what goes on being the workload of that name, and returns the count.
  // It is not kept over a restart, and begins anew once the workload is kept again.
  std::size_t doubt(const std::string& name);

  std::size_t size() const { return kept_.size(); }
  // Returns a line on each file that could not be read or removed, since the last call.
  std::vector<std::string> take_troubles() { return std::exchange(troubles_, {}); }

 private:
  struct Kept {
    std::string name;  // of the file
    Footprint footprint = kNoFootprint;
    window::WindowSpec windows;
    std::uint64_t bytes = 0;
    std::size_t doubts = 0;
  };

  void read(const std::filesystem::path& file);
  void refuse(const std::filesystem::path& file, const base::Error& why);
  void set_aside(const std::filesystem::path& file);
  void make_room();
  void remove(const std::string& name);
  std::filesystem::path file_of(const std::string& name) const { return options_.folder / name; }

  WorkloadStoreOptions options_;
  std::vector<Kept> kept_;  // the latest seen last
  std::vector<std::string> troubles_;
};

}  // namespace reveal::detect
